import { createHmac, hash } from 'node:crypto';
import type { NodeSecrets } from '../platform/secrets/node-secrets.ts';

/**
 * This node takes the former token of a peer for this long after both nodes have changed to the new ones, in
 * milliseconds. A packet that left with the former one arrives long before.
 */
export const OVERLAP_MS = 10 * 60_000;

/** Hashes a peer's token in the form in which it is stored: SHA-256, base64url. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url');

/** Reads the token of an `Authorization: Bearer …` header (RFC 6750 §2.1). It is undefined for any other form. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer ([A-Za-z0-9._~+/=-]{1,512})$/i.exec(authorization ?? '')?.[1];
}

/**
 * The first token of a peer, 256 bits. It is the same for the same peer id, so that an operator whose answer was lost
 * can ask for it again.
 */
export class FirstTokens {
  readonly #key: Buffer;
  constructor(secrets: NodeSecrets) {
    this.#key = secrets.derive('first-peer-tokens');
  }
  of(peerId: string): string {
    return createHmac('sha256', this.#key).update(peerId).digest('base64url');
  }
}
