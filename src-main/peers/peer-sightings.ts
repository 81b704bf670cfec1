import type { LinkProblemKind } from '../../src-shared/link-problems.ts';
import type { Clock } from '../platform/clock.ts';

/** What this node has seen of a peer since it started. */
export interface Sighting {
  /**
   * The last time that the peer sent a packet or answered one, in milliseconds since the Unix epoch. It is null when it
   * did neither.
   */
  readonly lastSeenAt: number | null;
  /** Why the peer gave no answer to the last packet. It is null when the peer answered. */
  readonly lastProblem: LinkProblemKind | null;
  /** The last ILP packet that the peer sent. It is null when it sent none. */
  readonly lastPacket: { readonly at: number; readonly destination: string } | null;
}

const NEVER: Sighting = { lastSeenAt: null, lastProblem: null, lastPacket: null };

/**
 * Remembers when the node last saw each peer. It is kept in memory, because a stored time would be a write for each
 * packet.
 */
export class PeerSightings {
  readonly #clock: Clock;
  readonly #byPeer = new Map<string, Sighting>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(peerId: string): Sighting {
    return this.#byPeer.get(peerId) ?? NEVER;
  }

  /** The peers that gave no answer to the last packet. */
  unanswered(): string[] {
    return [...this.#byPeer].flatMap(([peerId, { lastProblem }]) => (lastProblem === null ? [] : [peerId]));
  }

  /** Notes that the peer has sent a packet. That says nothing about the way to it. */
  sent(peerId: string): void {
    this.#byPeer.set(peerId, { ...this.of(peerId), lastSeenAt: this.#clock.now() });
  }

  /** Notes where an ILP packet of the peer was meant to go. */
  meant(peerId: string, destination: string): void {
    this.#byPeer.set(peerId, { ...this.of(peerId), lastPacket: { at: this.#clock.now(), destination } });
  }

  /** Notes that the peer has answered a packet. */
  answered(peerId: string): void {
    this.#byPeer.set(peerId, { ...this.of(peerId), lastSeenAt: this.#clock.now(), lastProblem: null });
  }

  /** Notes that the peer could not be reached, or has answered nothing of use. */
  failed(peerId: string, problem: LinkProblemKind): void {
    this.#byPeer.set(peerId, { ...this.of(peerId), lastProblem: problem });
  }
}
