import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { freeRoom } from '../disk/room.ts';

/** SQLite's number for a database whose free pages can be given back bit by bit (`auto_vacuum`). */
const INCREMENTAL = 2;
/** How many free pages stay in the file, 4 MiB, because the next writes need them. */
const KEPT_PAGES = 1_024;
/** How many pages one step gives back. Requests wait for no longer than they do for a write. */
const PAGES_AT_ONCE = 32;
/** A larger file than this is not rewritten at the start, because that would take minutes. */
const MOST_REWRITTEN = 2 * 1_024 ** 3;

const numberOf = (connection: Sqlite.Database, pragma: string): number => Number(connection.pragma(pragma, { simple: true }));

/** Whether the file becomes smaller when rows go. Otherwise it keeps its size, and later rows use the space again. */
const isShrinkable = (connection: Sqlite.Database): boolean => numberOf(connection, 'auto_vacuum') === INCREMENTAL;

/**
 * Rewrites a database of an earlier version once, so that it can give space back from then on. It takes about two
 * seconds for 100 MB, and for that time twice the size of the file. A crash leaves the file as it was. Without room, or
 * with a very large file, everything stays as it is, and a later start tries again.
 */
export function makeShrinkable(connection: Sqlite.Database): void {
  if (isShrinkable(connection)) return;
  const bytes = statSync(connection.name).size;
  if (bytes > MOST_REWRITTEN || freeRoom(dirname(connection.name)) < 3 * bytes) return;
  // The copy from which SQLite rewrites the file is as large as the file, so it is no thing for the memory.
  connection.pragma('temp_store = FILE');
  try {
    connection.pragma(`auto_vacuum = ${INCREMENTAL}`);
    connection.exec('VACUUM');
    connection.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_FULL'))) throw error;
  } finally {
    connection.pragma('temp_store = MEMORY');
  }
}

/**
 * Gives a few free pages back to the file system, when there are many. The connection must not be in a transaction.
 * @returns whether there are more to give back.
 */
export function giveBackPages(connection: Sqlite.Database): boolean {
  const spare = () => numberOf(connection, 'freelist_count') - Math.max(KEPT_PAGES, numberOf(connection, 'page_count') / 10);
  if (!isShrinkable(connection) || spare() < PAGES_AT_ONCE) return false;
  connection.pragma(`incremental_vacuum(${PAGES_AT_ONCE})`);
  return spare() >= PAGES_AT_ONCE;
}

/** The bytes of the pages that hold something. */
export const usedBytes = (connection: Sqlite.Database): number =>
  (numberOf(connection, 'page_count') - numberOf(connection, 'freelist_count')) * numberOf(connection, 'page_size');

/** What takes how much room in a database file, in bytes. */
export interface DiskUse {
  /** Each table with its indexes. */
  tables: { table: string; bytes: number }[];
  /** Space inside the file that later rows will use. */
  free: number;
  /** The file and its log. */
  total: number;
  /** What is left on the disk. It is null where nobody tells. */
  room: number | null;
  shrinks: boolean;
}

/**
 * Measures the database file. It reads the whole file, so it is not for the main thread.
 * @throws SqliteError when the file cannot be read.
 */
export function measureDisk(file: string): DiskUse {
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    const tables = connection
      .prepare(
        `select coalesce(s.tbl_name, d.name) as "table", sum(d.pgsize) as bytes
         from dbstat d left join sqlite_schema s on s.name = d.name where d.aggregate = true group by 1`,
      )
      .all() as DiskUse['tables'];
    return {
      tables,
      free: numberOf(connection, 'freelist_count') * numberOf(connection, 'page_size'),
      total: sizeOfDatabase(file),
      room: freeRoom(dirname(file)),
      shrinks: isShrinkable(connection),
    };
  } finally {
    connection.close();
  }
}

/** The bytes of the database file and of its log. */
export const sizeOfDatabase = (file: string): number =>
  [file, `${file}-wal`].reduce((sum, one) => sum + (statSync(one, { throwIfNoEntry: false })?.size ?? 0), 0);
