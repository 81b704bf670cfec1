import { setDefaultHighWaterMark } from 'node:stream';
import { type IlpFulfill, serializeIlpReject } from 'ilp-packet';
import { Connection, DataAndMoneyStream } from 'ilp-protocol-stream';
import type { OpenedReceiver } from '../stream-credentials.ts';
import { streamKeys } from '../stream-keys.ts';
import type { ArrivingPacket, PacketReceivers } from '../stream-receivers.ts';
import { replaceArithmetic } from './stream-arithmetic.ts';

// The library (2.7.1) assigns `closed` in its stream's constructor. Node has made it a read-only property of every
// stream, so without this line the first stream throws (protocol-notes.md#PN-31).
Object.defineProperty(DataAndMoneyStream.prototype, 'closed', { value: false, writable: true, configurable: true });

/** A listener for what needs no answer, or is answered elsewhere. */
export const ignore = (): void => undefined;

replaceArithmetic();

// A stream of the library tells how many bytes it takes by the default of Node's streams, which was 16 KiB before
// Node 22.
setDefaultHighWaterMark(false, 65_536);

/** What the constructor of the library's connection takes. The library does not export the type. */
type ConnectionOptions = ConstructorParameters<typeof Connection>[0];

const UNUSED_KEY = Buffer.alloc(0);
// `RemoteState.Closed`, from an enum that the library does not export. Once it is set, the send loop starts no more.
const REMOTE_CLOSED = 2;

/**
 * The library's connection with the cures that it needs to answer one packet. The node itself uses none
 * (decisions.md#D-328):
 * - Keys are key objects, because Node takes four to six times as long with raw bytes (protocol-notes.md#PN-33).
 * - It sets no idle timer: nothing outlives the call that made the connection.
 * - It never speaks on its own when it ends. Closing a connection is a courtesy that costs a packet.
 * - An `error` event of a connection or stream ends nothing but itself. Without a listener a peer could end the
 *   process by closing its stream with an error message.
 */
export class ShimmedConnection extends Connection {
  constructor(options: Omit<ConnectionOptions, 'pskKey' | 'fulfillmentKey' | 'slippage' | 'exchangeRate'>) {
    super({ ...options, slippage: 0, pskKey: UNUSED_KEY, fulfillmentKey: UNUSED_KEY });
    const { encryption, fulfilment } = streamKeys(options.sharedSecret);
    // `assign`, because the library declares Buffers here and passes them unread to functions of Node that take both.
    Object.assign(this, { _pskKey: encryption, _fulfillmentKey: fulfilment });
    this.idleTimeout = 0;
    this.on('error', ignore);
    // Every close frame adds listeners, and a packet has room for thousands: Node would print a warning for each such
    // packet.
    this.setMaxListeners(0);
  }

  protected override sendConnectionClose(): Promise<void> {
    this.remoteState = REMOTE_CLOSED;
    return Promise.resolve();
  }
}

/** Lets a new connection of the library answer a packet: the reference for what the node's own receiver answers. */
export const libraryReceives: PacketReceivers['receive'] = (receiver: OpenedReceiver, packet: ArrivingPacket): Promise<IlpFulfill> =>
  new ReceiverConnection(receiver).handlePrepare({ ...packet, amount: packet.amount.toString() });

/** The receiving end of a connection of the library, for the length of one packet. It takes any amount. */
class ReceiverConnection extends ShimmedConnection {
  constructor({ asset, sharedSecret }: OpenedReceiver) {
    super({
      ...asset,
      connectionId: 'receiver',
      plugin: silentPlugin,
      sourceAccount: 'private.paydesk.test',
      isServer: true,
      sharedSecret,
      maxRemoteStreams: 2,
    });
    this.on('stream', (stream) => {
      stream.on('error', ignore);
      stream.setReceiveMax('18446744073709551615');
    });
  }

  /** The library's own loop would send control packets, and probes to learn a rate. */
  protected override startSendLoop(): Promise<void> {
    this.safeEmit('_send_loop_finished');
    return Promise.resolve();
  }
}

const SILENCE = serializeIlpReject({ code: 'F99', triggeredBy: '', message: '', data: Buffer.alloc(0) });

/** The plugin for an end that sends nothing. */
const silentPlugin = {
  connect: () => Promise.resolve(),
  disconnect: () => Promise.resolve(),
  isConnected: () => true,
  sendData: () => Promise.resolve(SILENCE),
  registerDataHandler: ignore,
  deregisterDataHandler: ignore,
};
