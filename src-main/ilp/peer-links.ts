import type { Asset } from '../../src-shared/amounts.ts';

/** The peer to which a packet goes whose address is not this node's. */
export interface PeerRoute {
  readonly peerId: string;
  /** The peer's ILP address. */
  readonly ilpAddress: string;
  /** The asset in which the amounts of packets to it are. */
  readonly asset: Asset;
  /** The most one packet to it may carry, in smallest units of `asset`. It is undefined when there is no limit. */
  readonly maxPacketAmount: bigint | undefined;
  /** Whether a packet without an answer may be sent again, byte for byte. */
  readonly deduplicates: boolean;
  /**
   * Whether the destination lies below the peer's own address, and not behind a further one. Then the receiver gets
   * what the peer gets.
   */
  readonly direct: boolean;
}

/** Knows which peer leads where. It answers from memory. */
export interface PeerRoutes {
  /**
   * Finds the peer with the longest prefix of `destination`, by whole segments (RFC 27). Of several with the same
   * prefix it takes the one whose asset comes first in `prefer`. Paused and removed peers are left out.
   */
  find(destination: string, prefer: readonly Asset[]): PeerRoute | undefined;
  /**
   * Whether a peer that the operator has paused would lead there. What is under way then waits until the peer goes on,
   * and does not end.
   */
  isPaused(destination: string): boolean;
}

/**
 * What came of handing a PREPARE to a peer.
 * - `answered`: the peer answered with a well-formed FULFILL or REJECT.
 * - `not_sent`: the packet certainly never reached the peer.
 * - `lost`: the packet may have reached the peer.
 *
 * `why` is a code for the log.
 */
export type LinkOutcome =
  | { readonly outcome: 'answered'; readonly reply: Buffer }
  | { readonly outcome: 'not_sent' | 'lost'; readonly why: string };

/** The connections to the peers. */
export interface PeerLinks {
  /** Hands over one PREPARE and waits for its answer until a little after `expiresAt`. It never throws. */
  send(peerId: string, prepare: Buffer, expiresAt: Date): Promise<LinkOutcome>;
}
