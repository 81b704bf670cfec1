import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { idsUnder } from '../access/clients/own-clients.ts';
import type { Tx } from '../platform/database/database.ts';
import { walletAddresses } from '../wallet-addresses/tables.ts';
import { incomingPayments, outgoingPayments, quotes } from './tables.ts';

/** Gives the payments and quotes of clients under one origin to the same clients under another. */
export async function movePayments(tx: Tx, origin: string, current: string): Promise<void> {
  const { from, to } = idsUnder(origin);
  const behind = BigInt(origin.length + 1);
  // One wallet address at a time, because the indexes of what a client created begin with the wallet address.
  for (const { id } of await tx.select({ id: walletAddresses.id }).from(walletAddresses)) {
    for (const table of [incomingPayments, outgoingPayments, quotes]) {
      await tx
        .update(table)
        .set({ client: sql`${current} || substr(${table.client}, ${behind})` })
        .where(and(eq(table.walletAddressId, id), gte(table.client, from), lt(table.client, to)));
    }
  }
}
