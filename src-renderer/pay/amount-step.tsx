import { Button, Group, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Asset, MAX_MOVED, sameAsset } from '../../src-shared/amounts.ts';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import type { Payee, PaymentQuote } from '../../src-shared/operator-contract/payments/paying.ts';
import { typedAmount } from '../../src-shared/typed-input/typed-amount.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { AmountInput } from '../components/forms/amount-input.tsx';
import { Card } from '../components/page/card.tsx';
import { Failure } from '../components/page/failure.tsx';
import { queries } from '../transport/operator-client.ts';
import { PayeeFacts } from './payee-facts.tsx';

const words = messages.pay;

/** What the operator has entered about the payment. */
export interface Terms {
  /** Which of the two amounts is fixed. */
  fixed: 'send' | 'deliver';
  text: string;
  note: string;
}

interface AmountStepProps {
  account: Account;
  payee: Payee;
  initial: Terms | undefined;
  onBack: () => void;
  onQuoted: (terms: Terms, quote: PaymentQuote) => void;
}

/** Asks how much to pay, unless the payee says it, and what for. */
export function AmountStep({ account, payee, initial, onBack, onQuoted }: AmountStepProps) {
  const [terms, setTerms] = useState<Terms>(initial ?? { fixed: 'send', text: '', note: '' });
  const [tried, setTried] = useState(false);
  // The id stays until the operator changes something: asking again after a lost answer asks for the same quote.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const quote = useMutation(queries.payments.quote.mutationOptions());
  const change = (more: Partial<Terms>) => {
    setTerms({ ...terms, ...more });
    setRequestId(crypto.randomUUID());
    quote.reset();
  };
  const asset = terms.fixed === 'send' ? account : payee.asset;
  const amount = readAmount(terms.text, asset);
  const asked = payee.asked !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!asked && amount === undefined) return;
    const fixed = asked ? {} : terms.fixed === 'send' ? { send: amount } : { deliver: amount };
    const note = terms.note.trim();
    quote.mutate(
      { requestId, accountId: account.id, payee: payee.url, ...fixed, ...(note !== '' && { note }) },
      // Passed here, the handler is forgotten with its question: a late price must not stand beside another payee.
      { onSuccess: (made) => onQuoted(terms, made) },
    );
  };
  const example = amountText({ ...asset, value: 10n * 10n ** BigInt(asset.assetScale) });
  const fault = tried && amount === undefined ? words.amountNeeded({ example }) : undefined;
  return (
    <Card title={words.steps.amount}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <PayeeFacts payee={payee} />
          {!asked && !sameAsset(account, payee.asset) && (
            <SegmentedControl
              aria-label={words.exactly}
              value={terms.fixed}
              onChange={(value) => change({ fixed: value === 'deliver' ? 'deliver' : 'send', text: '' })}
              data={[
                { value: 'send', label: `${words.youPay} (${account.assetCode})` },
                { value: 'deliver', label: `${words.theyGet} (${payee.asset.assetCode})` },
              ]}
            />
          )}
          {!asked && (
            <AmountInput
              label={terms.fixed === 'send' ? words.amountYouPay : words.amountTheyGet}
              description={words.available({ amount: amountText({ ...account, value: account.balance }) })}
              asset={asset}
              value={terms.text}
              onChange={(text) => change({ text })}
              error={fault}
              autoFocus
              required
            />
          )}
          <TextInput
            label={words.note}
            description={words.noteHint}
            value={terms.note}
            onChange={(event) => change({ note: event.currentTarget.value })}
            maxLength={500}
            autoFocus={asked}
          />
          <Failure error={quote.error} />
          <Group justify="space-between">
            <Button variant="default" onClick={onBack}>
              {words.back}
            </Button>
            <Button type="submit" loading={quote.isPending}>
              {words.getPrice}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

function readAmount(text: string, asset: Asset): bigint | undefined {
  const value = typedAmount(text, asset);
  return value !== undefined && value > 0n && value <= MAX_MOVED ? value : undefined;
}
