import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Asset } from '../../src-shared/amounts.ts';
import { Recent } from '../platform/remembered.ts';
import { assertNodeAddress, assetSegment, parseReceiverAddress, receiverAddress } from './ilp-address.ts';

/** The credentials with which a payer sends to an incoming payment (Open Payments `methods`, RFC 29 §4.1). */
export interface ReceiverCredentials {
  readonly ilpAddress: string;
  /**
   * The 32 bytes of the secret. They are never logged or stored: everybody who has them can read and fulfil this
   * payment's packets.
   */
  readonly sharedSecret: Buffer;
}

/** The receiver on this node to which a packet's destination leads. */
export interface OpenedReceiver {
  readonly incomingPaymentId: string;
  readonly asset: Asset;
  readonly sharedSecret: Buffer;
}

const NONCE_BYTES = 18;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = IV_BYTES + TAG_BYTES;
/** The most payments whose credentials stay in memory; about 3 MB. */
const REMEMBERED = 8_192;

/**
 * Addresses and shared secrets of incoming payments (decisions.md#D-53). Nothing is stored. Both derive from the node's
 * secret, the payment's id and its asset, so every read of a payment answers the same, also after a restart. Token and
 * secret have the layout of `ilp-protocol-stream`, whose own server accepts them. Only the nonce and the IV, which are
 * random there, are derived here. They come from an HMAC of exactly what is encrypted, so that an IV never meets a
 * second plaintext.
 *
 * Payers read, poll and pay a payment soon after it was made, and deriving takes a sixth of a read. So the latest
 * credentials are remembered.
 */
export class StreamCredentials {
  readonly #nodeAddress: string;
  // On current Node, raw Buffer keys cost four times as much as key objects (protocol-notes.md#PN-33).
  readonly #tokenKey: KeyObject;
  readonly #secretKey: KeyObject;
  readonly #derivationKey: KeyObject;
  readonly #issued = new Recent<string, ReceiverCredentials>(REMEMBERED);
  /** The receivers by address. Only genuine addresses get here. */
  readonly #opened = new Recent<string, OpenedReceiver>(REMEMBERED);

  /**
   * @param secret 32 bytes.
   * @param nodeAddress the ILP address below which the node's receivers lie.
   */
  constructor(secret: Buffer, nodeAddress: string) {
    assertNodeAddress(nodeAddress);
    this.#nodeAddress = nodeAddress;
    this.#tokenKey = createSecretKey(secret);
    this.#secretKey = createSecretKey(hmac(this.#tokenKey, 'ilp_stream_shared_secret'));
    this.#derivationKey = createSecretKey(hmac(this.#tokenKey, 'paydesk/connection-token'));
  }

  /**
   * Gives out the address and the secret of an incoming payment.
   * @param incomingPaymentId ASCII, 1 to 127 characters.
   */
  issue(incomingPaymentId: string, asset: Asset): ReceiverCredentials {
    const key = `${assetSegment(asset)}/${incomingPaymentId}`;
    const known = this.#issued.get(key);
    if (known !== undefined) return known;
    const credentials = this.#make(incomingPaymentId, asset);
    this.#issued.set(key, credentials);
    this.#opened.set(credentials.ilpAddress, { incomingPaymentId, asset, sharedSecret: credentials.sharedSecret });
    return credentials;
  }

  /**
   * Finds the receiver that an address names. The payment may have ended since.
   * @returns undefined unless `address` is, to the letter, one that {@link issue} has given out.
   */
  open(address: string): OpenedReceiver | undefined {
    const known = this.#opened.get(address);
    if (known !== undefined) return known;
    const opened = this.#decipher(address);
    if (opened !== undefined) this.#opened.set(address, opened);
    return opened;
  }

  #make(incomingPaymentId: string, asset: Asset): ReceiverCredentials {
    const { nonce, iv } = this.#derive(incomingPaymentId, asset);
    const cipher = createCipheriv('aes-256-gcm', this.#tokenKey, iv);
    const encrypted = cipher.update(plaintext(nonce, incomingPaymentId));
    cipher.final();
    const token = Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
    return { ilpAddress: receiverAddress(this.#nodeAddress, asset, token), sharedSecret: this.#sharedSecret(token) };
  }

  #decipher(address: string): OpenedReceiver | undefined {
    const parsed = parseReceiverAddress(this.#nodeAddress, address);
    if (!parsed || parsed.token.length <= HEAD_BYTES) return undefined;
    const { asset, token } = parsed;
    const content = this.#decrypt(token);
    if (!content) return undefined;
    const length = content[NONCE_BYTES] ?? 0;
    const incomingPaymentId = content.toString('latin1', NONCE_BYTES + 1, NONCE_BYTES + 1 + length);
    const { nonce } = this.#derive(incomingPaymentId, asset);
    // The asset's segment is not encrypted. Deriving again finds a payer who has exchanged it for a cheaper one.
    if (!content.equals(plaintext(nonce, incomingPaymentId))) return undefined;
    return { incomingPaymentId, asset, sharedSecret: this.#sharedSecret(token) };
  }

  #decrypt(token: Buffer): Buffer | undefined {
    const decipher = createDecipheriv('aes-256-gcm', this.#tokenKey, token.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(token.subarray(IV_BYTES, HEAD_BYTES));
    const content = decipher.update(token.subarray(HEAD_BYTES));
    try {
      decipher.final();
    } catch {
      return undefined;
    }
    return content;
  }

  #derive(incomingPaymentId: string, asset: Asset): { nonce: Buffer; iv: Buffer } {
    const bytes = hmac(this.#derivationKey, `${assetSegment(asset)}/${incomingPaymentId}`);
    return { nonce: bytes.subarray(0, NONCE_BYTES), iv: bytes.subarray(NONCE_BYTES, NONCE_BYTES + IV_BYTES) };
  }

  #sharedSecret(token: Buffer): Buffer {
    return hmac(this.#secretKey, token);
  }
}

/**
 * Nonce, connection tag and two empty receipt fields. Each of the three has a length byte (`generateAddressAndSecret`
 * in the library).
 */
function plaintext(nonce: Buffer, tag: string): Buffer {
  const content = Buffer.alloc(NONCE_BYTES + 1 + tag.length + 2);
  nonce.copy(content);
  content[NONCE_BYTES] = tag.length;
  content.write(tag, NONCE_BYTES + 1, 'latin1');
  return content;
}

const hmac = (key: KeyObject, message: string | Buffer): Buffer => createHmac('sha256', key).update(message).digest();
