import { Button, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toDecimal } from '../../../src-shared/amounts.ts';
import type { Payer, PaymentDetail } from '../../../src-shared/operator-contract/payments/payments.ts';
import { amountText, plainNumberText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { hostAndPath, inertText } from '../../../src-shared/words/inert-text.ts';
import { isFixed, MoneyDialog, useMoneyForm } from '../../components/forms/money-dialog.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';

const words = messages.payments.refund;

/** Lets the operator give back what was received, as far as it is proven who paid. */
export function RefundPayment({ payment }: { payment: PaymentDetail }) {
  const [asking, { open, close }] = useDisclosure(false);
  // Each time the dialog opens it asks for something new, with a request id of its own.
  const [times, setTimes] = useState(0);
  const payers = payment.payers.filter(({ refundable }) => refundable.value > 0n);
  const [first] = payers;
  if (first === undefined && !asking) return null;
  const begin = () => {
    setTimes(times + 1);
    open();
  };
  return (
    <>
      <Button variant="default" onClick={begin}>
        {words.action}
      </Button>
      {first !== undefined && <RefundDialog key={times} payment={payment} payers={payers} first={first} opened={asking} onClose={close} />}
    </>
  );
}

interface RefundDialogProps {
  payment: PaymentDetail;
  /** Those to whom something can be refunded, one or more. */
  payers: readonly Payer[];
  first: Payer;
  opened: boolean;
  onClose: () => void;
}

const plain = ({ refundable: { value, assetScale } }: Payer): string => plainNumberText(toDecimal(value, assetScale));

/**
 * Asks how much of a payment goes back to whom. All of it is filled in. However often one dialog is sent, it has one
 * effect.
 */
function RefundDialog({ payment, payers, first, opened, onClose }: RefundDialogProps) {
  const [chosen, setChosen] = useState(first.walletAddress);
  const payer = payers.find(({ walletAddress }) => walletAddress === chosen) ?? first;
  const most = payer.refundable;
  const form = useMoneyForm(most, plain(first));
  const { requestId, text, note, tried, value, amount } = form;
  const report = useReporting();
  const refund = useMutation(
    queries.refunds.create.mutationOptions({
      onSuccess: async () => {
        onClose();
        await report.done(words.begun, 'payments', 'accounts');
      },
      onError: report.failed,
    }),
  );
  const fixed = isFixed(refund);
  const tooMuch = amount !== undefined && amount > most.value;
  const fault = () => {
    if (!fixed && tooMuch) return words.tooMuch({ amount: amountText(most) });
    const isEmpty = text.trim() === '' ? tried : value === 0n;
    return isEmpty ? words.amountNeeded({ example: amountText(most) }) : undefined;
  };
  const submit = () => {
    if (amount === undefined || (!fixed && tooMuch)) return;
    refund.mutate({ requestId, paymentId: payment.id, amount, payer: payer.walletAddress, reason: note.trim() });
  };
  const choose = (address: string | null) => {
    const other = payers.find(({ walletAddress }) => walletAddress === address);
    if (other === undefined) return;
    setChosen(other.walletAddress);
    form.setText(plain(other));
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
      facts={[
        [words.payer, hostAndPath(payer.walletAddress)],
        [words.most, amountText(most)],
      ]}
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
