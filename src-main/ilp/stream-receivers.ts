import { type IlpFulfill, serializeIlpReject } from 'ilp-packet';
import type { Asset } from '../../src-shared/amounts.ts';
import { ENCRYPTION_OVERHEAD } from './stream-answers.ts';
import { type OpenedReceiver, type ReceiverCredentials, StreamCredentials } from './stream-credentials.ts';
import { ignore, ShimmedConnection } from './stream-shims.ts';

/** The part of a PREPARE that reaches its receiver. */
interface ArrivingPacket {
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

const NO_DATA = Buffer.alloc(0);

/**
 * The STREAM receivers of all incoming payments of this node, one per address (RFC 29). They keep nothing between
 * packets: each packet gets a connection of the library, which is let go with the answer. So nothing leaks, a restart
 * forgets nothing, and two payers of one payment do not disturb each other's streams. The limits of a payment stand in
 * the ledger, which decides after STREAM and is the only one to count.
 */
export class StreamReceivers implements PacketReceivers {
  readonly #nodeAddress: string;
  readonly #credentials: StreamCredentials;

  /** @param secret 32 bytes, the node's; see {@link StreamCredentials}. */
  constructor({ secret, nodeAddress }: { secret: Buffer; nodeAddress: string }) {
    this.#nodeAddress = nodeAddress;
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
    // Nobody can have encrypted so short a text. Node would accept a cut authentication tag, with a deprecation
    // warning.
    if (packet.data.length <= ENCRYPTION_OVERHEAD) throw Object.assign(new Error('not a STREAM packet'), { ilpErrorCode: 'F06' });
    const connection = new ReceiverConnection(receiver, this.#nodeAddress);
    return connection.handlePrepare({ ...packet, amount: packet.amount.toString() });
  }
}

/**
 * A client may open the STREAM ids 1 and 3 in one packet. Each stream costs an object, so a packet must not ask for
 * thousands.
 */
const MAX_REMOTE_STREAMS = 2;

/**
 * The receiving end of a STREAM connection, for the length of one packet. It takes any amount: the ledger sets the
 * limit.
 */
class ReceiverConnection extends ShimmedConnection {
  constructor({ asset, sharedSecret }: OpenedReceiver, nodeAddress: string) {
    super({
      ...asset,
      connectionId: 'receiver',
      plugin: silentPlugin,
      sourceAccount: nodeAddress,
      isServer: true,
      sharedSecret,
      maxRemoteStreams: MAX_REMOTE_STREAMS,
    });
    this.on('stream', (stream) => {
      stream.on('error', ignore);
      stream.setReceiveMax(ANY_AMOUNT);
    });
  }

  /**
   * A receiver has nothing to send. The library's own loop would send control packets, and probes of 1 to 10^12 units
   * to learn a rate.
   */
  protected override startSendLoop(): Promise<void> {
    this.safeEmit('_send_loop_finished');
    return Promise.resolve();
  }
}

/** The largest unsigned 64-bit integer. */
const ANY_AMOUNT = '18446744073709551615';

const SILENCE = serializeIlpReject({ code: 'F99', triggeredBy: '', message: '', data: NO_DATA });

/**
 * The plugin for an end that sends nothing. Should the library try to send, an empty F99 is the answer that has no
 * consequence.
 */
const silentPlugin = {
  connect: () => Promise.resolve(),
  disconnect: () => Promise.resolve(),
  isConnected: () => true,
  sendData: () => Promise.resolve(SILENCE),
  registerDataHandler: ignore,
  deregisterDataHandler: ignore,
};
