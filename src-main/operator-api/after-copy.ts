import type { Tx } from '../platform/database/database.ts';
import { operatorLinks, operatorSessions } from './tables.ts';

/** Signs every browser out; the token for scripts is the data folder's and stays. Part of a write. */
export async function endSessions(tx: Tx): Promise<void> {
  await tx.delete(operatorSessions);
  await tx.delete(operatorLinks);
}
