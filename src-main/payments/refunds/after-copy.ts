import { and, notInArray } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import { walletAddresses } from '../../wallet-addresses/tables.ts';
import { isPending, refunds } from './tables.ts';

/**
 * Called when the books were put back from a copy. A refund to another wallet that waited in the copy may have been
 * paid since, and nobody here knows. It is not tried again, and it counts as if all of it had left. A refund to an
 * account of this node goes on, because both its ends are in the copy. Part of a write.
 */
export async function doubtRefunds(tx: Tx, at: number): Promise<void> {
  const elsewhere = notInArray(refunds.payer, tx.select({ id: walletAddresses.id }).from(walletAddresses));
  await tx.update(refunds).set({ state: 'doubted', holder: null, updatedAt: at }).where(and(isPending, elsewhere));
}
