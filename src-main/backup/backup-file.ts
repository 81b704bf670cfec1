import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Decrypter, Encrypter } from 'age-encryption';
import { z } from '../../src-shared/zod.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { StoredSecrets } from '../platform/secrets/node-secrets.ts';
import { passphraseIdentity, passphraseRecipient } from './passphrase.ts';

/** What a backup holds before the database. */
export const BackupHead = z.object({
  /** When the backup was made, in the form of ISO 8601. */
  createdAt: z.iso.datetime(),
  /** The version of paydesk that made the backup. */
  version: z.string(),
  /** The node's secrets. They are in clear here, because the whole backup is encrypted. */
  secrets: StoredSecrets,
  ledger: z.object({ accounts: z.number(), transfers: z.number(), lastEvent: z.number(), hash: z.string() }),
});
export type BackupHead = z.infer<typeof BackupHead>;

/**
 * Why a backup cannot be read.
 * - `no_backup`: the file is not a backup.
 * - `locked`: the passphrase is wrong, or the beginning of the file is damaged. Nobody can tell the two apart.
 * - `damaged`: the file is damaged after its beginning.
 * - `newer_format`: a newer paydesk has made the file.
 * - `not_written`: the database of the backup cannot be written here, for example because the disk is full.
 */
export type BackupFileProblem = 'no_backup' | 'locked' | 'damaged' | 'newer_format' | 'not_written';

const MAGIC = 'paydesk backup ';
const FORMAT = 1;
const NEWLINE = 0x0a;
const MAX_HEAD = 1024 * 1024;
const AGE_MAGIC = 'age-encryption.org/v1';

/**
 * Writes a backup: a file in the age format (age-encryption.org/v1), encrypted with a passphrase, so that other tools
 * can open it too. It holds a line with the format, a line of JSON, and the SQLite database to the end.
 * @param file the path of the backup. No file may be there yet. Only its owner can read the file.
 */
export async function writeBackupFile(
  file: string,
  { passphrase, workFactor }: { passphrase: string; workFactor?: number | undefined },
  head: BackupHead,
  databaseFile: string,
): Promise<void> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(passphraseRecipient(passphrase, workFactor));
  const lines = Buffer.from(`${MAGIC}${FORMAT}\n${JSON.stringify(head)}\n`);
  const content = Readable.from(concatenated([lines], createReadStream(databaseFile)));
  const encrypted = await encrypter.encrypt(Readable.toWeb(content) as ReadableStream<Uint8Array>);
  await pipeline(encrypted, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
}

/**
 * Reads a whole backup. Its last byte is authenticated like its first, so the content is good only when the end is
 * reached.
 * @param databaseFile the path to which the database is written. No file may be there yet. The caller deletes the file
 * unless this function succeeds.
 */
export async function readBackupFile(
  file: string,
  passphrase: string,
  databaseFile: string,
): Promise<Result<BackupHead, BackupFileProblem>> {
  if (!(await startsAs(file, AGE_MAGIC))) return refuse('no_backup');
  const decrypter = new Decrypter();
  decrypter.addIdentity(passphraseIdentity(passphrase));
  let content: ReadableStream<Uint8Array>;
  try {
    content = await decrypter.decrypt(Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>);
  } catch {
    return refuse('locked');
  }
  const reader = new HeadReader();
  try {
    await pipeline(
      content,
      (chunks: AsyncIterable<Uint8Array>) => reader.takeHead(chunks),
      createWriteStream(databaseFile, { flags: 'wx', mode: 0o600, flush: true }),
    );
  } catch (error) {
    // A full disk does not mean that the backup is damaged.
    return refuse(isOfWriting(error) ? 'not_written' : 'damaged');
  }
  if (reader.format === undefined) return refuse('no_backup');
  if (reader.format !== FORMAT) return refuse('newer_format');
  return reader.head === undefined ? refuse('damaged') : ok(reader.head);
}

/**
 * Tells whether the system refused to open or write a file. The backup itself is already open then, so the error is not
 * about it.
 */
const isOfWriting = (error: unknown): boolean => error instanceof Error && 'syscall' in error && error.syscall !== 'read';

/** Reads the two lines before the database, and passes on only the database. */
class HeadReader {
  format: number | undefined;
  head: BackupHead | undefined;

  async *takeHead(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let before: Buffer | undefined = Buffer.alloc(0);
    for await (const chunk of chunks) {
      if (before === undefined) {
        yield chunk;
        continue;
      }
      before = Buffer.concat([before, chunk]);
      const rest = this.#split(before);
      if (rest === undefined) {
        if (before.length > MAX_HEAD) throw new Error('no head');
        continue;
      }
      before = undefined;
      yield rest;
    }
  }

  /**
   * Reads the two lines once they have come.
   * @returns the bytes after them. It returns undefined before they have come.
   */
  #split(bytes: Buffer): Buffer | undefined {
    const first = bytes.indexOf(NEWLINE);
    const second = first < 0 ? -1 : bytes.indexOf(NEWLINE, first + 1);
    if (second < 0) return undefined;
    const line = bytes.toString('latin1', 0, first);
    if (line.startsWith(MAGIC)) this.format = Number(line.slice(MAGIC.length));
    if (this.format === FORMAT) this.head = BackupHead.parse(JSON.parse(bytes.toString('utf8', first + 1, second)));
    return bytes.subarray(second + 1);
  }
}

async function* concatenated(...parts: (Iterable<Uint8Array> | AsyncIterable<Uint8Array>)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield* part;
}

async function startsAs(file: string, text: string): Promise<boolean> {
  const stream = createReadStream(file, { end: text.length - 1 });
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1') === text;
}
