import type { IlpPrepare } from 'ilp-packet';
import { type Asset, MAX_MOVED, sameAsset } from '../../src-shared/amounts.ts';
import type { Core } from '../platform/core.ts';
import { failPoint } from '../platform/fail-points.ts';
import { newId } from '../platform/ids.ts';
import { assertNodeAddress, isWithin } from './ilp-address.ts';
import { type AcceptPacket, amountTooLarge, type LocalOrigin, type Reply, refused, reject } from './packets.ts';
import type { PeerForwarder } from './peer-forwarder.ts';
import { parsePrepare, receiveChecked } from './receiving.ts';
import type { OpenedReceiver } from './stream-credentials.ts';
import type { PacketReceivers } from './stream-receivers.ts';

/** What a connector is made of. */
export interface ConnectorParts extends Pick<Core, 'clock' | 'log'> {
  /** The node's ILP address. Its receivers lie below it. */
  readonly nodeAddress: string;
  readonly receivers: PacketReceivers;
  readonly accept: AcceptPacket;
  /**
   * The most one packet may carry, in smallest units of the sender's asset. Without it a packet may carry whatever can
   * move.
   */
  readonly maxPacketAmount?: bigint | undefined;
  /** Takes the packets that are not for this node's own receivers. Without it there is no route to anywhere else. */
  readonly forwarder?: Pick<PeerForwarder, 'forward'> | undefined;
}

/**
 * The node's ILP connector (RFC 27). For each packet it parses, checks limits, routes, converts, lets the receiver
 * answer, checks the fulfilment, moves the money and answers. Whatever bytes come in, one well-formed FULFILL or REJECT
 * goes out. A FULFILL for money goes out only after the money has moved for good.
 */
export class Connector {
  readonly #parts: ConnectorParts;
  readonly #nodeAddress: string;
  readonly #maxPacketAmount: bigint;

  constructor(parts: ConnectorParts) {
    assertNodeAddress(parts.nodeAddress);
    this.#parts = parts;
    this.#nodeAddress = parts.nodeAddress;
    this.#maxPacketAmount = parts.maxPacketAmount ?? MAX_MOVED;
  }

  /** The most one packet may carry, in smallest units of the sender's asset. */
  get maxPacketAmount(): bigint {
    return this.#maxPacketAmount;
  }

  /** Answers one PREPARE. It never throws. */
  async handlePrepare(bytes: Buffer, origin: LocalOrigin): Promise<Reply> {
    try {
      return await this.#handle(bytes, origin);
    } catch (error) {
      const errorId = newId();
      this.#parts.log.error({ errorId, err: error, ...origin.sender }, 'packet failed');
      return this.#reject('T00', `internal error ${errorId}`);
    }
  }

  async #handle(bytes: Buffer, origin: LocalOrigin): Promise<Reply> {
    const prepare = parsePrepare(bytes);
    if (!prepare) return this.#reject('F01', 'not an ILP PREPARE');
    if (prepare.expiresAt.getTime() <= this.#parts.clock.now()) return this.#reject('R00', 'expired');
    const sourceAmount = BigInt(prepare.amount);
    if (sourceAmount > this.#maxPacketAmount) return amountTooLarge(this.#nodeAddress, sourceAmount, this.#maxPacketAmount);
    const { forwarder } = this.#parts;
    if (forwarder && !this.#isOwn(prepare.destination)) return await forwarder.forward({ prepare, sourceAmount }, origin);
    const receiver = this.#route(prepare.destination);
    if (!receiver) return this.#reject('F02', 'no route');
    const amount = convert(sourceAmount, origin, receiver.asset);
    if (amount === undefined || amount > MAX_MOVED) return this.#reject('F03', 'amount cannot be converted');
    return this.#deliver({ prepare, sourceAmount, amount }, receiver, origin);
  }

  /**
   * Whether a destination is this node or lies below it. The node's own address is the longest prefix of whatever lies
   * below it, so no peer can take such a destination over.
   */
  #isOwn(destination: string): boolean {
    return destination === this.#nodeAddress || isWithin(this.#nodeAddress, destination);
  }

  #route(destination: string): OpenedReceiver | undefined {
    return isWithin(this.#nodeAddress, destination) ? this.#parts.receivers.open(destination) : undefined;
  }

  async #deliver({ prepare, sourceAmount, amount }: RoutedPacket, receiver: OpenedReceiver, origin: LocalOrigin): Promise<Reply> {
    const { receivers } = this.#parts;
    const received = await receiveChecked({ nodeAddress: this.#nodeAddress, receivers, receiver, prepare, amount });
    if (!received.ok) return received.error;
    // The answer is complete before any money moves, because after that nothing may fail.
    const fulfilled = { fulfilled: true, bytes: received.value } as const;
    if (sourceAmount > 0n) {
      const { asset, incomingPaymentId } = receiver;
      const condition = prepare.executionCondition;
      const accepted = await this.#parts.accept({
        condition,
        sourceAmount,
        sourceAsset: origin.asset,
        amount,
        asset,
        incomingPaymentId,
        sender: origin.sender,
      });
      this.#trace(origin, { sourceAmount, amount, incomingPaymentId, answer: accepted.ok ? 'fulfil' : accepted.error });
      if (!accepted.ok) return refused(this.#nodeAddress, accepted.error);
      origin.conversion?.moved(sourceAmount);
      failPoint('before-fulfil');
    }
    return fulfilled;
  }

  /**
   * Logs one line for each packet that could move money. It never logs a destination, because the last part of it
   * belongs to the payer.
   */
  #trace({ sender }: LocalOrigin, { sourceAmount, amount, ...rest }: TracedPacket): void {
    const { log } = this.#parts;
    if (!log.isLevelEnabled('trace')) return;
    log.trace({ ...sender, ...rest, sourceAmount: sourceAmount.toString(), amount: amount.toString() }, 'packet');
  }

  #reject(code: string, message: string): Reply {
    return reject(this.#nodeAddress, code, message);
  }
}

interface RoutedPacket {
  readonly prepare: IlpPrepare;
  readonly sourceAmount: bigint;
  readonly amount: bigint;
}

interface TracedPacket {
  readonly sourceAmount: bigint;
  readonly amount: bigint;
  readonly incomingPaymentId: string;
  readonly answer: string;
}

/**
 * Converts the packet's amount into the receiver's asset, in smallest units.
 * @returns undefined when the assets differ and the payment brought no price.
 */
function convert(sourceAmount: bigint, { asset, conversion }: LocalOrigin, to: Asset): bigint | undefined {
  if (conversion) return conversion.arriving(sourceAmount);
  return sameAsset(asset, to) ? sourceAmount : undefined;
}
