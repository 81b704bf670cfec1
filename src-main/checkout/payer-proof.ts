import { and, eq, inArray, isNotNull, ne, or } from 'drizzle-orm';
import { type Amount, MAX_MOVED } from '../../src-shared/amounts.ts';
import { findIncomingPayment } from '../payments/incoming/incoming-payments.ts';
import { broughtFromHere, notePayer, payerNamed } from '../payments/refunds/payers.ts';
import type { Tx } from '../platform/database/database.ts';
import { exactSum } from '../platform/database/exact-sum.ts';
import type { Attempt } from './attempt-rows.ts';
import { checkouts } from './tables.ts';

/** The wallet was told to pay, and may have paid. A wallet that refused outright has not. */
const mayHavePaid = or(
  inArray(checkouts.state, ['paying', 'paid']),
  isNotNull(checkouts.outgoingPayment),
  inArray(checkouts.reason, ['not_arrived', 'payment_failed', 'interrupted']),
);

/**
 * Notes who paid, when a wallet that consented says that it has paid. Part of the write that ends the attempt.
 *
 * A wallet could say so when somebody else has paid. So no more counts than has come since that wallet was told, from
 * elsewhere, beyond all that other wallets which were told may have brought, and beyond what is proven already
 * (decisions.md#D-231).
 * @param paid what the wallet says that it took. It is noted where all that it was told to bring is proven
 * (decisions.md#D-289).
 */
export async function provePayer(tx: Tx, attempt: Attempt, paid: Amount | undefined, at: number): Promise<void> {
  const { incomingPaymentId, walletAddress, receivedBefore } = attempt;
  const payment = await findIncomingPayment(tx, incomingPaymentId);
  if (payment === undefined || receivedBefore === null) return;
  const [others] = await tx
    .select({ amount: exactSum(checkouts.amount) })
    .from(checkouts)
    .where(and(eq(checkouts.incomingPaymentId, incomingPaymentId), ne(checkouts.walletAddress, walletAddress), mayHavePaid))
    .groupBy(checkouts.incomingPaymentId);
  const proven = (await payerNamed(tx, incomingPaymentId, walletAddress))?.amount ?? 0n;
  const fromElsewhere = payment.received - (await broughtFromHere(tx, incomingPaymentId));
  const unclaimed = fromElsewhere - proven - (others?.amount ?? 0n);
  const amount = [attempt.amount, unclaimed, payment.received - receivedBefore].reduce((least, one) => (one < least ? one : least));
  const isWhole = amount === attempt.amount && paid !== undefined && paid.value > 0n && paid.value <= MAX_MOVED;
  if (amount > 0n) await notePayer(tx, { incomingPaymentId, payer: walletAddress, amount, paid: isWhole ? paid : null }, at);
}
