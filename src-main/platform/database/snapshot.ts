import type { BigIntStats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { distrust } from './connection.ts';

/** The bytes that are read at once. */
const PART_BYTES = 1024 ** 2;
/**
 * The wait between two looks for a moment in which nobody reads older rows, and the longest time for it, in
 * milliseconds.
 */
const LOOK_MS = 100;
const MOST_MS = 10 * 60_000;
/** This many pages are in the file within milliseconds. */
const LITTLE_PAGES = 1_000;
/** The number of tries for the rest while the node waits with its writes, and the wait between them. */
const TRIES = 20;
const TRY_MS = 10;
/**
 * The bytes in the header of a database file that say how it is read and written, and the number for "without a log".
 */
const FORMAT_BYTES = [18, 19];
const WITHOUT_LOG = 1;

/**
 * The database at one moment, while its node goes on writing. {@link content} gives it as the bytes of a file, without
 * a copy on the disk.
 *
 * SQLite writes nothing into the database file while somebody reads who needs nothing of the log beside it
 * (https://sqlite.org/walformat.html, "WAL_READ_LOCK(0)"). What the node writes meanwhile waits in the log, which
 * grows. So a snapshot lives no longer than its bytes are needed. See decisions.md#D-76.
 */
export class Snapshot {
  /** Reads the rows of the snapshot. It cannot write. */
  readonly connection: Sqlite.Database;
  readonly bytes: number;
  readonly #file: FileHandle;
  readonly #before: BigIntStats;

  private constructor(connection: Sqlite.Database, file: FileHandle, before: BigIntStats) {
    this.connection = connection;
    this.#file = file;
    this.#before = before;
    const numberOf = (pragma: string): number => Number(connection.pragma(pragma, { simple: true }));
    this.bytes = numberOf('page_count') * numberOf('page_size');
  }

  /**
   * Holds a snapshot. The node waits with its writes for the few milliseconds that this takes. The caller runs in a
   * process of its own, where nothing else uses the database, and releases the snapshot.
   * @throws Error when somebody else has read older rows for ten minutes.
   */
  static async take(path: string): Promise<Snapshot> {
    const connection = new Sqlite(path, { fileMustExist: true });
    try {
      distrust(connection);
      await hold(connection, path);
      connection.pragma('query_only = ON');
      const file = await open(path);
      return new Snapshot(connection, file, await file.stat({ bigint: true }));
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /**
   * The bytes of a database file with the rows of the snapshot, in order. Each part is valid until the next one is
   * asked for.
   * @throws Error when the file was written meanwhile, which SQLite does not do.
   */
  async *content(): AsyncGenerator<Buffer> {
    const part = Buffer.allocUnsafe(PART_BYTES);
    for (let at = 0; at < this.bytes; ) {
      const { bytesRead } = await this.#file.read(part, 0, Math.min(PART_BYTES, this.bytes - at), at);
      if (bytesRead === 0) throw new Error('the database file is shorter than it says');
      if (at === 0) for (const place of FORMAT_BYTES) part[place] = WITHOUT_LOG;
      yield part.subarray(0, bytesRead);
      at += bytesRead;
    }
    const { mtimeNs } = await this.#file.stat({ bigint: true });
    if (mtimeNs !== this.#before.mtimeNs) throw new Error('the database file was written while it was read');
  }

  async release(): Promise<void> {
    this.connection.close();
    // On POSIX systems, closing a file ends every lock that the process has on it. So the connection goes first.
    await this.#file.close();
  }
}

/** Begins to read at a moment at which the file has everything that is in the log. */
async function hold(connection: Sqlite.Database, path: string): Promise<void> {
  const writer = new Sqlite(path, { fileMustExist: true });
  try {
    let before: number | undefined;
    for (let waited = 0; waited < MOST_MS; waited += LOOK_MS) {
      // Most of the log goes into the file while the node may still write.
      const { left, moved } = moveLog(connection);
      // Somebody who reads older rows for long keeps the log where it is. The node need not wait for that.
      const isMoving = before !== undefined && moved !== before;
      if (left === 0 || (isMoving && left <= LITTLE_PAGES)) {
        if (await holdWithoutWriters(connection, writer)) return;
      }
      before = moved;
      await pause(LOOK_MS);
    }
  } finally {
    writer.close();
  }
  throw new Error('the log could not be written into the database file, because somebody reads older rows');
}

/**
 * Writes the rest of the log into the file while the node waits with its writes. The commits that are on their way to
 * the disk keep a reader at older rows until they have arrived there.
 * @returns whether the snapshot is held.
 */
async function holdWithoutWriters(connection: Sqlite.Database, writer: Sqlite.Database): Promise<boolean> {
  writer.exec('BEGIN IMMEDIATE');
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (moveLog(connection).left === 0) {
        connection.exec('BEGIN');
        connection.prepare('select count(*) from sqlite_schema').get();
        return true;
      }
      await pause(TRY_MS);
    }
    return false;
  } finally {
    writer.exec('ROLLBACK');
  }
}

/** Writes the log into the file as far as its readers allow. @returns how many pages are in the file, and are left. */
function moveLog(connection: Sqlite.Database): { moved: number; left: number } {
  const [done] = connection.pragma('wal_checkpoint(PASSIVE)') as [{ busy: number; log: number; checkpointed: number }];
  const isDone = done.busy === 0 && done.log >= 0;
  return { moved: done.checkpointed, left: isDone ? done.log - done.checkpointed : Number.POSITIVE_INFINITY };
}
