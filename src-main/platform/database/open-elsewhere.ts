import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

/**
 * How long a connection of a program that has just been killed may stay open, in milliseconds. A process that made a
 * backup for a node ends a moment after the node.
 */
const LAST_MOMENT_MS = 2_000;

/**
 * Tells whether anybody has a database open. A connection holds a lock on the file itself for as long as it is open,
 * and the system lets go of the lock when the process ends in any way. A file that is missing or no database is not
 * open.
 *
 * The lock of a process counts no more once the process itself closes any descriptor of the file, so no code may read
 * the file in another way than through a connection while the node runs.
 */
export function isOpenElsewhere(file: string): boolean {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return false;
  let connection: Sqlite.Database | undefined;
  try {
    connection = new Sqlite(file, { fileMustExist: true, timeout: LAST_MOMENT_MS });
    // With this, the transaction asks for a lock that nobody gets beside another connection, even one that only reads.
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.exec('BEGIN EXCLUSIVE; ROLLBACK');
    return false;
  } catch (error) {
    return error instanceof Sqlite.SqliteError && error.code === 'SQLITE_BUSY';
  } finally {
    connection?.close();
  }
}
