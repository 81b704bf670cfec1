import type { Tx } from '../../platform/database/database.ts';
import { claims, claimTries, isToDecide, isUnderWay, isUnended } from '../refunds/tables.ts';

/**
 * Called when the books were put back from a copy. A claim that was open in the copy may have been refunded since, and
 * nobody here knows. It is not carried on, and it counts as if all of it had left. Part of a write.
 */
export async function doubtClaims(tx: Tx, at: number): Promise<void> {
  const ended = { state: 'ended', sealed: null, dueAt: null, holder: null, updatedAt: at } as const;
  await tx.update(claimTries).set(ended).where(isUnderWay);
  await tx.update(claimTries).set(ended).where(isToDecide);
  await tx.update(claims).set({ state: 'doubted', updatedAt: at }).where(isUnended);
}
