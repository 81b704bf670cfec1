import { Button, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toDecimal } from '../../../src-shared/amounts.ts';
import type { Payer, PaymentDetail } from '../../../src-shared/operator-contract/payments/payments.ts';
import type { Allowance } from '../../../src-shared/operator-contract/payments/refunds.ts';
import { amountText, plainNumberText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { hostAndPath, inertText } from '../../../src-shared/words/inert-text.ts';
import { waitsForSecond } from '../../transport/error-text.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { isFixed, MoneyDialog, useMoneyForm } from '../forms/money-dialog.tsx';
import { leastOf, ownLimit, useTooMuch } from './allowance.ts';

const words = messages.payments.refund;

type Refundable = Pick<PaymentDetail, 'id' | 'accountName' | 'payers'>;

/** Lets a person give back what was received, as far as it is proven who paid, and as far as they may. */
export function RefundPayment({ payment }: { payment: Refundable }) {
  const [asking, { open, close }] = useDisclosure(false);
  // Each time the dialog opens it asks for something new, with a request id of its own.
  const [times, setTimes] = useState(0);
  const payers = payment.payers.filter(({ refundable }) => refundable.value > 0n);
  const [first] = payers;
  const known = useQuery({ ...queries.refunds.of.queryOptions({ input: { paymentId: payment.id } }), enabled: first !== undefined });
  const allowance = known.data?.allowance;
  if (allowance?.refusal !== null || (first === undefined && !asking)) return null;
  const begin = () => {
    setTimes(times + 1);
    open();
  };
  return (
    <>
      <Button variant="default" onClick={begin}>
        {words.action}
      </Button>
      {first !== undefined && (
        <RefundDialog key={times} payment={payment} payers={payers} first={first} allowance={allowance} opened={asking} onClose={close} />
      )}
    </>
  );
}

interface RefundDialogProps {
  payment: Refundable;
  /** Those to whom something can be refunded, one or more. */
  payers: readonly Payer[];
  first: Payer;
  allowance: Allowance;
  opened: boolean;
  onClose: () => void;
}

/** The amount that is filled in: all that may go back. */
function filledIn(payer: Payer, allowance: Allowance): string {
  const most = leastOf(payer.refundable.value, allowance);
  return most === 0n ? '' : plainNumberText(toDecimal(most, payer.refundable.assetScale));
}

/**
 * Asks how much of a payment goes back to whom. All of it is filled in. However often one dialog is sent, it has one
 * effect.
 */
function RefundDialog({ payment, payers, first, allowance, opened, onClose }: RefundDialogProps) {
  const [chosen, setChosen] = useState(first.walletAddress);
  const payer = payers.find(({ walletAddress }) => walletAddress === chosen) ?? first;
  const most = payer.refundable;
  const form = useMoneyForm(most, filledIn(first, allowance));
  const { requestId, text, note, tried, value, amount } = form;
  const report = useReporting();
  const refund = useMutation(
    queries.refunds.create.mutationOptions({
      onSuccess: async () => {
        onClose();
        await report.done(words.begun, 'payments', 'accounts');
      },
      onError: (error) => {
        if (waitsForSecond(error)) onClose();
        report.failed(error);
      },
    }),
  );
  const tooMuch = useTooMuch(allowance, most)(amount);
  const fixed = isFixed(refund);
  const fault = () => {
    if (!fixed && tooMuch !== undefined) return tooMuch;
    const isEmpty = text.trim() === '' ? tried : value === 0n;
    return isEmpty ? words.amountNeeded({ example: amountText(most) }) : undefined;
  };
  const submit = () => {
    if (amount === undefined || (!fixed && tooMuch !== undefined)) return;
    refund.mutate({ requestId, paymentId: payment.id, amount, payer: payer.walletAddress, reason: note.trim() });
  };
  const choose = (address: string | null) => {
    const other = payers.find(({ walletAddress }) => walletAddress === address);
    if (other === undefined) return;
    setChosen(other.walletAddress);
    form.setText(filledIn(other, allowance));
  };
  return (
    <MoneyDialog
      title={words.title}
      lead={words.lead({ account: inertText(payment.accountName) })}
      asset={most}
      form={form}
      operation={refund}
      words={{ amount: words.amount, note: words.reason, noteHint: words.reasonHint }}
      fault={fault()}
      facts={[[words.payer, hostAndPath(payer.walletAddress)], [words.most, amountText(most)], ...ownLimit(allowance)]}
      action={amount === undefined ? words.action : words.confirm({ amount: amountText({ ...most, value: amount }) })}
      opened={opened}
      onSubmit={submit}
      onClose={onClose}
    >
      {payers.length > 1 && (
        <Select
          label={words.payer}
          data={payers.map(({ walletAddress }) => ({ value: walletAddress, label: hostAndPath(walletAddress) }))}
          value={payer.walletAddress}
          onChange={choose}
          allowDeselect={false}
          disabled={fixed}
        />
      )}
    </MoneyDialog>
  );
}
