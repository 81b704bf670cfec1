import { and, eq, inArray } from 'drizzle-orm';
import { paymentRequests } from '../../payments/tables.ts';
import type { Reader } from '../../platform/database/database.ts';

/** Which of these payments a till has made. */
export async function ownSales(reader: Reader, tillId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await reader
    .select({ id: paymentRequests.id })
    .from(paymentRequests)
    .where(and(eq(paymentRequests.tillId, tillId), inArray(paymentRequests.id, [...ids])));
  return new Set(rows.map(({ id }) => id));
}

/** Whether a till has made this payment. */
export const isOwnSale = async (reader: Reader, tillId: string, id: string): Promise<boolean> =>
  (await ownSales(reader, tillId, [id])).has(id);
