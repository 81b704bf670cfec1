import { asc, gt, inArray } from 'drizzle-orm';
import { accountId } from '../ledger/ledger.ts';
import { type PaymentSum, paymentSums } from '../ledger/payment-sums.ts';
import { incomingPayments, outgoingPayments } from '../payments/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { exactSum } from '../platform/database/exact-sum.ts';
import { amountsOf, type Compared, lastOf, PAYMENTS, wrong } from './payment-rules.ts';

type Incoming = typeof incomingPayments.$inferSelect;

/**
 * Tells whether an incoming payment has got what its transfers brought from peers, and what payments of this node
 * delivered to it. It may be more than the payment asked for: version 0.1.0 took up to a hundredth more.
 */
function isRightIncoming({ received, walletAddressId }: Incoming, fromPeers: readonly PaymentSum[], fromHere: bigint): boolean {
  const customer = accountId('customer', walletAddressId);
  const brought = fromPeers.filter(({ state, creditAccountId }) => state === 'posted' && creditAccountId === customer);
  return received === amountsOf(brought) + fromHere;
}

/** Compares the incoming payments after `after`. The reader must see one state of the books. */
export async function checkIncoming(reader: Reader, after: string): Promise<Compared> {
  const rows = await reader
    .select()
    .from(incomingPayments)
    .where(gt(incomingPayments.id, after))
    .orderBy(asc(incomingPayments.id))
    .limit(PAYMENTS);
  const ids = rows.map(({ id }) => id);
  const transfers = Map.groupBy(await paymentSums(reader, ids), ({ paymentId }) => paymentId ?? '');
  const fromHere = await deliveredHere(reader, ids);
  const isRight = (row: Incoming) => isRightIncoming(row, transfers.get(row.id) ?? [], fromHere.get(row.id) ?? 0n);
  return { findings: rows.filter((row) => !isRight(row)).map(wrong), last: lastOf(rows) };
}

/** What payments of this node have delivered to incoming payments. One of them can have millions of payers. */
async function deliveredHere(reader: Reader, ids: string[]): Promise<Map<string | null, bigint>> {
  const { receiverId, delivered } = outgoingPayments;
  const rows = await reader
    .select({ receiverId, sum: exactSum(delivered) })
    .from(outgoingPayments)
    .where(inArray(receiverId, ids))
    .groupBy(receiverId);
  return new Map(rows.map((row) => [row.receiverId, row.sum]));
}
