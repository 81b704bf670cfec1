import { asc } from 'drizzle-orm';
import { type Asset, sameAsset } from '../../src-shared/amounts.ts';
import type { PeerRoute, PeerRoutes } from '../ilp/peer-links.ts';
import type { Core } from '../platform/core.ts';
import type { Seal } from '../platform/secrets/seal.ts';
import { OVERLAP_MS } from './peer-tokens.ts';
import { peerRenewals, peers } from './tables.ts';

/** A peer as the database has it. */
export type PeerRow = typeof peers.$inferSelect;

/** A peer with everything that packets need of it. */
export interface KnownPeer extends PeerRow {
  readonly asset: Asset;
  /** The bearer token that the peer wants. It is undefined when this node's key cannot open it. */
  readonly token: string | undefined;
  /**
   * The ids of removed peers with the same address and currency. They are the same node. So a packet that one of them
   * brought stays answered when its copy comes after the operator has added the peer again.
   */
  readonly formerIds: readonly string[];
}

interface Prefix {
  readonly prefix: string;
  readonly peer: KnownPeer;
  readonly direct: boolean;
}

/** A token that a peer may send. This node takes a former one until `endsAt`, by the monotonic clock. */
interface TakenToken {
  readonly peer: KnownPeer;
  readonly endsAt: number;
}

interface Parts extends Pick<Core, 'database' | 'clock'> {
  seal: Seal;
  /** This node's ILP address. */
  nodeAddress: string;
  /** Whether other processes change the peers as well. Without it none does. */
  hasOthers?: () => boolean;
}

/** The shortest time between two reads of the peers because of an unknown token, in milliseconds. */
const READ_AGAIN_MS = 1_000;

/**
 * The peers of this node in memory. So no packet waits for the database to learn where it goes or who sent it. Code
 * that changes a peer calls {@link reload} after the write and before it says that the change is done.
 */
export class PeerDirectory implements PeerRoutes {
  readonly #parts: Parts;
  #byId = new Map<string, KnownPeer>();
  #byTokenHash = new Map<string, TakenToken>();
  /** The longest prefix first; of equal prefixes the oldest peer first. */
  #prefixes: Prefix[] = [];
  #paused: Prefix[] = [];
  #loading: Promise<void> = Promise.resolve();
  #readAgainAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reads all peers anew. One reading follows the other, so that an older one never takes the place of a newer. */
  async reload(): Promise<void> {
    this.#loading = this.#loading.catch(() => undefined).then(() => this.#load());
    await this.#loading;
  }

  /** Whether there is a peer, paused ones included. */
  get any(): boolean {
    return this.#byId.size > 0;
  }

  /** Whether a peer leads to other nodes. */
  get connected(): boolean {
    return this.#prefixes.length > 0;
  }

