import { hash, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '../data-folder/data-folder.ts';
import { ReportedError } from '../errors.ts';
import { Protected, protect, type SecretsProtection, unprotect } from './secrets-protection.ts';

/** Keys of this node that exist nowhere else. They stay in the process: nothing logs, returns or sends them. */
export interface NodeSecrets {
  /** 32 bytes; STREAM shared secrets and addresses derive from it. Losing it ends unfinished payments. */
  readonly stream: Buffer;
  /** A 32-byte key for one purpose, derived from the node key (HKDF-SHA-256, RFC 5869). */
  derive(purpose: string): Buffer;
}

const Key = z.string().refine((text) => Buffer.from(text, 'base64url').length === 32);

/** As they stand in the file, and in backups. */
export const StoredSecrets = z.object({
  version: z.literal(1),
  node: Key,
  stream: Key,
  /** The last part of the node's ILP address, once the node key is another than the one it was derived from. */
  address: z.string().optional(),
});
export type StoredSecrets = z.infer<typeof StoredSecrets>;

/** The file of a node's secrets. */
export const SECRETS_FILE = 'node-secrets.json';
/** Lies beside it while the node key is being renewed. */
export const NEXT_SECRETS_FILE = 'node-secrets.next.json';

const newKey = (): string => randomBytes(32).toString('base64url');

/** Names a node key without telling anything of it. */
export const keyIdOf = ({ node }: StoredSecrets): string => hash('sha256', `paydesk/key-id/${node}`, 'base64url').slice(0, 16);

/** The secrets in a form to work with. */
export function workingSecrets({ node, stream, address }: StoredSecrets): NodeSecrets {
  const key = Buffer.from(node, 'base64url');
  const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `paydesk/${purpose}`, 32));
  return {
    stream: Buffer.from(stream, 'base64url'),
    // The address stays what peers know when the node key is renewed.
    derive: (purpose) => (purpose === 'ilp-address' && address !== undefined ? Buffer.from(address, 'hex') : derive(purpose)),
  };
}

/** The secrets of a node in its data folder: encrypted where there is something to encrypt them with, and readable by its owner only in any case. */
export class SecretsFile {
  readonly #path: string;
  readonly #nextPath: string;
  readonly #protection: SecretsProtection | undefined;

  constructor(dataFolder: string, protection?: SecretsProtection) {
    this.#path = join(dataFolder, SECRETS_FILE);
    this.#nextPath = join(dataFolder, NEXT_SECRETS_FILE);
    this.#protection = protection;
  }

  /**
   * Reads the secrets, or makes them on first start. Ones that lie there in clear are encrypted as soon as there is something to encrypt them with.
   * @throws ReportedError when they cannot be read, with what to do.
   */
  read(): StoredSecrets {
    if (!existsSync(this.#path)) this.write({ version: 1, node: newKey(), stream: newKey() });
    const { secrets, inClear } = this.#parse(this.#path);
    if (inClear && this.#protection !== undefined) this.write(secrets);
    return secrets;
  }

  write(secrets: StoredSecrets): void {
    this.#write(this.#path, secrets);
  }

  /**
   * Lays secrets with a new node key beside the old ones. They count once the database says that it is sealed with them, and {@link settle} was called.
   */
  prepareRenewal(old: StoredSecrets): StoredSecrets {
    const address = old.address ?? workingSecrets(old).derive('ilp-address').toString('hex');
    const renewed = { ...old, node: newKey(), address };
    this.#write(this.#nextPath, renewed);
    return renewed;
  }

  /** Ends a renewal, also one that a crash has interrupted: forward when the database is sealed with the new key, else back. */
  settle(keyId: string | null): void {
    if (!existsSync(this.#nextPath)) return;
    if (keyIdOf(this.#parse(this.#nextPath).secrets) === keyId) renameSync(this.#nextPath, this.#path);
    else rmSync(this.#nextPath);
  }

  #write(path: string, secrets: StoredSecrets): void {
    const content = this.#protection === undefined ? secrets : protect(JSON.stringify(secrets), this.#protection);
    writePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`);
  }

  #parse(path: string): { secrets: StoredSecrets; inClear: boolean } {
    const content = contentOf(path);
    const inClear = StoredSecrets.safeParse(content);
    if (inClear.success) return { secrets: inClear.data, inClear: true };
    const encrypted = Protected.safeParse(content);
    if (!encrypted.success) throw damaged();
    if (this.#protection === undefined) throw locked(encrypted.data.protection);
    const text = unprotect(encrypted.data, this.#protection);
    const opened = text === undefined ? undefined : StoredSecrets.safeParse(JSON.parse(text));
    if (opened?.success !== true) throw wrong(encrypted.data.protection);
    return { secrets: opened.data, inClear: false };
  }
}

/** How the secrets in a folder are protected; undefined when there are none yet, or in clear. @throws ReportedError when they are damaged. */
export function protectionIn(dataFolder: string): SecretsProtection['kind'] | undefined {
  const path = join(dataFolder, SECRETS_FILE);
  if (!existsSync(path)) return undefined;
  const content = contentOf(path);
  if (StoredSecrets.safeParse(content).success) return undefined;
  const encrypted = Protected.safeParse(content);
  if (!encrypted.success) throw damaged();
  return encrypted.data.protection;
}

/** Whether a passphrase opens the secrets in a folder. */
export function passphraseOpens(dataFolder: string, passphrase: string): boolean {
  const encrypted = Protected.safeParse(contentOf(join(dataFolder, SECRETS_FILE)));
  return encrypted.success && unprotect(encrypted.data, { kind: 'passphrase', passphrase }) !== undefined;
}

/** The secrets of the node in a folder, ready to work with. @throws ReportedError */
export const openNodeSecrets = (dataFolder: string, protection?: SecretsProtection): NodeSecrets =>
  workingSecrets(new SecretsFile(dataFolder, protection).read());

function contentOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // The words below say what to do; the content must not be repeated.
    return undefined;
  }
}

const damaged = () =>
  new ReportedError(
    `${SECRETS_FILE} in the data folder is damaged or cannot be read. Restore it from your backup; without it payments in progress cannot be finished.`,
  );

const locked = (protection: Protected['protection']) =>
  new ReportedError(
    protection === 'passphrase'
      ? `${SECRETS_FILE} is encrypted. Give its passphrase in a file with --secrets-passphrase-file, or in PAYDESK_SECRETS_PASSPHRASE.`
      : `${SECRETS_FILE} is encrypted with a key in the keychain of the desktop app. Start paydesk there, or restore a backup here.`,
  );

const wrong = (protection: Protected['protection']) =>
  new ReportedError(
    protection === 'passphrase'
      ? `The passphrase does not open ${SECRETS_FILE}.`
      : `The keychain of this user does not open ${SECRETS_FILE}. Restore a backup if the folder is from another computer.`,
  );
