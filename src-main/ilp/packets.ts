import { type IlpErrorCode, serializeIlpReject } from 'ilp-packet';
import type { Asset } from '../../src-shared/amounts.ts';
import type { Result } from '../platform/result.ts';
import type { Conversion } from './conversion.ts';

/**
 * The attempt of an outgoing payment that sends. The connector hands it on unread. `attempt` is the worker's fencing
 * token.
 */
export interface SenderContext {
  readonly outgoingPaymentId: string;
  readonly attempt: number;
  /**
   * The amount that a receiver elsewhere had got from others when the attempt began, in smallest units of its asset. It
   * is undefined when nobody could say.
   */
  readonly receivedFromOthers?: bigint | undefined;
}

/** Money that a STREAM receiver of this node is ready to take from a sender on this node. */
export interface LocalPacket {
  /**
   * The packet's execution condition: 32 bytes, unique for each packet. Code that must not act twice uses it as its
   * key.
   */
  readonly condition: Buffer;
  /** The amount that leaves the sender, in smallest units of `sourceAsset`; at least 1. */
  readonly sourceAmount: bigint;
  readonly sourceAsset: Asset;
  /** The amount that arrives, in smallest units of `asset`. It can be 0 where `asset` is the coarser one. */
  readonly amount: bigint;
  /** The receiver's asset, as bound into its address. */
  readonly asset: Asset;
  readonly incomingPaymentId: string;
  readonly sender: SenderContext;
}

/**
 * Why a packet's money was not moved.
 * - `receiver_closed`: the incoming payment is completed or expired. Final.
 * - `unknown_payment`: there is no such incoming payment. Final.
 * - `over_amount`: the incoming payment does not take that much. Final.
 * - `sender_stopped`: the attempt is no longer the payment's, or the packet no longer the attempt's.
 * - `insufficient`: the ledger account that pays has too little. It may pass, because somebody can put money into an
 *   exchange account.
 * - `expired`: a peer's packet ran out of time while it waited to be written.
 * - `peer_stopped`: the operator has paused the peer, or given it another token, while its packet waited.
 * - `conversion_moved`: the rate has changed, or another packet of the payment came first. The packet can be converted
 *   again.
 */
export type AcceptRefusal =
  | 'receiver_closed'
  | 'unknown_payment'
  | 'over_amount'
  | 'sender_stopped'
  | 'insufficient'
  | 'expired'
  | 'peer_stopped'
  | 'conversion_moved';

/**
 * Why a packet for a peer ended without a fulfilment, when this node knows better than the code says.
 * - `no_route`: no peer leads there, or none whose currency fits.
 * - `peer_credit`: this node may not owe the peer that much.
 * - `insufficient`: the exchange account has too little.
 * - `sender_stopped`: the attempt is no longer the payment's.
 * - `peer_unreachable`: the packet certainly never reached the peer.
 * - `answer_lost`: the packet may have reached the peer; its money stays held.
 * - `bad_fulfilment`: the peer answered with a fulfilment that is not one.
 */
type ForwardRefusal =
  | 'no_route'
  | 'peer_credit'
  | 'insufficient'
  | 'sender_stopped'
  | 'peer_unreachable'
  | 'answer_lost'
  | 'bad_fulfilment';

/** The reason why this node itself ended a packet without a fulfilment. */
export type SendRefusal = AcceptRefusal | ForwardRefusal;

/**
 * Moves the money of one packet in ONE write. The connector calls it after the receiver has produced the fulfilment and
 * the connector has checked it against the condition, and before it hands back the FULFILL. It resolves to success only
 * when the move is durable. An error that it throws becomes a T00, so it must have moved nothing then.
 */
export type AcceptPacket = (packet: LocalPacket) => Promise<Result<void, AcceptRefusal>>;

/** The connector's answer to a PREPARE. `bytes` is always one well-formed FULFILL or REJECT (RFC 27). */
export type Reply = Fulfilled | Rejected;

/** The packet was fulfilled, and its whole amount has moved. */
interface Fulfilled {
  readonly fulfilled: true;
  readonly bytes: Buffer;
}

/** The packet was rejected. */
export interface Rejected {
  readonly fulfilled: false;
  /** A code of RFC 27. */
  readonly code: string;
  /** The reason, when this node refused the money itself. */
  readonly refusal?: SendRefusal;
  readonly bytes: Buffer;
}

/** The code from which a sender draws the right conclusion (RFC 27): F codes are final, T codes may pass. */
const REFUSAL_CODES = {
  receiver_closed: 'F02',
  unknown_payment: 'F02',
  over_amount: 'F07',
  sender_stopped: 'F00',
  insufficient: 'T04',
  expired: 'R00',
  peer_stopped: 'T03',
  conversion_moved: 'T00',
  no_route: 'F02',
  peer_credit: 'T04',
  peer_unreachable: 'T01',
  answer_lost: 'R00',
  bad_fulfilment: 'F05',
} as const satisfies Record<SendRefusal, IlpErrorCode>;

/** The most bytes the data of a packet may have (RFC 27). */
export const MAX_DATA_BYTES = 32767;

const NO_DATA = Buffer.alloc(0);

/**
 * Makes a REJECT that the node at `triggeredBy` triggered. `message` is for logs along the path and never holds
 * anything from outside.
 */
export function reject(triggeredBy: string, code: string, message: string, data: Buffer = NO_DATA): Rejected {
  return { fulfilled: false, code, bytes: serializeIlpReject({ code, triggeredBy, message, data }) };
}

/** Makes the REJECT for money that was refused, with the code from which a sender draws the right conclusion. */
export function refused(triggeredBy: string, refusal: SendRefusal): Rejected {
  return { ...reject(triggeredBy, REFUSAL_CODES[refusal], refusal), refusal };
}

/**
 * Makes an F08 with its data (RFC 27): what arrived here, and the most one packet may carry. Each is an unsigned 64-bit
 * integer.
 */
export function amountTooLarge(triggeredBy: string, received: bigint, maximum: bigint): Rejected {
  const data = Buffer.alloc(16);
  data.writeBigUInt64BE(received, 0);
  data.writeBigUInt64BE(maximum, 8);
  return reject(triggeredBy, 'F08', 'packet amount too large', data);
}

/** The origin of a packet: so far always a payment of this node. */
export interface LocalOrigin {
  readonly sender: SenderContext;
  readonly asset: Asset;
  /** It is absent when both ends have the same asset. */
  readonly conversion?: Conversion | undefined;
  /**
   * The receiver's asset, when it is known before the receiver's address is opened, because the receiver is elsewhere.
   * It is absent when it is the sender's own.
   */
  readonly receiveAsset?: Asset | undefined;
  /** The shared secret of the STREAM connection. It opens what a receiver elsewhere writes into its answers. */
  readonly sharedSecret?: Buffer | undefined;
  /**
   * The time by which a packet must have expired about which its peer cannot be asked again, in milliseconds since the
   * Unix epoch. The payer still needs time to look for it then.
   */
  readonly lastExpiryMs?: number | undefined;
}
