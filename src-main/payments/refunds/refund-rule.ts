import type { OutgoingPaymentState } from '../tables.ts';
import type { StoredRefundState } from './tables.ts';

/** What decides how much of a refund can have left the account. Amounts are in smallest units of the account. */
export interface RefundFacts {
  state: StoredRefundState;
  amount: bigint;
  /** The outgoing payment that carries it out. It is undefined while there is none. */
  payment?: { state: OutgoingPaymentState; debitAmount: bigint; sent: bigint } | undefined;
}

/**
 * How a refund stands. `unknown`: nobody can say whether the money arrived; it counts as if it had.
 */
export type RefundState = 'pending' | 'done' | 'failed' | 'unknown';

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

export function refundStateOf({ state, payment }: RefundFacts): RefundState {
  if (payment === undefined) return state === 'failed' ? 'failed' : state === 'doubted' ? 'unknown' : 'pending';
  if (payment.state === 'completed') return 'done';
  return payment.state === 'failed' || payment.state === 'unknown' ? payment.state : 'pending';
}
