import { createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { z } from 'zod';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { isStrictPoint } from './ed25519-points.ts';

/** A client's public key as Open Payments publishes it (facts §4): Ed25519 only. Members it does not name are dropped. */
export const ClientJwk = z.object({
  /** What signatures name it by; printable ASCII, because `keyid` can hold nothing else. */
  kid: z.string().regex(/^[\x20-\x7e]{1,256}$/),
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  alg: z.literal('EdDSA'),
  use: z.literal('sig').optional(),
  /** The 32 bytes of the key as canonical base64url. */
  x: z.string().refine((text) => text.length === 43 && isStrictPoint(keyBytes(text)) && keyBytes(text).toString('base64url') === text),
});
export type ClientJwk = z.infer<typeof ClientJwk>;

/** A client's public key, ready to verify with. */
export interface ClientKey {
  readonly kid: string;
  /** RFC 7638 thumbprint (SHA-256, base64url): the same key under two ids has one. */
  readonly thumbprint: string;
  readonly publicKey: KeyObject;
}

/**
 * Reads a JWK from outside.
 * @returns the key with what to keep of the JWK, or `private_key` when the private half came with it: such a key is nobody's
 * secret any more.
 */
export async function readClientJwk(
  value: unknown,
): Promise<Result<{ jwk: ClientJwk; thumbprint: string }, 'invalid_key' | 'private_key'>> {
  if (typeof value === 'object' && value !== null && 'd' in value) return refuse('private_key');
  const parsed = ClientJwk.safeParse(value);
  if (!parsed.success) return refuse('invalid_key');
  return ok({ jwk: parsed.data, thumbprint: await calculateJwkThumbprint(parsed.data, 'sha256') });
}

const MAX_KEPT = 2_000;
const kept = new Map<string, KeyObject>();

/** The key of a JWK that {@link readClientJwk} has read, now or when it was stored. Importing costs as much as a third of a verification, so it is kept. */
export function clientKey(jwk: ClientJwk, thumbprint: string): ClientKey {
  let publicKey = kept.get(thumbprint);
  if (publicKey === undefined) {
    publicKey = createPublicKey({ format: 'jwk', key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x } });
    for (const oldest of kept.keys()) {
      if (kept.size < MAX_KEPT) break;
      kept.delete(oldest);
    }
    kept.set(thumbprint, publicKey);
  }
  return { kid: jwk.kid, thumbprint, publicKey };
}

const keyBytes = (text: string): Buffer => Buffer.from(text, 'base64url');
