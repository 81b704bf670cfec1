import { type Asset, sameAsset } from '../../../src-shared/amounts.ts';
import type { ReachProblem } from '../../../src-shared/attempt-failures.ts';
import type { Rates } from '../../exchange/rates.ts';
import type { PeerForwarder } from '../../ilp/peer-forwarder.ts';
import type { PeerRoute } from '../../ilp/peer-links.ts';
import type { Prober } from '../../ilp/prober.ts';
import type { PeerDirectory } from '../../peers/peer-directory.ts';
import type { PeerRegistry, PeerWithAccount } from '../../peers/peer-registry.ts';
import { hasBroughtMoney } from '../../peers/received-packets.ts';
import type { Core } from '../../platform/core.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { RemoteReceiver } from '../quotes/receivers.ts';

/** How long a packet may be under way. */
const PACKET_MS = 4_500;
/** The most that the packet carries that nobody can fulfil, in smallest units of the peer's asset. */
const AMOUNT = 1_000n;
/** How many peers are read at a time. */
const PEERS_AT_ONCE = 100;

/** An obstacle on the way, and the ILP code by which somebody on the way has told it. */
interface Obstacle {
  readonly problem: ReachProblem;
  readonly code?: string | undefined;
}

/** The node's knowledge of the way from a receiver elsewhere to one of its accounts. */
export type WayBack = { readonly state: 'missing'; readonly problem: ReachProblem } | { readonly state: 'good' | 'unknown' };

interface Parts extends Pick<Core, 'database' | 'clock'> {
  forwarder: Pick<PeerForwarder, 'route' | 'isPaused'>;
  prober: Pick<Prober, 'reaches'>;
  rates: Pick<Rates, 'rateBetween'>;
  directory: Pick<PeerDirectory, 'any' | 'connected'>;
  registry: Pick<PeerRegistry, 'get' | 'list'>;
}

/** Finds out whether packets find their way between this node and a receiver elsewhere. Nothing moves. */
export class PacketWays {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Sends the receiver a packet that nobody can fulfil. @param payer the currency of the account that would pay. */
  async out(receiver: RemoteReceiver, payer: Asset): Promise<Result<void, Obstacle>> {
    const { forwarder, clock, prober, rates } = this.#parts;
    const { ilpAddress: destinationAddress, sharedSecret } = receiver;
    const route = this.#route(receiver, payer);
    if (route === undefined) return refuse({ problem: forwarder.isPaused(destinationAddress) ? 'peer_paused' : 'no_common_way' });
    const exchanges = !sameAsset(route.asset, payer);
    if (exchanges && !(await rates.rateBetween(payer, route.asset)).ok) return refuse({ problem: 'no_rate' });
    if (await this.#oweAll(route)) return refuse({ problem: 'peer_limit' });
    const probe = { route, destinationAddress, sharedSecret, deadlineMs: clock.now() + PACKET_MS };
    const most = route.maxPacketAmount ?? AMOUNT;
    const first = await prober.reaches(probe, most < AMOUNT ? most : AMOUNT);
    // Somebody on the way takes only smaller packets.
    const reached = !first.ok && first.error.code === 'F08' ? await prober.reaches(probe, 1n) : first;
    return reached.ok ? ok(undefined) : refuse({ problem: problemOf(reached.error.code), code: reached.error.code });
  }

  /**
   * Tells what this node knows of the way back. Only a payment shows for certain that there is one. The node knows the
   * way where the receiver is at a peer itself, and that peer has brought money before.
   * @param payee the currency of the account that would be paid.
   */
  async back(receiver: RemoteReceiver, payee: Asset): Promise<WayBack> {
    const { database, rates, registry } = this.#parts;
    const none = await this.anyBack();
    if (none !== undefined) return { state: 'missing', problem: none };
    const route = this.#route(receiver, payee);
    if (route === undefined) return { state: 'unknown' };
    if (!sameAsset(route.asset, payee) && !(await rates.rateBetween(route.asset, payee)).ok)
      return { state: 'missing', problem: 'no_rate' };
    const peer = await registry.get(route.peerId);
    if (peer !== undefined && peerOwesAll(peer)) return { state: 'missing', problem: 'peer_limit' };
    return { state: route.direct && (await hasBroughtMoney(database.read, route.peerId)) ? 'good' : 'unknown' };
  }

  /** The reason why nobody elsewhere can pay this node at all. It is undefined while a peer may bring money. */
  async anyBack(): Promise<'peer_paused' | 'peer_limit' | 'no_common_way' | undefined> {
    const { directory, registry } = this.#parts;
    if (!directory.connected) return directory.any ? 'peer_paused' : 'no_common_way';
    let cursor: string | undefined;
    do {
      const { peers, nextCursor } = await registry.list({ cursor, limit: PEERS_AT_ONCE });
      if (peers.some((peer) => peer.row.state === 'active' && !peerOwesAll(peer))) return undefined;
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
    return 'peer_limit';
  }

  #route({ ilpAddress, asset: receiveAsset }: RemoteReceiver, { assetCode, assetScale }: Asset): PeerRoute | undefined {
    return this.#parts.forwarder.route(ilpAddress, { asset: { assetCode, assetScale }, receiveAsset });
  }

  /** Whether this node owes the next peer as much as it may. */
  async #oweAll({ peerId }: PeerRoute): Promise<boolean> {
    const peer = await this.#parts.registry.get(peerId);
    const limit = peer?.row.debtLimit ?? null;
    return peer !== undefined && limit !== null && peer.position + peer.row.inFlight >= limit;
  }
}

/** Whether a peer owes this node as much as it may, so that it cannot bring any more. */
const peerOwesAll = ({ position, creditLimit }: PeerWithAccount): boolean => position <= -creditLimit;

/** What a rejection on the way means. Without a code there was no answer. */
function problemOf(code: string | undefined): ReachProblem {
  switch (code) {
    case undefined:
      return 'peer_unreachable';
    case 'F02':
      return 'no_common_way';
    case 'T04':
      return 'peer_limit';
    default:
      return 'packet_refused';
  }
}
