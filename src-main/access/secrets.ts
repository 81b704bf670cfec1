import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256 as base64url. The node stores tokens and nonces of 256 random bits in this form. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url');

/** Whether two texts are equal. The time it takes does not tell where they differ. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer')];
  return timingSafeEqual(left, right);
}

/** The token of an `Authorization: GNAP …` header (RFC 9635 §7.2). It is undefined for any other form. */
export function gnapToken(authorization: string | undefined): string | undefined {
  return /^GNAP ([A-Za-z0-9._~+/=-]{1,512})$/i.exec(authorization ?? '')?.[1];
}
