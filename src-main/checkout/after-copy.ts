import type { Tx } from '../platform/database/database.ts';
import { checkouts, isUnderWay } from './tables.ts';

/** Ends attempts of visitors that were under way: what they had agreed with their wallets is not known any more. Part of a write. */
export async function endCheckouts(tx: Tx, at: number): Promise<void> {
  await tx.update(checkouts).set({ state: 'failed', reason: 'interrupted', sealed: null, dueAt: null, updatedAt: at }).where(isUnderWay);
}
