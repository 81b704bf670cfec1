import { hash, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { secretsProblems as problems } from '../../../src-shared/words/terminal/starting.ts';
import { z } from '../../../src-shared/zod.ts';
import { writePrivateFile } from '../data-folder/data-folder.ts';
import { renameDurably } from '../disk/durable-names.ts';
import { ReportedError } from '../errors.ts';
import { Protected, protect, type SecretsProtection, unprotect } from './secrets-protection.ts';

/** The keys that only this node has. They stay in the process: nothing logs, returns or sends them. */
export interface NodeSecrets {
  /**
   * The 32 bytes from which STREAM shared secrets and addresses are derived. Without them, payments in progress cannot
   * be finished.
   */
  readonly stream: Buffer;
  /** Derives a 32-byte key for one purpose from the node key (HKDF-SHA-256, RFC 5869). */
  derive(purpose: string): Buffer;
}

const Key = z.string().refine((text) => Buffer.from(text, 'base64url').length === 32);

/** The secrets as they are stored in the file and in backups. */
export const StoredSecrets = z.object({
  version: z.literal(1),
  node: Key,
  stream: Key,
  /**
   * The last part of the node's ILP address. It is stored once the node key from which it was derived has been renewed.
   */
  address: z.string().optional(),
});
export type StoredSecrets = z.infer<typeof StoredSecrets>;

/** The file of a node's secrets. */
export const SECRETS_FILE = 'node-secrets.json';
/** The file of the new secrets while the node key is being renewed. It is in the same folder. */
export const NEXT_SECRETS_FILE = 'node-secrets.next.json';

const newKey = (): string => randomBytes(32).toString('base64url');

/** @returns the secrets of a new node. */
export const newStoredSecrets = (): StoredSecrets => ({ version: 1, node: newKey(), stream: newKey() });

/** @returns an id of the node key, from which nobody can find the key. */
export const keyIdOf = ({ node }: StoredSecrets): string => hash('sha256', `paydesk/key-id/${node}`, 'base64url').slice(0, 16);

/** Decodes stored secrets for use. */
export function workingSecrets({ node, stream, address }: StoredSecrets): NodeSecrets {
  const key = Buffer.from(node, 'base64url');
  const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `paydesk/${purpose}`, 32));
  return {
    stream: Buffer.from(stream, 'base64url'),
    // The ILP address stays the one that peers know when the node key is renewed.
    derive: (purpose) => (purpose === 'ilp-address' && address !== undefined ? Buffer.from(address, 'hex') : derive(purpose)),
  };
}

/**
 * The file with the secrets of a node. Only its owner can read it, and it is encrypted when the node has a protection.
 */
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
   * Reads the secrets, or makes them at the first start. If they are not encrypted and the node has a protection, it
   * encrypts them.
   * @throws ReportedError that says what to do when they cannot be read.
   */
  read(): StoredSecrets {
    if (!existsSync(this.#path)) this.write(newStoredSecrets());
    const { secrets, inClear } = this.#parse(this.#path);
    if (inClear && this.#protection !== undefined) this.write(secrets);
    return secrets;
  }

  write(secrets: StoredSecrets): void {
    this.#write(this.#path, secrets);
  }

  /**
   * Writes secrets with a new node key beside the old ones. They replace the old ones when the database says that it is
   * sealed with them and {@link endRenewal} is called.
   */
  prepareRenewal(old: StoredSecrets): StoredSecrets {
    const address = old.address ?? workingSecrets(old).derive('ilp-address').toString('hex');
    const renewed = { ...old, node: newKey(), address };
    this.#write(this.#nextPath, renewed);
    return renewed;
  }

  /**
   * Ends a renewal, even one that a crash interrupted. The new secrets replace the old ones when the database is sealed
   * with the new key. Otherwise they are deleted.
   */
  endRenewal(keyId: string | null): void {
    if (!existsSync(this.#nextPath)) return;
    if (keyIdOf(this.#parse(this.#nextPath).secrets) === keyId) renameDurably(this.#nextPath, this.#path);
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

/**
 * Tells how the secrets in a folder are protected.
 * @returns undefined when there are no secrets yet, or when they are not encrypted.
 * @throws ReportedError when they are damaged.
 */
export function protectionIn(dataFolder: string): SecretsProtection['kind'] | undefined {
  const path = join(dataFolder, SECRETS_FILE);
  if (!existsSync(path)) return undefined;
  const content = contentOf(path);
  if (StoredSecrets.safeParse(content).success) return undefined;
  const encrypted = Protected.safeParse(content);
  if (!encrypted.success) throw damaged();
  return encrypted.data.protection;
}

/** Tells whether a passphrase opens the secrets in a folder. */
export function passphraseOpens(dataFolder: string, passphrase: string): boolean {
  const encrypted = Protected.safeParse(contentOf(join(dataFolder, SECRETS_FILE)));
  return encrypted.success && unprotect(encrypted.data, { kind: 'passphrase', passphrase }) !== undefined;
}

/** Reads the secrets of the node in a folder. @throws ReportedError when they cannot be read. */
export const openNodeSecrets = (dataFolder: string, protection?: SecretsProtection): NodeSecrets =>
  workingSecrets(new SecretsFile(dataFolder, protection).read());

function contentOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // The parser's message may repeat the content, so it is left out. The caller's error says what to do.
    return undefined;
  }
}

const damaged = () => new ReportedError(problems.damaged({ file: SECRETS_FILE }));
const locked = (protection: Protected['protection']) => new ReportedError(problems.locked[protection]({ file: SECRETS_FILE }));
const wrong = (protection: Protected['protection']) => new ReportedError(problems.wrong[protection]({ file: SECRETS_FILE }));
