import { and, eq, gte, lt } from 'drizzle-orm';
import { idsUnder, movedId } from '../access/clients/own-clients.ts';
import type { Tx } from '../platform/database/database.ts';
import { walletAddresses } from '../wallet-addresses/tables.ts';
import { incomingPayments, outgoingPayments, quotes } from './tables.ts';

/** Gives the payments and quotes of clients under one origin to the same clients under another. */
export async function movePayments(tx: Tx, origin: string, current: string): Promise<void> {
  const { from, to } = idsUnder(origin);
  // One wallet address at a time, because the indexes of what a client created begin with the wallet address.
  for (const { id } of await tx.select({ id: walletAddresses.id }).from(walletAddresses)) {
    for (const table of [incomingPayments, outgoingPayments, quotes]) {
      await tx
        .update(table)
        .set({ client: movedId(table.client, origin, current) })
        .where(and(eq(table.walletAddressId, id), gte(table.client, from), lt(table.client, to)));
    }
  }
}
