import Sqlite from 'better-sqlite3';
import { migrate } from '../platform/database/migrate.ts';
import { SqliteDatabase, type SqliteOptions } from '../platform/database/sqlite.ts';
import { ReportedError } from '../platform/errors.ts';

const WHAT_TO_DO: readonly [RegExp, string][] = [
  [/^SQLITE_(NOTADB|CORRUPT)/, 'is damaged. Restore the last backup of the data folder.'],
  [/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/, 'cannot be opened. Give this user the right to read and write it.'],
  [/^SQLITE_(FULL|IOERR)/, 'cannot be written, the disk may be full or broken. Make room, or restore the last backup on another disk.'],
];

/**
 * Opens the node's database and brings it to the newest schema.
 * @param migrations the folder with the built migrations.
 * @throws ReportedError with what to do.
 */
export async function openDatabase(file: string, migrations: string, options: SqliteOptions): Promise<SqliteDatabase> {
  let database: SqliteDatabase | undefined;
  try {
    database = new SqliteDatabase(file, options);
    migrate(database.connection, migrations);
    return database;
  } catch (error) {
    await database?.close();
    const reason = error instanceof Error && error.cause instanceof Sqlite.SqliteError ? error.cause : error;
    const told = reason instanceof Sqlite.SqliteError ? `${reason.code} ${reason.message}` : '';
    const words = WHAT_TO_DO.find(([beginning]) => beginning.test(told))?.[1];
    throw words === undefined ? error : new ReportedError(`The database in the data folder ${words}`);
  }
}
