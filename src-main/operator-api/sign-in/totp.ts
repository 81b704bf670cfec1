import { createHmac, randomBytes } from 'node:crypto';
import { sameSecret } from '../../access/secrets.ts';
import { BASE32, base32 } from '../../platform/secrets/base32.ts';

/** How long a code counts, in milliseconds, and its digits: what every app for codes does unless told otherwise. */
const STEP_MS = 30_000;
const DIGITS = 6;
/** RFC 4226, section 4, asks for 128 bits at least and recommends 160. */
const SECRET_BYTES = 20;

/** The number of the step of 30 seconds that holds a time (RFC 6238, section 4.2). */
export const stepAt = (at: number): number => Math.floor(at / STEP_MS);

function bytesOf(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Makes the secret that a person's app for codes shares with the node, in base32. */
export const newTotpSecret = (): string => base32(randomBytes(SECRET_BYTES));

/** The code of a step (RFC 4226, section 5.3). @param secret in base32. */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * Finds out to which step a code belongs: the present one, or the one before or after it, for clocks that differ.
 * @returns undefined when it belongs to none of them.
 */
export function stepOfCode(secret: string, code: string, at: number): number | undefined {
  const now = stepAt(at);
  return [now, now - 1, now + 1].find((step) => sameSecret(codeOf(secret, step), code));
}

/** Whether a step is later than any whose code counts now. A code of it was used while the clock was ahead of now. */
export const isAhead = (step: number, at: number): boolean => step > stepAt(at) + 1;

/** What an app for codes reads from the square code (the key URI format that these apps share). */
export const totpUri = (secret: string, { issuer, name }: { issuer: string; name: string }): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(name)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
