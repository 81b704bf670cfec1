import { verify } from 'node:crypto';
import { promisify } from 'node:util';
import type { ClientKey } from '../client-keys/client-key.ts';
import { ed25519Key } from '../client-keys/ed25519-key.ts';

/**
 * Says whether the key has made `signature` over `base`, which holds one byte a character. Several at once are checked
 * on another core where there is one, because verifying takes as long as everything else about a simple request.
 */
export type CheckSignature = (base: string, key: ClientKey, signature: Buffer) => Promise<boolean>;

const verifyInPool = promisify(verify);

/** {@link CheckSignature} by the pool of threads of this process, one task for each signature. */
export const checkInPool: CheckSignature = (base, { x }, signature) =>
  verifyInPool(null, Buffer.from(base, 'latin1'), ed25519Key(x), signature);

/**
 * Signatures for {@link SignatureThread} as three texts each: `x` of the key, the base and the signature, one byte a
 * character.
 */
export type CheckTask = readonly string[];

/** The answer, one character for each signature. */
export const GENUINE = '1';

/** Checks the signatures of a task here and now. */
export function checkAll(task: CheckTask): string {
  let answer = '';
  for (let at = 0; at < task.length; at += 3) answer += isGenuine(task[at], task[at + 1], task[at + 2]) ? GENUINE : '0';
  return answer;
}

/** A signature that cannot be checked counts as not genuine, and the others are checked all the same. */
function isGenuine(x = '', base = '', signature = ''): boolean {
  try {
    return verify(null, Buffer.from(base, 'latin1'), ed25519Key(x), Buffer.from(signature, 'latin1'));
  } catch {
    return false;
  }
}
