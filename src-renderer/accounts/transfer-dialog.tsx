import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fromDecimal, MAX_MOVED } from '../../src-shared/amounts.ts';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { AmountInput, amountFault } from '../components/amount-input.tsx';
import { Facts } from '../components/facts.tsx';
import { Failure } from '../components/failure.tsx';
import { outcomeUnknown } from '../error-text.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { inertText } from '../../src-shared/words/inert-text.ts';
import { messages } from '../messages.ts';
import { queries } from '../operator-client.ts';
import { useReporting } from '../reporting.ts';

export type TransferKind = 'deposit' | 'withdraw';

const words = messages.accounts;

const BY_KIND = {
  deposit: {
    title: words.depositTitle,
    sentence: words.depositSentence,
    confirm: words.confirmDeposit,
    empty: words.confirmDepositEmpty,
    done: words.deposited,
  },
  withdraw: {
    title: words.withdrawTitle,
    sentence: words.withdrawSentence,
    confirm: words.confirmWithdraw,
    empty: words.confirmWithdrawEmpty,
    done: words.withdrawn,
  },
} as const;

interface TransferDialogProps {
  kind: TransferKind;
  account: Account;
  opened: boolean;
  onClose: () => void;
}

/** Records a deposit or a withdrawal. One dialog is one intention: however often it is sent, it has one effect. */
export function TransferDialog({ kind, account, opened, onClose }: TransferDialogProps) {
  const [requestId] = useState(() => crypto.randomUUID());
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const by = BY_KIND[kind];
  const value = fromDecimal(text, account.assetScale);
  const amount = value !== undefined && value > 0n && value <= MAX_MOVED ? value : undefined;
  const money = (units: bigint) => amountText({ ...account, value: units });

  const options = {
    onSuccess: async () => {
      onClose();
      if (amount !== undefined) await report.done(by.done(money(amount)), 'accounts');
    },
    onError: report.failed,
  };
  const deposit = useMutation(queries.accounts.deposit.mutationOptions(options));
  const withdraw = useMutation(queries.accounts.withdraw.mutationOptions(options));
  const operation = kind === 'deposit' ? deposit : withdraw;
  // After a lost answer nobody knows whether it was recorded; only the very same request may be sent again.
  const fixed = operation.isPending || outcomeUnknown(operation.error);
  const after = amount === undefined ? account.balance : kind === 'deposit' ? account.balance + amount : account.balance - amount;
  const shownAfter = fixed || operation.isSuccess ? undefined : after;

  const fault = () => {
    if (kind === 'withdraw' && amount !== undefined && amount > account.balance) return words.notEnough;
    if (value === 0n && text.trim() !== '') return words.amountZero;
    return tried && text.trim() === '' ? words.amountNeeded(money(100n * 10n ** BigInt(account.assetScale))) : amountFault(text, account);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (amount === undefined || after < 0n) return;
    operation.mutate({ id: account.id, requestId, amount, note: note.trim() });
  };
  return (
    <Modal opened={opened} onClose={onClose} title={by.title(inertText(account.publicName))} closeOnClickOutside={!operation.isPending}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {by.sentence}
          </Text>
          <AmountInput
            label={words.amount}
            asset={account}
            value={text}
            onChange={setText}
            error={fault()}
            disabled={fixed}
            required
            data-autofocus
          />
          <TextInput
            label={words.note}
            description={words.noteHint}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            maxLength={500}
            disabled={fixed}
          />
          <Facts
            facts={[
              [words.balance, money(account.balance)],
              [words.balanceAfter, shownAfter === undefined || shownAfter < 0n ? messages.common.none : money(shownAfter)],
            ]}
          />
          <Failure error={operation.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {messages.common.cancel}
            </Button>
            <Button type="submit" loading={operation.isPending}>
              {outcomeUnknown(operation.error) ? messages.common.tryAgain : amount === undefined ? by.empty : by.confirm(money(amount))}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
