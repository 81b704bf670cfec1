import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { problems } from '../../../src-shared/words/desktop/problems.ts';
import { z } from '../../../src-shared/zod.ts';
import { ReportedError } from '../../platform/errors.ts';
import type { SecretsProtection } from '../../platform/secrets/secrets-protection.ts';
import { readProfileFile, writeProfileFile } from '../system/profile-file.ts';

/**
 * The part of Electron's safeStorage that is used. It encrypts with a key that the system's keychain keeps for this
 * user.
 */
export interface Keychain {
  isAsyncEncryptionAvailable(): Promise<boolean>;
  /** It exists on Linux only. */
  getSelectedStorageBackend(): string;
  encryptStringAsync(text: string): Promise<Buffer>;
  decryptStringAsync(encrypted: Buffer): Promise<{ result: string }>;
}

const KeyFile = z.object({ version: z.literal(1), key: z.string() });

/**
 * Whether the system really keeps keys. On Linux without a keyring the same calls succeed with a password that
 * everybody knows (`basic_text`), and an unknown backend may be that one.
 */
export async function keepsKeys(keychain: Keychain, platform: NodeJS.Platform): Promise<boolean> {
  // A keychain that cannot answer keeps no keys.
  if (!(await keychain.isAsyncEncryptionAvailable().catch(() => false))) return false;
  return platform !== 'linux' || !['basic_text', 'unknown'].includes(keychain.getSelectedStorageBackend());
}

/**
 * The key that encrypts the node's secrets: 32 random bytes that lie in the profile, encrypted by the keychain. It is
 * made when the profile has none.
 * @throws ReportedError when the keychain does not open the key, or a new key could not be encrypted or written.
 */
export async function keptKey(profile: string, keychain: Keychain): Promise<SecretsProtection> {
  const path = join(profile, 'kept-key.json');
  if (existsSync(path)) return { kind: 'keychain', key: await openKey(path, keychain) };
  const key = randomBytes(32);
  // The key must be on the disk before anything is encrypted with it.
  const file = { version: 1, key: (await encrypted(keychain, key.toString('base64url'))).toString('base64') };
  if (!writeProfileFile(path, file)) throw new ReportedError(problems.profileNotWritable);
  return { kind: 'keychain', key };
}

async function encrypted(keychain: Keychain, text: string): Promise<Buffer> {
  try {
    return await keychain.encryptStringAsync(text);
  } catch (error) {
    throw new ReportedError(problems.keychainKeepsNoKey, { cause: error });
  }
}

async function openKey(path: string, keychain: Keychain): Promise<Buffer> {
  const stored = readProfileFile(path, KeyFile);
  const key = stored === undefined ? undefined : await decrypted(keychain, Buffer.from(stored.key, 'base64'));
  if (key?.length === 32) return key;
  throw new ReportedError(problems.keychainDoesNotOpen);
}

async function decrypted(keychain: Keychain, encrypted: Buffer): Promise<Buffer | undefined> {
  try {
    return Buffer.from((await keychain.decryptStringAsync(encrypted)).result, 'base64url');
  } catch {
    // The keychain's own message differs by system and does not help the operator.
    return undefined;
  }
}

/** How the node's secrets are to be protected at this start. */
type ProtectionPlan =
  | { kind: 'given' }
  | { kind: 'keychain' }
  /** The operator types the passphrase that opens the secrets, or chooses one the first time. */
  | { kind: 'ask'; first: boolean };

/**
 * @param stored how the secrets on the disk are protected now; it is undefined when there are none, or when they are in
 *   clear
 * @param given whether the command line brings a passphrase
 */
export function planProtection(
  { stored, given }: { stored: SecretsProtection['kind'] | undefined; given: boolean },
  keepsKeysHere: boolean,
): ProtectionPlan {
  if (given && stored !== 'keychain') return { kind: 'given' };
  // An operator who once chose a passphrase keeps it, even when the system has a keychain by now.
  if (stored === 'passphrase') return { kind: 'ask', first: false };
  // When the keychain does not have the key any more, opening the key reports that.
  if (stored === 'keychain' || keepsKeysHere) return { kind: 'keychain' };
  return { kind: 'ask', first: true };
}
