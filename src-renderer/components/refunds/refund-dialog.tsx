import { Anchor, SegmentedControl } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { toDecimal } from '../../../src-shared/amounts.ts';
import type { Payer, PaymentDetail } from '../../../src-shared/operator-contract/payments/payments.ts';
import type { Allowance, RefundPrice } from '../../../src-shared/operator-contract/payments/refunds.ts';
import type { AmountValue as ForeignAmount } from '../../../src-shared/operator-contract/values.ts';
import { amountText, plainNumberText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { hostAndPath, inertText } from '../../../src-shared/words/inert-text.ts';
import { errorText, waitsForSecond } from '../../transport/error-text.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { isFixed, MoneyDialog, useMoneyForm } from '../forms/money-dialog.tsx';
import { leastOf, ownLimit, useTooMuch } from './allowance.ts';
import { PayerSelect } from './payer-select.tsx';
import { usePaidPrice } from './use-paid-price.ts';

const words = messages.payments.refund;

export type Refundable = Pick<PaymentDetail, 'id' | 'accountName' | 'payers' | 'morePayers'>;

/** The amount that goes back: one of the account, or what the payer paid in a currency of their own. */
type Kind = 'same' | 'theirs';

interface RefundDialogProps {
  payment: Refundable;
  /** The first payers to whom the shop can refund something, one or more. */
  payers: readonly Payer[];
  /** Whether there may be others. */
  more: boolean;
  first: Payer;
  allowance: Allowance;
  opened: boolean;
  onClose: () => void;
}

/** The amount that the payer paid, when something of it can still go back. */
const paidOf = ({ paid }: Payer) => (paid !== null && paid.left.value > 0n ? paid : undefined);

/** The amount that the dialog fills in: all that may go back. */
function filledIn(payer: Payer, kind: Kind, allowance: Allowance): string {
  const paid = kind === 'theirs' ? paidOf(payer) : undefined;
  const { value, assetScale } = paid?.left ?? payer.refundable;
  const most = paid === undefined ? leastOf(value, allowance) : value;
  return most === 0n ? '' : plainNumberText(toDecimal(most, assetScale));
}

/** The payer who gets the refund, and the way of it. */
function useChoice({ first, payers, allowance }: Pick<RefundDialogProps, 'first' | 'payers' | 'allowance'>) {
  const [chosen, setChosen] = useState(first);
  const [wanted, setWanted] = useState<Kind>('same');
  const payer = payers.find(({ walletAddress }) => walletAddress === chosen.walletAddress) ?? chosen;
  const paid = wanted === 'theirs' ? paidOf(payer) : undefined;
  const form = useMoneyForm(paid?.left ?? payer.refundable, filledIn(first, 'same', allowance));
  const choose = (other: Payer, kind: Kind) => {
    setChosen(other);
    setWanted(kind);
    form.setText(filledIn(other, kind, allowance));
  };
  return { payer, paid, form, choose };
}
type Choice = ReturnType<typeof useChoice>;

/**
 * Asks how much of a payment goes back, and to whom. It fills in all of it. However often one dialog is sent, it has
 * one effect.
 */
export function RefundDialog({ payment, payers, more, first, allowance, opened, onClose }: RefundDialogProps) {
  const choice = useChoice({ first, payers, allowance });
  const { payer, paid, form, choose } = choice;
  const { requestId, text, note, tried, value, amount } = form;
  const most = payer.refundable;
  const report = useReporting();
  const tooMuchPaid = paid !== undefined && (amount ?? 0n) > paid.left.value;
  const receive = paid === undefined || tooMuchPaid || !opened ? undefined : amount;
  const { priced, error, askAgain } = usePaidPrice({ dialog: requestId, paymentId: payment.id, payer: payer.walletAddress, receive });
  const refund = useMutation(
    queries.refunds.create.mutationOptions({
      onSuccess: async () => {
        onClose();
        await report.done(words.begun, 'payments', 'accounts');
      },
      onError: (failure) => {
        if (waitsForSecond(failure)) onClose();
        if ('code' in failure && failure.code === 'REFUND_PRICE_CHANGED') void askAgain();
        report.failed(failure);
      },
    }),
  );
  const fixed = isFixed(refund);
  const cost = paid === undefined ? amount : priced?.cost.value;
  const tooMuch = useTooMuch(allowance, most)(cost);
  const fault = () => {
    if (fixed) return undefined;
    const ofPaid = paid && paidFault({ left: tooMuchPaid ? paid.left : undefined, error, priced, onSame: () => choose(payer, 'same') });
    if (ofPaid !== undefined || tooMuch !== undefined) return ofPaid ?? tooMuch;
    return (text.trim() === '' ? tried : value === 0n) ? words.amountNeeded({ example: amountText(paid?.left ?? most) }) : undefined;
  };
  const submit = () => {
    if (cost === undefined || amount === undefined || (!fixed && (tooMuch !== undefined || tooMuchPaid))) return;
    const asked = { requestId, paymentId: payment.id, amount: cost, payer: payer.walletAddress, reason: note.trim() };
    refund.mutate(paid === undefined ? asked : { ...asked, receive: amount });
  };
  return (
    <MoneyDialog
      title={words.title}
      lead={words.lead({ account: inertText(payment.accountName) })}
      asset={paid?.left ?? most}
      form={form}
      operation={refund}
      words={{ amount: words.amount, note: words.reason, noteHint: words.reasonHint }}
      fault={fault()}
      facts={factsOf(choice, priced, allowance)}
      action={actionOf(choice, priced)}
      opened={opened}
      onSubmit={submit}
      onClose={onClose}
    >
      {(payers.length > 1 || more) && (
        <PayerSelect
          paymentId={payment.id}
          payer={payer}
          payers={payers}
          more={more}
          onPayer={(other) => choose(other, 'same')}
          disabled={fixed}
        />
      )}
      <ChoiceOfKind choice={choice} fixed={fixed} />
    </MoneyDialog>
  );
}

/** The choice of the amount, when the node knows what the payer paid. */
function ChoiceOfKind({ choice, fixed }: { choice: Choice; fixed: boolean }) {
  const { payer, paid, choose } = choice;
  if (paidOf(payer) === undefined) return null;
  const kinds = [
    { value: 'same', label: words.paid.same },
    { value: 'theirs', label: words.paid.theirs },
  ];
  return (
    <SegmentedControl
      aria-label={words.paid.choice}
      data={kinds}
      value={paid === undefined ? 'same' : 'theirs'}
      onChange={(kind) => choose(payer, kind === 'theirs' ? 'theirs' : 'same')}
      disabled={fixed}
      fullWidth
    />
  );
}

interface PaidFault {
  /** The amount that can still go back, when somebody typed more. */
  left: ForeignAmount | undefined;
  error: Error | null;
  priced: RefundPrice | undefined;
  onSame: () => void;
}

/** The fault of an amount in the payer's currency. */
function paidFault({ left, error, priced, onSame }: PaidFault): ReactNode {
  if (left !== undefined) return words.paid.tooMuch({ amount: amountText(left) });
  if (error !== null) return errorText(error);
  return priced !== undefined && priced.cost.value > priced.most.value ? <CostsTooMuch priced={priced} onSame={onSame} /> : undefined;
}

/** Says that a price is more than can be refunded, and offers the other way. */
function CostsTooMuch({ priced: { cost, most, receive }, onSame }: { priced: RefundPrice; onSame: () => void }) {
  const said = words.paid.costsTooMuch({ amount: amountText(receive), cost: amountText(cost), most: amountText(most) });
  return (
    <>
      {said}{' '}
      <Anchor component="button" type="button" size="xs" onClick={onSame}>
        {words.paid.sameInstead}
      </Anchor>
    </>
  );
}

function factsOf({ payer, paid, form }: Choice, priced: RefundPrice | undefined, allowance: Allowance): [string, string][] {
  const to: [string, string] = [words.payer, hostAndPath(payer.walletAddress)];
  const most: [string, string] = [words.most, amountText(payer.refundable)];
  if (paid === undefined) return [to, most, ...ownLimit(allowance)];
  const isAsked = form.amount !== undefined && form.amount <= paid.left.value;
  const cost = priced === undefined ? words.paid.pricing : amountText(priced.cost);
  return [
    to,
    [words.paid.amount, amountText(paid.amount)],
    [words.paid.left, amountText(paid.left)],
    ...(isAsked ? [[words.paid.cost, cost] satisfies [string, string]] : []),
    most,
    ...ownLimit(allowance),
  ];
}

function actionOf({ payer, paid, form: { amount } }: Choice, priced: RefundPrice | undefined): string {
  if (amount === undefined) return words.action;
  if (paid === undefined) return words.confirm({ amount: amountText({ ...payer.refundable, value: amount }) });
  if (priced === undefined || priced.cost.value > priced.most.value) return words.action;
  return words.paid.confirm({ amount: amountText(priced.receive), cost: amountText(priced.cost) });
}
