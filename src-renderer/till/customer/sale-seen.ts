import type { PaymentRequest } from '../../../src-shared/operator-contract/payments/payment-requests.ts';
import type { PaymentStatus } from '../../../src-shared/operator-contract/payments/payments.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import type { Seen } from './seen.ts';

/** How long the customer sees how a sale ended, in milliseconds. Nobody is to take it for the next sale. */
const END_SEEN_MS = 60_000;

function partOf({ amount, progress }: PaymentRequest) {
  if (amount === null || progress.value === 0n) return null;
  const missing = { ...amount, value: amount.value - progress.value };
  return { missing: amountText(missing), arrived: amountText(progress), whole: amountText(amount) };
}

/** A sale that waits, as the customer sees it: the code, and what is still missing. */
export function codeSeen(sale: PaymentRequest, isPartly: boolean): Seen {
  const { amount, progress, link, description, expiresAt } = sale;
  const part = isPartly ? partOf(sale) : null;
  return { kind: 'code', link, purpose: description, asked: part?.missing ?? amountText(amount ?? progress), part, ends: expiresAt };
}

/** A sale that has ended, as the customer sees it. Not even a page that is loaded again shows it for long. */
export function endSeen(sale: PaymentRequest, status: PaymentStatus): Seen {
  const { amount, progress, updatedAt, expiresAt } = sale;
  const endedAt = status === 'expired' && expiresAt !== null ? expiresAt : updatedAt;
  const isPaid = status === 'paid';
  return {
    kind: 'end',
    status,
    amount: amountText(isPaid ? progress : (amount ?? progress)),
    part: isPaid ? null : partOf(sale),
    ends: new Date(endedAt.getTime() + END_SEEN_MS),
  };
}
