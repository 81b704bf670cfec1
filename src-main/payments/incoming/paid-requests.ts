import { and, count, eq, gt, gte, inArray, isNotNull } from 'drizzle-orm';
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

/**
 * How many incoming payments of each client money has come into. It reads every payment since then.
 * @param since those that were made before it do not count, in milliseconds since the Unix epoch.
 */
export async function paidByClients(reader: Reader, since: number): Promise<Map<string, number>> {
  const rows = await reader
    .select({ client: incomingPayments.client, paid: count() })
    .from(incomingPayments)
    .where(and(isNotNull(incomingPayments.client), gt(incomingPayments.received, 0n), gte(incomingPayments.createdAt, since)))
    .groupBy(incomingPayments.client);
  return new Map(rows.flatMap(({ client, paid }) => (client === null ? [] : [[client, Number(paid)] as const])));
}
