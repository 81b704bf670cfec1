import type { Tx } from '../platform/database/database.ts';
import { remoteGrants } from './tables.ts';

/**
 * Forgets the grants that this node has elsewhere. The node asks for new ones, with the keys it has then. Part of a
 * write.
 */
export async function forgetRemoteGrants(tx: Tx): Promise<void> {
  await tx.delete(remoteGrants);
}
