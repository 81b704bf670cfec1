import { and, count, eq, gt, gte, inArray } from 'drizzle-orm';
import type { Reader } from '../../platform/database/database.ts';
import { walletAddresses } from '../../wallet-addresses/tables.ts';
import { incomingPayments } from '../tables.ts';

/**
 * Counts the incoming payments of a client into which money has come.
 * @param client the id of the client.
 * @param since those that were made before it do not count, in milliseconds since the Unix epoch.
 * @param most counting ends there, so that a question about a busy client costs no more.
 */
export async function countPaidRequests(reader: Reader, client: string, since: number, most: number): Promise<number> {
  const paid = reader
    .select({ id: incomingPayments.id })
    .from(incomingPayments)
    .where(
      and(
        // An index leads to the payments of a client into one wallet address.
        inArray(incomingPayments.walletAddressId, reader.select({ id: walletAddresses.id }).from(walletAddresses)),
        eq(incomingPayments.client, client),
        gte(incomingPayments.createdAt, since),
        gt(incomingPayments.received, 0n),
      ),
    )
    .limit(most)
    .as('paid');
  const [row] = await reader.select({ number: count() }).from(paid);
  return Number(row?.number ?? 0);
}
