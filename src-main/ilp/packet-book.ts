import type { Asset } from '../../src-shared/amounts.ts';
import type { Result } from '../platform/result.ts';
import type { SenderContext } from './packets.ts';

/** A packet with money that is about to leave for a peer. */
export interface LeavingPacket {
  /** Its execution condition: 32 bytes, unique for each packet. */
  readonly condition: Buffer;
  readonly peerId: string;
  readonly sender: SenderContext;
  /** What leaves the payer, in smallest units of `sourceAsset`; at least 1. */
  readonly sourceAmount: bigint;
  readonly sourceAsset: Asset;
  /** What the peer is to get, in smallest units of `peerAsset`. It can be 0 where `peerAsset` is the coarser asset. */
  readonly peerAmount: bigint;
  readonly peerAsset: Asset;
  /** The exact bytes of the PREPARE. */
  readonly prepare: Buffer;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
  /** Opens what the receiver says in its answer, which may come after a restart. */
  readonly sharedSecret: Buffer | undefined;
}

/** A packet whose outcome is not known yet, as it was stored before it left. */
export interface OpenPacket extends Pick<LeavingPacket, 'condition' | 'peerId' | 'prepare' | 'expiresAt' | 'sharedSecret'> {
  readonly deduplicates: boolean;
}

/**
 * Why a packet's money could not be held. `sender_stopped`: the attempt is no longer the payment's. `insufficient`: the
 * exchange account has too little. `peer_credit`: the node would owe the peer more than it may.
 */
export type HoldRefusal = 'sender_stopped' | 'peer_credit' | 'insufficient';

/** What the ledger keeps about packets to peers. Each call is one write, which is durable when the call resolves. */
export interface PacketBook {
  /** Stores the packet and sets its money aside. The packet's bytes may leave only after that. */
  hold(packet: LeavingPacket): Promise<Result<void, HoldRefusal>>;
  /**
   * Books that the fulfilment has come and is right: the money moves for good. A repetition does nothing.
   * @param delivered what the receiver says that it got, in smallest units of its asset. It is undefined when its
   * answer cannot be read; then the least that the price allows counts.
   */
  fulfilled(condition: Buffer, delivered: bigint | undefined): Promise<void>;
  /** Books that the packet will never be fulfilled: the money can be spent again. A repetition does nothing. */
  rejected(condition: Buffer, code: string): Promise<void>;
}
