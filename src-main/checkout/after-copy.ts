import type { Tx } from '../platform/database/database.ts';
import { checkouts, isUnderWay } from './tables.ts';

/**
 * Ends the attempts of visitors that were under way, because the node no longer knows what they agreed with their
 * wallets. Part of a write.
 */
export async function endCheckouts(tx: Tx, at: number): Promise<void> {
  await tx.update(checkouts).set({ state: 'failed', reason: 'interrupted', sealed: null, dueAt: null, updatedAt: at }).where(isUnderWay);
}
