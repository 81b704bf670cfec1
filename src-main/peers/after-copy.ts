import { eq } from 'drizzle-orm';
import type { Tx } from '../platform/database/database.ts';
import type { Seal } from '../platform/secrets/seal.ts';
import { peers, sentPackets } from './tables.ts';

/**
 * Seals with a new key the tokens that peers must be sent, and the secrets with which late answers are read. Part of a
 * write.
 */
export async function resealPeers(tx: Tx, tokens: Reseal, packets: Reseal): Promise<void> {
  for (const { id, outgoingToken } of await tx.select({ id: peers.id, outgoingToken: peers.outgoingToken }).from(peers)) {
    const token = tokens.from.open(outgoingToken, id);
    // A token that cannot be opened must be entered again by the operator. Until then packets to that peer are refused.
    if (token !== undefined)
      await tx
        .update(peers)
        .set({ outgoingToken: tokens.to.seal(token, id) })
        .where(eq(peers.id, id));
  }
  const open = tx
    .select({ condition: sentPackets.condition, sharedSecret: sentPackets.sharedSecret })
    .from(sentPackets)
    .where(eq(sentPackets.state, 'unknown'));
  for (const { condition, sharedSecret } of await open) {
    const secret = sharedSecret === null ? undefined : packets.from.open(sharedSecret, condition);
    const sealed = secret === undefined ? null : packets.to.seal(secret, condition);
    await tx.update(sentPackets).set({ sharedSecret: sealed }).where(eq(sentPackets.condition, condition));
  }
}

/** The same seal under two keys. */
export interface Reseal {
  readonly from: Seal;
  readonly to: Seal;
}
