import Sqlite from 'better-sqlite3';
import type { Execute } from './query-builder/builder.ts';

const MAX_CACHED_STATEMENTS = 500;
/**
 * The memory for the page cache of a connection, in KiB: a thousandth of the file, within these bounds. The upper
 * levels of every index that it uses fit into it. SQLite takes only as much as it uses. One connection writes and three
 * read.
 */
const [LEAST_PAGE_CACHE_KIB, MOST_PAGE_CACHE_KIB] = [8_192, 32_768];

/** The log is cut to this size after it was written into the file, in bytes. */
const LARGEST_LOG = 64 * 1_024 ** 2;

/** Opens a connection with the settings that every connection of the node has. */
export function connect(file: string, use: 'writing' | 'reading' = 'writing'): Sqlite.Database {
  const connection = new Sqlite(file);
  distrust(connection);
  connection.defaultSafeIntegers(true);
  // A new file gets this setting with its first page, which the next line writes; see space.ts. In a file that is there
  // it would be written again at each start, also into one that a newer version has written.
  const pages = Number(connection.pragma('page_count', { simple: true }));
  if (pages === 0) connection.pragma('auto_vacuum = INCREMENTAL');
  connection.pragma('journal_mode = WAL');
  connection.pragma(`journal_size_limit = ${LARGEST_LOG}`);
  connection.pragma('synchronous = FULL');
  // SQLite would keep the whole process waiting. The queue of writes waits without that.
  connection.pragma('busy_timeout = 0');
  // SQLite keeps in memory what a savepoint may have to undo. In a file, this data would take more writes than the log.
  connection.pragma('temp_store = MEMORY');
  connection.pragma(`cache_size = -${pageCacheKib(pages)}`);
  if (use === 'reading') connection.pragma('query_only = ON');
  return connection;
}

/** How much memory a connection to a file of so many pages of 4 KiB may take for them, in KiB. */
export const pageCacheKib = (pages: number): number =>
  Math.min(Math.max(Math.floor((pages * 4) / 1_000), LEAST_PAGE_CACHE_KIB), MOST_PAGE_CACHE_KIB);

/**
 * Forbids SQL that is stored in the file, such as that of a view or a trigger, to call functions or virtual tables with
 * effects outside the database (https://sqlite.org/security.html).
 */
export function distrust(connection: Sqlite.Database): void {
  connection.pragma('trusted_schema = OFF');
  connection.pragma('cell_size_check = ON');
}

/** Runs the statements of the query builder on a connection, each prepared once. */
export function executeOn(connection: Sqlite.Database): Execute {
  const statements = new Map<string, Sqlite.Statement>();
  return async (sql, params, method) => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = connection.prepare(sql);
      if (statement.reader) statement.raw(true);
      if (statements.size >= MAX_CACHED_STATEMENTS) statements.clear();
      statements.set(sql, statement);
    }
    if (method === 'run' || !statement.reader) {
      statement.run(params);
      return { rows: [] };
    }
    return { rows: method === 'get' ? (statement.get(params) as unknown[]) : statement.all(params) };
  };
}
