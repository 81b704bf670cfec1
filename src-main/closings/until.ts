import { eq, inArray } from 'drizzle-orm';
import { inParts } from '../ledger/in-parts.ts';
import { refunds } from '../payments/refunds/tables.ts';
import { incomingPayments, outgoingPayments } from '../payments/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { exactSum } from '../platform/database/exact-sum.ts';
import type { Gathered } from './gathered.ts';
import type { Until } from './sale.ts';
import { noPause, ROWS_AT_ONCE } from './steps.ts';

/** Reads how far the sales are now whose shares do not follow from the movements. */
export async function readUntil(reader: Reader, gathered: Gathered, pause = noPause): Promise<Until> {
  const [received, refunded] = [new Map<string, bigint>(), new Map<string, bigint>()];
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
  }
  return { received, refunded };
}
