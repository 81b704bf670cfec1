import { sql } from 'drizzle-orm';
import type { Tx } from '../platform/database/database.ts';
import { receiptBranch } from './tables.ts';

/**
 * Begins new series of receipts. The books were put back from a copy, and receipts may have been handed over after it
 * was made: their numbers must not come again (decisions.md#D-254).
 */
export async function beginNewSeries(tx: Tx): Promise<void> {
  await tx
    .insert(receiptBranch)
    .values({ id: 'branch', branch: 1 })
    .onConflictDoUpdate({ target: receiptBranch.id, set: { branch: sql`${receiptBranch.branch} + 1` } });
}
