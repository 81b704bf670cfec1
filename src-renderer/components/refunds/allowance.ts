import type { Allowance } from '../../../src-shared/operator-contract/payments/refunds.ts';
import type { AmountValue } from '../../../src-shared/operator-contract/values.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { useStateCell } from '../../transport/state-cell.ts';
import { you } from '../../transport/you.ts';

const words = messages.payments.refund;

/** The most that the person may give back of a value, in smallest units. */
export function leastOf(value: bigint, { payment, day }: Allowance): bigint {
  const lefts = [payment, day].flatMap((one) => (one === null ? [] : [one.left.value]));
  return lefts.reduce((least, one) => (one < least ? one : least), value);
}

/** What is left of the person's own limit, as a line among the facts. Without a limit there is none. */
export function ownLimit({ payment, day }: Allowance): [string, string][] {
  if (payment === null || day === null) return [];
  return [[words.mine, words.mineWords({ payment: amountText(payment.left), day: amountText(day.left) })]];
}

/** Says what an amount is beyond: what can go back, or the person's limit. */
export function useTooMuch({ payment, day }: Allowance, most: AmountValue): (amount: bigint | undefined) => string | undefined {
  const role = useStateCell(you)?.role ?? 'cashier';
  return (amount = 0n) => {
    if (amount > most.value) return words.tooMuch({ amount: amountText(most) });
    for (const [left, say] of [[payment, words.overPayment] as const, [day, words.overDay] as const])
      if (left !== null && amount > left.left.value) return say({ limit: amountText(left.limit), left: amountText(left.left), role });
    return undefined;
  };
}
