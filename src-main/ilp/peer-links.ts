import type { Asset } from '../../src-shared/amounts.ts';

/** Where a packet for an address that is not this node's goes. */
export interface PeerRoute {
  readonly peerId: string;
  /** The peer's ILP address. */
  readonly ilpAddress: string;
  /** What amounts of packets to it are in. */
  readonly asset: Asset;
  /** The most one packet to it may carry. */
  readonly maxPacketAmount: bigint | undefined;
  /** Whether a packet without an answer may be sent again to the letter. */
  readonly deduplicates: boolean;
  /** The destination lies below the peer's own address, not behind a further one: what it gets, the receiver gets. */
  readonly direct: boolean;
}

/** Which peer leads where. Answers from memory. */
export interface PeerRoutes {
  /**
   * The peer with the longest prefix of `destination` (RFC 27: by whole segments); of those alike, the one whose asset comes first in
   * `prefer`. Paused and removed peers are left out.
   */
  find(destination: string, prefer: readonly Asset[]): PeerRoute | undefined;
  /** Whether a peer that the operator has paused would lead there: what is under way waits, and does not end, until it goes on. */
  isPaused(destination: string): boolean;
}

/**
 * What came of handing a PREPARE to a peer. `answered`: a well-formed FULFILL or REJECT. `not_sent`: it certainly never reached the peer.
 * `lost`: it may have. `why` is for the operator and the log, and holds nothing from outside.
 */
export type LinkOutcome =
  | { readonly outcome: 'answered'; readonly reply: Buffer }
  | { readonly outcome: 'not_sent' | 'lost'; readonly why: string };

/** The way to the peers. */
export interface PeerLinks {
  /** Hands one PREPARE over and waits for its answer until a little after `expiresAt`. Never throws. */
  send(peerId: string, prepare: Buffer, expiresAt: Date): Promise<LinkOutcome>;
}
