import { and, asc, eq, gte, isNull, sql } from 'drizzle-orm';
import { incomingPayments, paymentRequests } from '../payments/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { receipts } from '../receipts/tables.ts';

/** The most sales that are looked at in one go. */
const AT_ONCE = 500;

/**
 * The sales at the till that were paid in full and have no receipt, the oldest first.
 * @param since when they were made at the earliest, in milliseconds since the Unix epoch.
 */
export async function salesWithoutReceipt(reader: Reader, since: number): Promise<string[]> {
  const sales = await reader
    .select({ id: paymentRequests.id, received: incomingPayments.received, asked: incomingPayments.incomingAmount })
    .from(paymentRequests)
    .innerJoin(incomingPayments, eq(incomingPayments.id, paymentRequests.id))
    .leftJoin(receipts, and(eq(receipts.kind, 'sale'), eq(receipts.subject, paymentRequests.id)))
    .where(
      and(
        eq(paymentRequests.madeAt, 'till'),
        gte(paymentRequests.createdAt, since),
        eq(incomingPayments.completed, true),
        sql`${incomingPayments.received} > 0`,
        isNull(receipts.subject),
      ),
    )
    .orderBy(asc(paymentRequests.createdAt), asc(paymentRequests.id))
    .limit(AT_ONCE);
  // A sale that was cancelled after a part of it was paid is for a person to look at.
  return sales.filter(({ received, asked }) => asked !== null && received >= asked).map(({ id }) => id);
}
