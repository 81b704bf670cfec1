import { eq } from 'drizzle-orm';
import type { Tx } from '../platform/database/database.ts';
import type { Seal } from '../platform/secrets/seal.ts';
import { peerAcceptances, peerInvitations } from './invitations/tables.ts';
import { peerRenewals, peers, sentPackets } from './tables.ts';

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
  for (const { id, peerId, ownToken, theirToken } of await tx.select().from(peerRenewals)) {
    const [own, their] = [ownToken, theirToken].map((sealed) => (sealed === null ? undefined : tokens.from.open(sealed, id)));
    const resealed = {
      ownToken: own === undefined ? '' : tokens.to.seal(own, id),
      theirToken: their === undefined ? null : tokens.to.seal(their, id),
    };
    await tx.update(peerRenewals).set(resealed).where(eq(peerRenewals.peerId, peerId));
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

/**
 * Ends the invitations that were given or accepted before the copy was made: nobody knows what has become of them, and
 * a code that was used since must not be used again. Part of a write.
 */
export async function endInvitations(tx: Tx): Promise<void> {
  await tx.update(peerInvitations).set({ state: 'cancelled' }).where(eq(peerInvitations.state, 'open'));
  await tx
    .update(peerAcceptances)
    .set({ state: 'failed', problem: 'cancelled', secret: '', outgoingToken: null })
    .where(eq(peerAcceptances.state, 'under_way'));
}

/** The same seal under two keys. */
export interface Reseal {
  readonly from: Seal;
  readonly to: Seal;
}
