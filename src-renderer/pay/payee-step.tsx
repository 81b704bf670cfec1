import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import type { Payee } from '../../src-shared/operator-contract/payments/paying.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { AccountSelect } from '../components/forms/account-select.tsx';
import { Card } from '../components/page/card.tsx';
import { Failure } from '../components/page/failure.tsx';
import { AnchorLink } from '../components/page/links.tsx';
import { queries } from '../transport/operator-client.ts';

const words = messages.pay;

interface PayeeStepProps {
  account: Account;
  onAccount: (account: Account) => void;
  initial: string;
  onFound: (payee: Payee) => void;
}

/** Asks from which account and to whom to pay. The node looks the payee up before the operator can go on. */
export function PayeeStep({ account, onAccount, initial, onFound }: PayeeStepProps) {
  const [text, setText] = useState(initial);
  const [tried, setTried] = useState(false);
  const find = useMutation(queries.payments.payee.mutationOptions());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    // Passed here, the handler is forgotten when the operator types something else meanwhile.
    if (text.trim() !== '') find.mutate({ accountId: account.id, payee: text }, { onSuccess: onFound });
  };
  return (
    <Card title={words.steps.who}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={words.to}
            description={words.toHint}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              find.reset();
            }}
            error={tried && text.trim() === '' ? words.toNeeded : undefined}
            maxLength={2048}
            autoComplete="off"
            spellCheck={false}
            autoFocus
            required
          />
          <AccountSelect
            label={words.from}
            description={words.available({ amount: amountText({ ...account, value: account.balance }) })}
            account={account}
            onAccount={(chosen) => chosen && onAccount(chosen)}
            allowDeselect={false}
          />
          <Failure error={find.error} />
          {find.error !== null && (
            <AnchorLink to="/reach" search={{ wallet: text }} size="sm">
              {messages.reach.look}
            </AnchorLink>
          )}
          <Group justify="flex-end">
            <Button type="submit" loading={find.isPending}>
              {words.find}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
