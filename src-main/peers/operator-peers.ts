import { type Asset, assetKey } from '../../src-shared/amounts.ts';
import type { PeerSteps, PeerTest } from '../../src-shared/operator-contract/peers.ts';
import { assetAddress } from '../ilp/ilp-address.ts';
import type { Core } from '../platform/core.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { connectionSteps } from './connection-steps.ts';
import type { HttpPeerLinks } from './http-peer-links.ts';
import type { PeerDirectory } from './peer-directory.ts';
import type { PeerRegistry, PeerWithAccount } from './peer-registry.ts';
import { type PeerSettlement, recordSettlement, type SettlementRefusal } from './peer-settlements.ts';
import type { PeerSightings, Sighting } from './peer-sightings.ts';
import { broughtAt } from './received-packets.ts';
import { testPeer, tryWay } from './try-peer.ts';

interface Parts extends Pick<Core, 'database' | 'clock'> {
  registry: PeerRegistry;
  directory: PeerDirectory;
  links: HttpPeerLinks;
  sightings: PeerSightings;
  nodeAddress: string;
}

/** Everything the operator does with peers. */
export class OperatorPeers {
  readonly registry: PeerRegistry;
  /** The ILP address by which other nodes know this node. */
  readonly nodeAddress: string;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.registry = parts.registry;
    this.nodeAddress = parts.nodeAddress;
    this.#parts = parts;
  }

  get any(): boolean {
    return this.#parts.directory.any;
  }

  /** Whether a peer leads to other nodes. */
  get connected(): boolean {
    return this.#parts.directory.connected;
  }

  /** Whether a peer at work answered the last packet, or got none yet. */
  get anyAnswers(): boolean {
    const { directory, sightings } = this.#parts;
    return directory.active.some((id) => sightings.of(id).lastProblem === null);
  }

  /**
   * The addresses of this node in these assets and in those of its peers, each asset once. Every receiver in an asset
   * lies below its address.
   */
  addressesFor(assets: readonly Asset[]): (Asset & { ilpAddress: string })[] {
    const all = new Map([...assets, ...this.#parts.directory.assets].map((asset) => [assetKey(asset), asset]));
    return [...all.values()].map(({ assetCode, assetScale }) => ({
      assetCode,
      assetScale,
      ilpAddress: assetAddress(this.nodeAddress, { assetCode, assetScale }),
    }));
  }

  /** The first peers, at most `limit`, that do not work as they should. */
  async troubled(limit: number): Promise<PeerWithAccount[]> {
    return await this.registry.troubled(this.#parts.sightings.unanswered(), limit);
  }

  /** Tells when the peer was last seen, since this node started. */
  sightingOf(peerId: string): Sighting {
    return this.#parts.sightings.of(peerId);
  }

  async settle(settlement: PeerSettlement): Promise<Result<PeerWithAccount, SettlementRefusal>> {
    return await recordSettlement(this.#parts, settlement);
  }

  /** Sends the peer a packet without money. A paused peer can be tested, too. */
  async test(peerId: string): Promise<Result<PeerTest, 'not_found'>> {
    const peer = this.#parts.directory.byId(peerId);
    return peer === undefined ? refuse('not_found') : ok(await testPeer(peer, this.#parts));
  }

  /** Sends the peer a packet without money, and says how far the connection has come. */
  async steps(peerId: string): Promise<Result<PeerSteps, 'not_found'>> {
    const peer = this.#parts.directory.byId(peerId);
    if (peer === undefined) return refuse('not_found');
    const tested = await tryWay(peer, this.#parts);
    const known = { sighting: this.#parts.sightings.of(peerId), broughtAt: await broughtAt(this.#parts.database.read, peerId) };
    return ok(connectionSteps(peer, tested, known, this.#parts));
  }

  /** Tries the way to a peer of this kind, which is known to recognise repetitions. */
  async tryWay(peerId: string): Promise<Result<PeerTest, 'not_found'>> {
    const peer = this.#parts.directory.byId(peerId);
    return peer === undefined ? refuse('not_found') : ok(await tryWay(peer, this.#parts));
  }
}
