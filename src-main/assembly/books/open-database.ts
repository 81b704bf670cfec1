import Sqlite from 'better-sqlite3';
import { databaseProblems as problems } from '../../../src-shared/words/terminal/starting.ts';
import { makeShrinkable } from '../../platform/database/space.ts';
import { SqliteDatabase, type SqliteOptions } from '../../platform/database/sqlite.ts';
import { type UpgradeOptions, upgrade } from '../../platform/database/upgrade.ts';
import { ReportedError } from '../../platform/errors.ts';

const WHAT_TO_DO: readonly [RegExp, string][] = [
  [/^SQLITE_(NOTADB|CORRUPT)/, problems.damaged],
  [/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/, problems.notOpened],
  [/^SQLITE_BUSY/, problems.held],
  [/^SQLITE_(FULL|IOERR)/, problems.notWritten],
];

/**
 * Opens the node's database after it has brought it to the newest schema.
 * @param migrations the folder with the built migrations.
 * @throws ReportedError when the database cannot be opened, with what the operator can do.
 */
export async function openDatabase(
  file: string,
  migrations: string,
  { log, ...options }: SqliteOptions & Pick<UpgradeOptions, 'log'>,
): Promise<SqliteDatabase> {
  let database: SqliteDatabase | undefined;
  try {
    upgrade(file, migrations, { log });
    database = new SqliteDatabase(file, options);
    makeShrinkable(database.connection);
    return database;
  } catch (error) {
    await database?.close();
    const reason = error instanceof Error && error.cause instanceof Sqlite.SqliteError ? error.cause : error;
    const told = reason instanceof Sqlite.SqliteError ? `${reason.code} ${reason.message}` : '';
    const words = WHAT_TO_DO.find(([beginning]) => beginning.test(told))?.[1];
    throw words === undefined ? error : new ReportedError(words);
  }
}
