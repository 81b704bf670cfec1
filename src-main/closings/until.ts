import { eq, inArray } from 'drizzle-orm';
import { type Movement, movementsOfPayments, sidesOf } from '../ledger/boundary.ts';
import { inParts } from '../ledger/in-parts.ts';
import { refunds } from '../payments/refunds/tables.ts';
import { incomingPayments, outgoingPayments } from '../payments/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { exactSum } from '../platform/database/exact-sum.ts';
import type { Gathered } from './gathered.ts';
import type { Until } from './sale.ts';
import { noPause, ROWS_AT_ONCE } from './steps.ts';

/**
 * Reads how far the sales are now whose shares do not follow from the movements.
 * @param start the number behind which the period begins
 */
export async function readUntil(reader: Reader, gathered: Gathered, start: bigint, pause = noPause): Promise<Until> {
  const [received, refunded, came] = [new Map<string, bigint>(), new Map<string, bigint>(), new Map<string, bigint>()];
  for (const some of inParts(gathered.touched(), ROWS_AT_ONCE)) {
    const ids = some.filter((id) => (gathered.sales.get(id) ?? gathered.givenBack.get(id))?.bill !== undefined);
    await pause();
    if (ids.length === 0) continue;
    const payments = reader.select({ id: incomingPayments.id, received: incomingPayments.received }).from(incomingPayments);
    for (const row of await payments.where(inArray(incomingPayments.id, ids))) received.set(row.id, row.received);
    const givenBack = reader
      .select({ id: refunds.incomingPaymentId, sent: exactSum(outgoingPayments.sent) })
      .from(refunds)
      .innerJoin(outgoingPayments, eq(outgoingPayments.id, refunds.outgoingPaymentId))
      .where(inArray(refunds.incomingPaymentId, ids))
      .groupBy(refunds.incomingPaymentId);
    for (const row of await givenBack) refunded.set(row.id, row.sent);
    const back = ids.filter((id) => refunded.has(id));
    for (const [id, amount] of await cameSince(reader, back, start)) came.set(id, amount);
  }
  return { received, refunded, came };
}

/** What came of sales behind a number of the ledger, in smallest units. */
async function cameSince(reader: Reader, sales: readonly string[], start: bigint): Promise<ReadonlyMap<string, bigint>> {
  const sums = new Map(sales.map((id) => [id, 0n]));
  if (sales.length === 0) return sums;
  const { id, receiverId } = outgoingPayments;
  const paying = await reader
    .select({ id, receiverId })
    .from(outgoingPayments)
    .where(inArray(receiverId, [...sales]));
  const saleOf = new Map([...sales.map((id) => [id, id] as const), ...paying.map((row) => [row.id, row.receiverId ?? ''] as const)]);
  const isIn = ({ number }: Movement) => number === null || number > start;
  for (const some of inParts(saleOf.keys(), ROWS_AT_ONCE)) {
    for (const row of await movementsOfPayments(reader, some)) {
      const sale = saleOf.get(row.paymentId ?? '');
      if (sale !== undefined && isIn(row) && sidesOf(row).to !== undefined) sums.set(sale, (sums.get(sale) ?? 0n) + row.amount);
    }
  }
  return sums;
}
