import { calculateJwkThumbprint } from 'jose';
import { z } from '../../../src-shared/zod.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { isStrictPoint } from './ed25519-points.ts';

/**
 * A client's public key as Open Payments publishes it (protocol-notes.md#PN-15): Ed25519 only. Other members are
 * dropped.
 */
export const ClientJwk = z.object({
  /** The id by which signatures name the key. It is printable ASCII, because `keyid` can hold nothing else. */
  kid: z.string().regex(/^[\x20-\x7e]{1,256}$/),
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  alg: z.literal('EdDSA'),
  use: z.literal('sig').optional(),
  /** The 32 bytes of the key as canonical base64url. */
  x: z.string().refine((text) => text.length === 43 && isStrictPoint(keyBytes(text)) && keyBytes(text).toString('base64url') === text),
});
export type ClientJwk = z.infer<typeof ClientJwk>;

/** A client's public key, Ed25519. */
export interface ClientKey {
  readonly kid: string;
  /** RFC 7638 thumbprint (SHA-256, base64url): the same key under two ids has one thumbprint. */
  readonly thumbprint: string;
  /** Its 32 bytes as canonical base64url. */
  readonly x: string;
}

/**
 * Reads a JWK from outside.
 * @returns the key with what the node keeps of the JWK. It is `private_key` when the private half came with it: such a
 * key is no secret any more.
 */
export async function readClientJwk(
  value: unknown,
): Promise<Result<{ jwk: ClientJwk; thumbprint: string }, 'invalid_key' | 'private_key'>> {
  if (typeof value === 'object' && value !== null && 'd' in value) return refuse('private_key');
  const parsed = ClientJwk.safeParse(value);
  if (!parsed.success) return refuse('invalid_key');
  return ok({ jwk: parsed.data, thumbprint: await calculateJwkThumbprint(parsed.data, 'sha256') });
}

/** The key of a JWK that {@link readClientJwk} has read, now or before the JWK was stored. */
export const clientKey = ({ kid, x }: ClientJwk, thumbprint: string): ClientKey => ({ kid, thumbprint, x });

const keyBytes = (text: string): Buffer => Buffer.from(text, 'base64url');
