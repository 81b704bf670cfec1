import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { z } from '../../src-shared/zod.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { StoredSecrets } from '../platform/secrets/node-secrets.ts';
import { type Bytes, encrypted, opened, startBytes } from './age-payload.ts';
import { passphraseIdentity, passphraseRecipient } from './passphrase.ts';

/** The part of a backup before the database. */
export const BackupHead = z.object({
  /** The time of the backup, in the form of ISO 8601. */
  createdAt: z.iso.datetime(),
  /** The version of paydesk that made the backup. */
  version: z.string(),
  /** The node's secrets. They are in clear here, because the whole backup is encrypted. */
  secrets: StoredSecrets,
  ledger: z.object({ accounts: z.number(), transfers: z.number(), lastEvent: z.number(), hash: z.string() }),
});
export type BackupHead = z.infer<typeof BackupHead>;

/**
 * The reason why nobody can read a backup.
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

/** The bytes that are read at once. */
const READ_BYTES = 1024 ** 2;
/** The bytes that are written at once. */
const WRITE_BYTES = 1024 ** 2;
/** The bytes that are written before the disk has to have them. */
const SYNC_BYTES = 8 * 1024 ** 2;

/**
 * Writes a backup: a file in the age format (age-encryption.org/v1), encrypted with a passphrase, so that other tools
 * can open it too. It holds a line with the format, a line of JSON, and the SQLite database to the end.
 * @param file the path of the backup. No file may be there yet. Only its owner can read the file.
 * @param database the bytes of the database file, in order.
 */
export async function writeBackupFile(
  file: string,
  { passphrase, workFactor }: { passphrase: string; workFactor?: number | undefined },
  head: BackupHead,
  database: Bytes,
): Promise<void> {
  const lines = Buffer.from(`${MAGIC}${FORMAT}\n${JSON.stringify(head)}\n`);
  const handle = await open(file, 'wx', 0o600);
  try {
    await writeSteadily(handle, encrypted(concatenated([lines], database), passphraseRecipient(passphrase, workFactor)));
  } finally {
    await handle.close();
  }
}

/**
 * Writes the bytes and waits for the disk again and again. Everything at the end would keep the disk busy for so long
 * that the node would wait for its own writes.
 */
async function writeSteadily(file: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  let [waiting, size, since]: [Uint8Array[], number, number] = [[], 0, 0];
  for await (const part of bytes) {
    waiting.push(part);
    size += part.length;
    if (size < WRITE_BYTES) continue;
    await file.writeFile(Buffer.concat(waiting));
    since += size;
    [waiting, size] = [[], 0];
    if (since < SYNC_BYTES) continue;
    await file.datasync();
    since = 0;
  }
  await file.writeFile(Buffer.concat(waiting));
  await file.sync();
}

/**
 * Reads a whole backup. Its last byte is authenticated like its first, so the content is good only when the end is
 * reached.
 * @param take gets the bytes of the database, in order. It reads all of them, or fails.
 */
export async function readBackupFile(
  file: string,
  passphrase: string,
  take: (database: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<Result<BackupHead, BackupFileProblem>> {
  const start = await startOf(file);
  if (start.toString('latin1', 0, AGE_MAGIC.length) !== AGE_MAGIC) return refuse('no_backup');
  const age = await opened(start, passphraseIdentity(passphrase));
  if (age === undefined) return refuse('locked');
  const reader = new HeadReader();
  try {
    await take(reader.takeHead(age.decrypted(createReadStream(file, { start: age.headerBytes, highWaterMark: READ_BYTES }))));
  } catch (error) {
    // A full disk does not mean that the backup is damaged.
    return refuse(isOfWriting(error) ? 'not_written' : 'damaged');
  }
  if (reader.format === undefined) return refuse('no_backup');
  if (reader.format !== FORMAT) return refuse('newer_format');
  return reader.head === undefined ? refuse('damaged') : ok(reader.head);
}

/**
 * Writes the database of a backup to a file.
 * @param path No file may be there yet. The caller deletes the file when this fails.
 */
export const intoFile = (path: string) => (database: AsyncIterable<Uint8Array>) =>
  pipeline(database, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));

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

async function* concatenated(...parts: Bytes[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield* part;
}

async function startOf(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file, { end: startBytes - 1 }) as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
