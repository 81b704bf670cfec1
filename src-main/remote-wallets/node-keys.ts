import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { NodeSecrets } from '../platform/secrets/node-secrets.ts';

/** The public half, as `jwks.json` publishes it. */
interface NodeJwk {
  kid: string;
  kty: 'OKP';
  crv: 'Ed25519';
  alg: 'EdDSA';
  use: 'sig';
  /** The 32 bytes as base64url. */
  x: string;
}

/** The key with which the node itself signs in the name of one of its wallet addresses. */
export interface NodeKey {
  jwk: NodeJwk;
  /** SHA-256 (base64url) of the key, as RFC 7638 defines it. */
  thumbprint: string;
  /** It stays in the process. */
  privateKey: KeyObject;
}

/** The PKCS #8 wrapping of an Ed25519 seed (RFC 8410 §7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * One key for each own wallet address, derived from the node's secret. Nothing is stored, every start finds the same
 * key, and nobody can revoke it by mistake. Its id begins with `paydesk-` and holds its thumbprint, so another node key
 * never has the same id.
 */
export class NodeKeys {
  readonly #secrets: Pick<NodeSecrets, 'derive'>;
  readonly #known = new Map<string, NodeKey>();

  constructor(secrets: Pick<NodeSecrets, 'derive'>) {
    this.#secrets = secrets;
  }

  of(walletAddressId: string): NodeKey {
    const known = this.#known.get(walletAddressId);
    if (known !== undefined) return known;
    const key = keyFrom(this.#secrets.derive(`client-key/${walletAddressId}`));
    this.#known.set(walletAddressId, key);
    return key;
  }
}

function keyFrom(seed: Buffer): NodeKey {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const x = String(createPublicKey(privateKey).export({ format: 'jwk' }).x);
  const thumbprint = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
  return { jwk: { kid: `paydesk-${thumbprint}`, kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', x }, thumbprint, privateKey };
}
