import type { Tx } from '../platform/database/database.ts';
import { operatorLinks, operatorSessions } from './tables.ts';

/** Signs every browser out, as part of a write. The token for scripts belongs to the data folder and stays. */
export async function endSessions(tx: Tx): Promise<void> {
  await tx.delete(operatorSessions);
  await tx.delete(operatorLinks);
}
