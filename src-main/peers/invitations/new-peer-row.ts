import { and, eq } from 'drizzle-orm';
import { type Asset, sameAsset } from '../../../src-shared/amounts.ts';
import { isWithin } from '../../ilp/ilp-address.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import type { PeerRow } from '../peer-directory.ts';
import { hashToken } from '../peer-tokens.ts';
import { isLivingPeer, peers } from '../tables.ts';

/** The URL that takes packets at a node with this public origin. */
export const endpointAt = (origin: string): string => `${origin}/ilp`;

interface Agreed extends Asset {
  id: string;
  name: string;
  origin: string;
  ilpAddress: string;
  /** The token that the peer wants, and the one that it will send. */
  outgoingToken: string;
  incomingToken: string;
  /** The most that this node may owe the peer, in smallest units: what the peer lets it owe. */
  debtLimit: bigint;
}

/** The peer that two nodes have agreed upon. Each side is a node of this kind, so it recognises repeated packets. */
export function agreedPeer(agreed: Agreed, seal: Seal, at: number): PeerRow {
  const { id, name, origin, ilpAddress, outgoingToken, incomingToken, debtLimit, assetCode, assetScale } = agreed;
  return {
    ...{ id, name, assetCode, assetScale, ilpAddress, debtLimit, state: 'active', routes: [], endpoint: endpointAt(origin) },
    outgoingToken: seal.seal(outgoingToken, id),
    incomingTokenHash: hashToken(incomingToken),
    ...{ inFlight: 0n, lastBroughtAt: null, maxPacketAmount: null, deduplicates: true, createdAt: at, updatedAt: at },
  };
}

/** Whether there is a peer at this origin in this currency already. Part of a write. */
export async function isPeerAt(tx: Tx, origin: string, asset: Asset): Promise<boolean> {
  const there = await tx
    .select()
    .from(peers)
    .where(and(isLivingPeer, eq(peers.endpoint, endpointAt(origin))));
  return there.some((peer) => sameAsset(peer, asset));
}

/**
 * Why the nodes cannot become peers. Nobody vouches for an ILP address that another node says of itself. So it must not
 * lead away packets for this node or for a peer that the operator has already, and must not be a whole scheme.
 */
export async function conflictOf(
  tx: Tx,
  peer: Pick<PeerRow, 'ilpAddress' | 'endpoint' | 'assetCode' | 'assetScale'>,
  nodeAddress: string,
): Promise<'already_peers' | 'address_taken' | undefined> {
  const { ilpAddress, endpoint } = peer;
  const known = await tx.select().from(peers).where(isLivingPeer);
  if (known.some((other) => other.endpoint === endpoint && sameAsset(other, peer))) return 'already_peers';
  const takesFrom = (other: string): boolean => other === ilpAddress || isWithin(other, ilpAddress) || isWithin(ilpAddress, other);
  const isElsewhere = known.some((other) => other.endpoint !== endpoint && takesFrom(other.ilpAddress));
  return isElsewhere || takesFrom(nodeAddress) ? 'address_taken' : undefined;
}