  /** The ids of the peers that are not paused. */
  get active(): string[] {
    return [...new Set(this.#prefixes.map(({ peer }) => peer.id))];
  }

  /** The assets of the peers, one for each peer. */
  get assets(): Asset[] {
    return [...this.#byId.values()].map(({ asset }) => asset);
  }

  /** The currencies of the other peers with the ILP address of this one, which are the same node. */
  otherAssetsOf({ id, ilpAddress }: KnownPeer): Asset[] {
    return [...this.#byId.values()].filter((peer) => peer.id !== id && peer.ilpAddress === ilpAddress).map(({ asset }) => asset);
  }

  byId(id: string): KnownPeer | undefined {
    return this.#byId.get(id);
  }

  /**
   * Finds the peer that sends this token, by the token's hash. A look-up in a table of hashes tells nothing about how
   * near a guess came.
   */
  byTokenHash(hash: string): KnownPeer | undefined {
    const taken = this.#byTokenHash.get(hash);
    return taken !== undefined && this.#parts.clock.monotonic() < taken.endsAt ? taken.peer : undefined;
  }

  /**
   * Finds a peer as {@link byTokenHash} does, also by a token that another replica has stored a moment ago. A peer
   * believes a refusal, so a packet with a new token must not meet a replica that has not heard of it.
   */
  async findByTokenHash(hash: string): Promise<KnownPeer | undefined> {
    const known = this.byTokenHash(hash);
    const now = this.#parts.clock.monotonic();
    if (known !== undefined || this.#parts.hasOthers?.() !== true || now < this.#readAgainAt) return known;
    this.#readAgainAt = now + READ_AGAIN_MS;
    await this.reload();
    return this.byTokenHash(hash);
  }

  /**
   * The address for a peer that asks for one. Nothing leads there: this node carries no packets from one peer to
   * another (decisions.md#D-48).
   */
  addressBelow(peerId: string): string {
    return `${this.#parts.nodeAddress}.${peerId}`;
  }

  find(destination: string, prefer: readonly Asset[]): PeerRoute | undefined {
    const length = this.#prefixes.find(({ prefix }) => leadsTo(prefix, destination))?.prefix.length;
    if (length === undefined) return undefined;
    // All prefixes that match at one length are the same prefix, so only the asset can make a difference.
    const alike = this.#prefixes.filter(({ prefix }) => prefix.length === length && leadsTo(prefix, destination));
    const rank = (asset: Asset): number => {
      const place = prefer.findIndex((preferred) => sameAsset(preferred, asset));
      return place === -1 ? prefer.length : place;
    };
    const [best] = alike.sort((a, b) => rank(a.peer.asset) - rank(b.peer.asset));
    return best && toRoute(best);
  }

  isPaused(destination: string): boolean {
    return this.#paused.some(({ prefix }) => leadsTo(prefix, destination));
  }

  async #load(): Promise<void> {
    const rows = await this.#parts.database.read.select().from(peers).orderBy(asc(peers.createdAt), asc(peers.id));
    const removed = rows.filter(({ state }) => state === 'removed');
    const known = rows.filter(({ state }) => state !== 'removed').map((row) => this.#open(row, removed));
    const byId = new Map(known.map((peer) => [peer.id, peer]));
    this.#byTokenHash = await this.#tokensOf(byId);
    this.#byId = byId;
    const prefixesOf = (wanted: PeerRow['state']): Prefix[] =>
      known
        .filter(({ state }) => state === wanted)
        .flatMap((peer) => [
          { prefix: peer.ilpAddress, peer, direct: true },
          ...peer.routes.map((prefix) => ({ prefix, peer, direct: false })),
        ])
        .sort((a, b) => b.prefix.length - a.prefix.length);
    this.#prefixes = prefixesOf('active');
    this.#paused = prefixesOf('paused');
  }

  /**
   * The tokens that each peer may send. While tokens are renewed, those are the new and the former one
   * (decisions.md#D-163).
   */
  async #tokensOf(known: ReadonlyMap<string, KnownPeer>): Promise<Map<string, TakenToken>> {
    const tokens = new Map([...known.values()].map((peer) => [peer.incomingTokenHash, { peer, endsAt: Number.POSITIVE_INFINITY }]));
    for (const renewal of await this.#parts.database.read.select().from(peerRenewals)) {
      const peer = known.get(renewal.peerId);
      if (peer === undefined) continue;
      const { formerTokenHash, formerEndsAt, state, ownTokenHash } = renewal;
      if (formerTokenHash !== null && formerEndsAt !== null) {
        tokens.set(formerTokenHash, { peer, endsAt: this.#endOf(formerTokenHash, formerEndsAt) });
      }
      if (state !== 'done') tokens.set(ownTokenHash, { peer, endsAt: Number.POSITIVE_INFINITY });
    }
    return tokens;
  }

  /**
   * When a former token ends, by the monotonic clock. A clock that was ahead has stored a time too far away: the token
   * ends after its overlap all the same, however often the peers are read meanwhile.
   */
  #endOf(hash: string, storedEnd: number): number {
    const { clock } = this.#parts;
    const end = clock.monotonic() + Math.min(storedEnd - clock.now(), OVERLAP_MS);
    return Math.min(end, this.#byTokenHash.get(hash)?.endsAt ?? end);
  }

  #open(row: PeerRow, removed: readonly PeerRow[]): KnownPeer {
    const { assetCode, assetScale } = row;
    const former = removed.filter((other) => other.ilpAddress === row.ilpAddress && sameAsset(other, row));
    return {
      ...row,
      asset: { assetCode, assetScale },
      token: this.#parts.seal.open(row.outgoingToken, row.id),
      formerIds: former.map(({ id }) => id),
    };
  }
}

/** Compares by whole segments: `g.a` leads to `g.a` and `g.a.b`, not to `g.ab`. */
const leadsTo = (prefix: string, destination: string): boolean => destination === prefix || destination.startsWith(`${prefix}.`);

const toRoute = ({ peer, direct }: Prefix): PeerRoute => ({
  peerId: peer.id,
  ilpAddress: peer.ilpAddress,
  asset: peer.asset,
  maxPacketAmount: peer.maxPacketAmount ?? undefined,
  deduplicates: peer.deduplicates,
  direct,
});
