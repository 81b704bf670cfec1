import { Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import type { PayableAccount, PaymentRequest } from '../../src-shared/operator-contract/payments/payment-requests.ts';
import { typedAmount } from '../../src-shared/typed-input/typed-amount.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { PayableAccountSelect } from '../components/forms/account-select.tsx';
import { AmountInput, amountFault } from '../components/forms/amount-input.tsx';
import { FieldPair } from '../components/forms/field-pair.tsx';
import { Failure } from '../components/page/failure.tsx';
import { outcomeUnknown } from '../transport/error-text.ts';
import { nodeNow } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';

const words = messages.getPaid;
const HOUR = 60 * 60_000;
const LIVES = { never: undefined, hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR } as const;
/** The most characters of what the operator writes. */
const LENGTHS = { description: 500, reference: 200, note: 500 } as const;
type Life = keyof typeof LIVES;
const isLife = (text: string): text is Life => Object.hasOwn(LIVES, text);

interface RequestFormProps {
  account: PayableAccount;
  onAccount: (account: PayableAccount) => void;
  onCreated: (request: PaymentRequest) => void;
}

/** Makes a payment request. However often one form is sent, it makes one request. */
export function RequestForm({ account, onAccount, onCreated }: RequestFormProps) {
  const [requestId] = useState(() => crypto.randomUUID());
  const [text, setText] = useState('');
  const [said, setSaid] = useState({ description: '', reference: '', note: '' });
  const [life, setLife] = useState<Life>('never');
  const [sent, setSent] = useState<{ expiresAt: Date | undefined }>();
  const report = useReporting();
  const create = useMutation(queries.requests.create.mutationOptions({ onSuccess: onCreated, onError: report.failed }));

  const value = text.trim() === '' ? undefined : typedAmount(text, account);
  const fault = value === 0n ? words.amountZero : amountFault(text, account);
  // After a lost answer nobody knows whether the request was made. Only the very same one may be sent again.
  const fixed = create.isPending || outcomeUnknown(create.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fault !== undefined || (value !== undefined && value > MAX_MOVED)) return;
    const ms = LIVES[life];
    const { expiresAt } = fixed && sent ? sent : { expiresAt: ms === undefined ? undefined : new Date(nodeNow().getTime() + ms) };
    setSent({ expiresAt });
    create.mutate({
      requestId,
      accountId: account.id,
      ...(value !== undefined && { amount: value }),
      ...Object.fromEntries(Object.entries(said).filter(([, one]) => one.trim() !== '')),
      ...(expiresAt && { expiresAt }),
    });
  };
  const line = (name: keyof typeof LENGTHS) => (
    <TextInput
      label={words[name]}
      description={words[`${name}Hint`]}
      value={said[name]}
      onChange={({ currentTarget: { value: text } }) => setSaid({ ...said, [name]: text })}
      maxLength={LENGTHS[name]}
      disabled={fixed}
    />
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <AmountInput
          label={words.amount}
          description={words.amountHint}
          asset={account}
          value={text}
          onChange={setText}
          error={fault}
          disabled={fixed}
          size="lg"
          autoFocus
        />
        <PayableAccountSelect
          label={words.account}
          account={account}
          onAccount={(chosen) => chosen && onAccount(chosen)}
          allowDeselect={false}
          disabled={fixed}
        />
        {line('description')}
        <FieldPair>
          {line('reference')}
          <NativeSelect
            label={words.expiry}
            description={messages.getPaid.expiryHint}
            data={Object.entries(words.expiries).map(([key, label]) => ({ value: key, label }))}
            value={life}
            onChange={({ currentTarget }) => isLife(currentTarget.value) && setLife(currentTarget.value)}
            disabled={fixed}
          />
        </FieldPair>
        {line('note')}
        <Failure error={create.error} />
        <Button type="submit" loading={create.isPending} size="md">
          {outcomeUnknown(create.error) ? messages.common.tryAgain : words.create}
        </Button>
      </Stack>
    </form>
  );
}
