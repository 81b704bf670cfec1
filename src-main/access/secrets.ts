import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256 as base64url: how tokens and nonces of 256 random bits are stored. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url');

/** Whether two texts are equal, in a time that tells nothing about where they differ. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer')];
  return timingSafeEqual(left, right);
}

/** The token of an `Authorization: GNAP …` header (RFC 9635 §7.2); undefined for any other form. */
export function gnapToken(authorization: string | undefined): string | undefined {
  return /^GNAP ([A-Za-z0-9._~+/=-]{1,512})$/i.exec(authorization ?? '')?.[1];
}
