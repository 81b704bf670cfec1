import type { OutgoingPaymentState } from '../tables.ts';
import type { StoredRefundState } from './tables.ts';

/** What decides how much of a refund can have left the account. Amounts are in smallest units of the account. */
export interface RefundFacts {
  state: StoredRefundState;
  amount: bigint;
  /** Exactly what is to arrive in the payer's currency, of a refund of what they paid. */
  receive?: bigint | null;
  /** The outgoing payment that carries it out. It is undefined while there is none. */
  payment?: { state: OutgoingPaymentState; debitAmount: bigint; sent: bigint } | undefined;
}

/**
 * How a refund stands. `unknown`: nobody can say whether the money arrived; it counts as if it had.
 */
type RefundState = 'pending' | 'done' | 'failed' | 'unknown';

/**
 * The most that can have left the account by a refund. What has ended without leaving counts no more; whatever may
 * still leave counts in full.
 */
export function mostLeftBy({ state, amount, payment }: RefundFacts): bigint {
  if (payment === undefined) return state === 'failed' ? 0n : amount;
  return payment.state === 'completed' || payment.state === 'failed' ? payment.sent : payment.debitAmount;
}

/** What has left the account by a refund so far. */
export const leftBy = ({ payment }: RefundFacts): bigint => payment?.sent ?? 0n;

/**
 * How much of what a payer paid can still be refunded: all of it, less the most that can have left by each refund.
 * @param paid what is proven to have come from the payer, 0 or more.
 */
export function refundableOf(paid: bigint, refunds: Iterable<RefundFacts>): bigint {
  let left = paid;
  for (const refund of refunds) left -= mostLeftBy(refund);
  return left > 0n ? left : 0n;
}

/**
 * How much of what a payer paid, in their own currency, can still go back: all of it, less the most that refunds of it
 * can have brought, and less the share of each refund of another kind. Shares are rounded up.
 * @param paid what their wallet took for what is proven to have come, above 0, in smallest units of its currency.
 * @param amount what is proven to have come, above 0, in smallest units of the account.
 */
export function paidLeftOf({ paid, amount }: { paid: bigint; amount: bigint }, refunds: Iterable<RefundFacts>): bigint {
  let left = paid;
  for (const refund of refunds) {
    const { receive = null, payment } = refund;
    const most = mostLeftBy(refund);
    if (receive === null) left -= shareUp(paid, most, amount);
    else left -= payment?.state === 'completed' ? receive : shareUp(receive, most, payment?.debitAmount ?? refund.amount);
  }
  return left > 0n ? left : 0n;
}

const shareUp = (whole: bigint, part: bigint, of: bigint): bigint => (whole * part + of - 1n) / of;

export function refundStateOf({ state, payment }: RefundFacts): RefundState {
  if (payment === undefined) return state === 'failed' ? 'failed' : state === 'doubted' ? 'unknown' : 'pending';
  if (payment.state === 'completed') return 'done';
  return payment.state === 'failed' || payment.state === 'unknown' ? payment.state : 'pending';
}
