import { createPublicKey, type KeyObject } from 'node:crypto';

const MAX_KEPT = 2_000;
const kept = new Map<string, KeyObject>();

/**
 * A public key to verify with. Importing one costs as much as a third of a verification, so the latest keys are kept.
 * @param x the 32 bytes of a key that is a point, as canonical base64url.
 */
export function ed25519Key(x: string): KeyObject {
  let key = kept.get(x);
  if (key === undefined) {
    key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
    for (const oldest of kept.keys()) {
      if (kept.size < MAX_KEPT) break;
      kept.delete(oldest);
    }
    kept.set(x, key);
  }
  return key;
}
