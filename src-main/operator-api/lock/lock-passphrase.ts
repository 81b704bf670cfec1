import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** scrypt's parameters (RFC 7914). */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Each guess takes 64 MiB and about a fifth of a second. */
const LOCK_COST: ScryptCost = { N: 2 ** 16, r: 8, p: 1 };

/**
 * The stored hash of a passphrase, with its salt and cost, so that the cost can be raised later. Texts are base64url.
 */
interface HashedPassphrase {
  readonly hash: string;
  readonly salt: string;
  readonly costN: number;
  readonly costR: number;
  readonly costP: number;
}

/** Keyboards and systems write the same letter in several ways. NFKC makes them one. */
const stretch = async (passphrase: string, salt: Buffer, { N, r, p }: ScryptCost): Promise<Buffer> =>
  await derive(passphrase.normalize('NFKC'), salt, HASH_BYTES, { N, r, p, maxmem: 128 * N * r * p + 1024 * 1024 });

/** @param cost is lower in tests only. */
export async function hashPassphrase(passphrase: string, cost: ScryptCost = LOCK_COST): Promise<HashedPassphrase> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await stretch(passphrase, salt, cost);
  return { hash: hash.toString('base64url'), salt: salt.toString('base64url'), costN: cost.N, costR: cost.r, costP: cost.p };
}

export async function isPassphrase(passphrase: string, kept: HashedPassphrase): Promise<boolean> {
  const cost = { N: kept.costN, r: kept.costR, p: kept.costP };
  const hash = await stretch(passphrase, Buffer.from(kept.salt, 'base64url'), cost);
  return timingSafeEqual(hash, Buffer.from(kept.hash, 'base64url'));
}

/** This many wrong passphrases in a row cause no delay. */
const FREE_ATTEMPTS = 3;
const FIRST_DELAY_S = 5;
const LAST_DELAY_S = 15 * 60;

/**
 * The time for which the lock checks no passphrase after `wrongInARow` wrong ones in a row, in seconds. After 1, 2, 3,
 * 4 and 5 it is 0, 0, 0, 5 and 10, and so on up to 900.
 */
export const delayAfter = (wrongInARow: number): number =>
  wrongInARow <= FREE_ATTEMPTS ? 0 : Math.min(LAST_DELAY_S, FIRST_DELAY_S * 2 ** (wrongInARow - FREE_ATTEMPTS - 1));
