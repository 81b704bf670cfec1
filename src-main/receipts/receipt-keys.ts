import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto';
import type { ReceiptKind } from '../../src-shared/receipts/receipt-content.ts';
import type { NodeSecrets } from '../platform/secrets/node-secrets.ts';

/** The PKCS #8 wrapping of an Ed25519 seed (RFC 8410 §7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
/** The secret part of a link has so many bytes: 192 bits. */
const LINK_BYTES = 24;
const JWS = /^([\w-]+)\.([\w-]+)\.([\w-]{86})$/;

/** The public half, as `/receipt/jwks.json` publishes it. */
export interface ReceiptJwk {
  kid: string;
  kty: 'OKP';
  crv: 'Ed25519';
  alg: 'EdDSA';
  use: 'sig';
  /** The 32 bytes as base64url. */
  x: string;
}

/**
 * The keys of the receipts. They are derived from the node's STREAM secret, the one secret that stays when books are
 * put back from a copy: receipts that were handed over stay signed, and their links go on leading to them
 * (decisions.md#D-255).
 */
export class ReceiptKeys {
  readonly jwk: ReceiptJwk;
  readonly #header: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #linkKey: Buffer;

  constructor({ stream }: Pick<NodeSecrets, 'stream'>) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', stream, Buffer.alloc(0), `paydesk/${purpose}`, 32));
    const der = Buffer.concat([PKCS8_HEAD, derive('receipt-key')]);
    this.#privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    this.#publicKey = createPublicKey(this.#privateKey);
    this.#linkKey = derive('receipt-links');
    const x = String(this.#publicKey.export({ format: 'jwk' }).x);
    const thumbprint = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
    this.jwk = { kid: `paydesk-receipts-${thumbprint}`, kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', x };
    this.#header = base64url(JSON.stringify({ alg: 'EdDSA', kid: this.jwk.kid, typ: 'paydesk-receipt+jws' }));
  }

  /** Signs a text at once: the write that numbers a receipt waits for nothing. @returns a compact JWS (RFC 7515). */
  sign(text: string): string {
    const signed = `${this.#header}.${base64url(text)}`;
    return `${signed}.${signBytes(null, Buffer.from(signed), this.#privateKey).toString('base64url')}`;
  }

  /** The text that was signed. It is undefined for everything that this node has not signed as a receipt. */
  open(jws: string): string | undefined {
    const [, header = '', payload = '', signature = ''] = JWS.exec(jws) ?? [];
    if (header !== this.#header) return undefined;
    const isSigned = verifyBytes(null, Buffer.from(`${header}.${payload}`), this.#publicKey, Buffer.from(signature, 'base64url'));
    return isSigned ? Buffer.from(payload, 'base64url').toString('utf8') : undefined;
  }

  /** The secret part of the link of a receipt. The same receipt always has the same one. */
  linkOf(kind: ReceiptKind, subject: string): string {
    return createHmac('sha256', this.#linkKey).update(`${kind}/${subject}`).digest().subarray(0, LINK_BYTES).toString('base64url');
  }
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** The hash by which the node finds a receipt from its link. */
export const linkHashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Whether a text can be the secret part of a link. */
export const isLinkSecret = (text: string): boolean => /^[\w-]{32}$/.test(text);
