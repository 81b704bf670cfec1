import type { Tx } from '../platform/database/database.ts';
import { remoteGrants } from './tables.ts';

/** Lets go of the grants this node has elsewhere: it asks anew, with the keys it has then. Part of a write. */
export async function forgetRemoteGrants(tx: Tx): Promise<void> {
  await tx.delete(remoteGrants);
}
