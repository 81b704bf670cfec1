import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';
import { Connection, DataAndMoneyStream } from 'ilp-protocol-stream';
import { replaceArithmetic } from './stream-arithmetic.ts';

// The library (2.7.1) assigns `closed` in its stream's constructor. Node has made it a read-only property of every
// stream, so without this line the first stream throws (protocol-notes.md#PN-31).
Object.defineProperty(DataAndMoneyStream.prototype, 'closed', { value: false, writable: true, configurable: true });

/** A listener for what needs no answer, or is answered elsewhere. */
export const ignore = (): void => undefined;

// The library's logger prints decrypted frames and fulfilments when the environment variable DEBUG asks for them. It
// also asks the terminal for its colours whenever a connection or stream is made, which takes a tenth of a payment's
// time. A silent logger in its place does neither.
const fromLibrary = createRequire(createRequire(import.meta.url).resolve('ilp-protocol-stream'));
const silentLogger = { info: ignore, warn: ignore, error: ignore, debug: ignore, trace: ignore };
Object.assign(fromLibrary('ilp-logger'), { default: () => silentLogger });

replaceArithmetic();

/** What the constructor of the library's connection takes. The library does not export the type. */
type ConnectionOptions = ConstructorParameters<typeof Connection>[0];

const UNUSED_KEY = Buffer.alloc(0);
// `RemoteState.Closed`, from an enum that the library does not export. Once it is set, the send loop starts no more.
const REMOTE_CLOSED = 2;

/**
 * The library's connection with the cures that its receiving end needs. The node sends without it
 * (decisions.md#D-351):
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

/** The keys that STREAM derives from a shared secret (RFC 29 §4.1). */
interface StreamKeys {
  readonly encryption: KeyObject;
  readonly fulfilment: KeyObject;
}

/** The keys of secrets in use. Both ends of a payment within this node have the same secret, for all its packets. */
const known = new WeakMap<Buffer, StreamKeys>();

/** Derives the keys of a shared secret, whose bytes must not change. */
export function streamKeys(sharedSecret: Buffer): StreamKeys {
  let keys = known.get(sharedSecret);
  if (keys === undefined) {
    const secret = createSecretKey(sharedSecret);
    const derive = (purpose: string): KeyObject => createSecretKey(createHmac('sha256', secret).update(purpose).digest());
    keys = { encryption: derive('ilp_stream_encryption'), fulfilment: derive('ilp_stream_fulfillment') };
    known.set(sharedSecret, keys);
  }
  return keys;
}
