import { useMutation } from '@tanstack/react-query';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { inertText } from '../../src-shared/words/inert-text.ts';
import { isFixed, MoneyDialog, useMoneyForm } from '../components/forms/money-dialog.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';

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

/** Records a deposit or a withdrawal. However often one dialog is sent, it has one effect. */
export function TransferDialog({ kind, account, opened, onClose }: TransferDialogProps) {
  const form = useMoneyForm(account);
  const { requestId, text, note, tried, value, amount } = form;
  const report = useReporting();
  const by = BY_KIND[kind];
  const money = (units: bigint) => amountText({ ...account, value: units });

  const options = {
    onSuccess: async () => {
      onClose();
      if (amount !== undefined) await report.done(by.done({ amount: money(amount) }), 'accounts');
    },
    onError: report.failed,
  };
  const deposit = useMutation(queries.accounts.deposit.mutationOptions(options));
  const withdraw = useMutation(queries.accounts.withdraw.mutationOptions(options));
  const operation = kind === 'deposit' ? deposit : withdraw;
  const after = amount === undefined ? account.balance : kind === 'deposit' ? account.balance + amount : account.balance - amount;
  // An amount that is being sent, or may have been sent, is perhaps in the balance already.
  const fixed = isFixed(operation);
  const shownAfter = fixed || operation.isSuccess ? undefined : after;

  const fault = () => {
    if (!fixed && after < 0n) return words.notEnough;
    if (value === 0n && text.trim() !== '') return words.amountZero;
    return tried && text.trim() === '' ? words.amountNeeded({ example: money(100n * 10n ** BigInt(account.assetScale)) }) : undefined;
  };
  const submit = () => {
    if (amount === undefined || (!fixed && after < 0n)) return;
    operation.mutate({ id: account.id, requestId, amount, note: note.trim() });
  };
  return (
    <MoneyDialog
      title={by.title({ name: inertText(account.publicName) })}
      lead={by.sentence}
      asset={account}
      form={form}
      operation={operation}
      words={words}
      fault={fault()}
      facts={[
        [words.balance, money(account.balance)],
        [words.balanceAfter, shownAfter === undefined || shownAfter < 0n ? messages.common.none : money(shownAfter)],
      ]}
      action={amount === undefined ? by.empty : by.confirm({ amount: money(amount) })}
      opened={opened}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
