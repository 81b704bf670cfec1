import { createHmac, hash } from 'node:crypto';
import type { IlpErrorCode, IlpFulfill } from 'ilp-packet';
import { type Frame, IlpPacketType, Packet } from 'ilp-protocol-stream/dist/src/packet.js';
import type { Asset } from '../../src-shared/amounts.ts';
import { PacketConnection } from './packet-connection.ts';
import { decryptPacket, encryptFor, toBigint } from './stream-answers.ts';
import { type OpenedReceiver, type ReceiverCredentials, StreamCredentials } from './stream-credentials.ts';
import { streamKeys } from './stream-keys.ts';

/** The part of a PREPARE that reaches its receiver. */
export interface ArrivingPacket {
  readonly destination: string;
  /** Smallest units of the receiver's asset, unsigned 64-bit. */
  readonly amount: bigint;
  readonly executionCondition: Buffer;
  readonly expiresAt: Date;
  readonly data: Buffer;
}

/** What a connector needs of the receivers below its own address. */
export interface PacketReceivers {
  /**
   * Finds the receiver that an address names. It says nothing about the payment's state.
   * @returns undefined when no receiver of this node has that address.
   */
  open(destination: string): OpenedReceiver | undefined;
  /**
   * Lets STREAM answer a packet.
   * @throws an error that may carry `ilpErrorCode` and `ilpErrorData`, when the packet is to be rejected.
   */
  receive(receiver: OpenedReceiver, packet: ArrivingPacket): Promise<IlpFulfill>;
}

/**
 * The STREAM receivers of all incoming payments of this node, one per address (RFC 29). They keep nothing between
 * packets: each packet is a connection of its own (decisions.md#D-328). So nothing leaks, a restart forgets nothing,
 * and two payers of one payment do not disturb each other's streams. The limits of a payment stand in the ledger, which
 * decides after STREAM and is the only one to count.
 */
export class StreamReceivers implements PacketReceivers {
  readonly #credentials: StreamCredentials;

  /** @param secret 32 bytes, the node's; see {@link StreamCredentials}. */
  constructor({ secret, nodeAddress }: { secret: Buffer; nodeAddress: string }) {
    this.#credentials = new StreamCredentials(secret, nodeAddress);
  }

  /**
   * Gives the address and shared secret of an incoming payment. They are always the same for the same payment and
   * asset.
   */
  credentials(incomingPaymentId: string, asset: Asset): Promise<ReceiverCredentials> {
    return Promise.resolve(this.#credentials.issue(incomingPaymentId, asset));
  }

  open(destination: string): OpenedReceiver | undefined {
    return this.#credentials.open(destination);
  }

  async receive(receiver: OpenedReceiver, packet: ArrivingPacket): Promise<IlpFulfill> {
    return answer(receiver, packet);
  }
}

/**
 * Answers one packet as the receiving end of STREAM. It takes any amount: the ledger sets the limit.
 * @returns the fulfilment, and what only the sender can read: how much has arrived, and what the receiver has to say.
 * @throws with `ilpErrorCode` F06 when the sender does not have the receiver's secret (RFC 29 §4.2). With F99, and the
 * same for the sender in `ilpErrorData`, when the packet brings less than its sender asks for, cannot be fulfilled, or
 * breaks a rule of STREAM. Without a code when its money cannot be divided.
 */
function answer({ asset, sharedSecret }: OpenedReceiver, { amount, executionCondition, data }: ArrivingPacket): IlpFulfill {
  const request = decryptPacket(data, sharedSecret);
  if (request?.ilpPacketType !== IlpPacketType.Prepare) throw rejection('F06');
  const tell = (kind: Packet['ilpPacketType'], frames: Frame[]): Buffer =>
    encryptFor(sharedSecret, new Packet(request.sequence, kind, amount.toString(), frames)._serialize());
  const connection = new PacketConnection(asset, request.frames);
  const refusal = (): Error => rejection('F99', tell(IlpPacketType.Reject, connection.rejecting));
  if (!connection.heed() || toBigint(request.prepareAmount) > amount) throw refusal();
  const fulfillment = createHmac('sha256', streamKeys(sharedSecret).fulfilment).update(data).digest();
  if (!hash('sha256', fulfillment, 'buffer').equals(executionCondition)) throw refusal();
  if (!connection.divide(amount)) throw refusal();
  return { fulfillment, data: tell(IlpPacketType.Fulfill, connection.fulfilling) };
}

/** An error by which the connector rejects a packet. */
const rejection = (ilpErrorCode: IlpErrorCode, ilpErrorData?: Buffer): Error =>
  Object.assign(new Error('rejected by STREAM'), { ilpErrorCode, ilpErrorData });
