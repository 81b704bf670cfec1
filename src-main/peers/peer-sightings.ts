import type { Clock } from '../platform/clock.ts';

/** What is known of a peer's being there since this node started. */
export interface Sighting {
  /** When it last sent a packet or answered one, in milliseconds since the epoch. */
  readonly lastSeenAt: number | null;
  /** Why it could not be reached the last time, in words; null when the last packet was answered. */
  readonly lastProblem: string | null;
}

const NEVER: Sighting = { lastSeenAt: null, lastProblem: null };

/** When each peer was last seen. In memory: a stored time would be a write for each packet. */
export class PeerSightings {
  readonly #clock: Clock;
  readonly #byPeer = new Map<string, Sighting>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(peerId: string): Sighting {
    return this.#byPeer.get(peerId) ?? NEVER;
  }

  /** It has sent a packet, which says nothing about the way to it. */
  sent(peerId: string): void {
    this.#byPeer.set(peerId, { ...this.of(peerId), lastSeenAt: this.#clock.now() });
  }

  /** It has answered one. */
  answered(peerId: string): void {
    this.#byPeer.set(peerId, { lastSeenAt: this.#clock.now(), lastProblem: null });
  }

  /** It could not be reached, or has answered nothing of use. `words`: a sentence for the operator, with nothing from outside in it. */
  failed(peerId: string, words: string): void {
    this.#byPeer.set(peerId, { ...this.of(peerId), lastProblem: words });
  }
}
