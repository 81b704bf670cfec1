import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** The keys that STREAM derives from a shared secret (RFC 29 §5.1.2 and §6). */
interface StreamKeys {
  readonly encryption: KeyObject;
  readonly fulfilment: KeyObject;
}

/** The keys of secrets in use. Both ends of a payment within this node have the same secret, for all its packets. */
const known = new WeakMap<Buffer, StreamKeys>();

/**
 * Derives the keys of a shared secret, whose bytes must not change. They are key objects, because Node takes four to
 * six times as long with raw bytes (protocol-notes.md#PN-33).
 */
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
