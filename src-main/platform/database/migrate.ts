import type Sqlite from 'better-sqlite3';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { databaseProblems as problems } from '../../../src-shared/words/terminal/starting.ts';
import { ReportedError } from '../errors.ts';

/**
 * Brings the database to the newest schema in one transaction. When that fails, the database is as it was before.
 *
 * Foreign keys are off while the migrations run. If they were on, a migration that rebuilds a table would delete the
 * rows that refer to it by cascade, without an error. All references are checked before the transaction is committed,
 * so that the next start finds no database with broken references and need not check.
 *
 * The migrations are recorded in the table that drizzle's own migrator uses. That migrator is not used, because it
 * commits before the references can be checked.
 *
 * @throws ReportedError when a newer paydesk has written this database, or when its references would be broken.
 */
export function migrate(connection: Sqlite.Database, migrationsFolder: string): void {
  const migrations = readMigrationFiles({ migrationsFolder });
  const applied = lastApplied(connection);
  if (applied > newestOf(migrations)) {
    throw new ReportedError(problems.newer);
  }
  const due = migrations.filter(({ folderMillis }) => folderMillis > applied);
  if (due.length === 0) return;
  // SQLite ignores this pragma inside a transaction.
  connection.pragma('foreign_keys = OFF');
  try {
    connection.exec('BEGIN IMMEDIATE');
    run(connection, due);
    refuseBrokenReferences(connection);
    connection.exec('COMMIT');
  } finally {
    // SQLite itself ends the transaction when the disk is full.
    if (connection.inTransaction) connection.exec('ROLLBACK');
    connection.pragma('foreign_keys = ON');
  }
}

/** The table that records which migrations the database has. */
export const MIGRATIONS_TABLE = '__drizzle_migrations';

/** Runs migrations and records them. It is part of the caller's transaction. */
export function run(connection: Sqlite.Database, migrations: readonly MigrationMeta[]): void {
  connection.exec(`CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)`);
  const note = connection.prepare(`INSERT INTO ${MIGRATIONS_TABLE} (hash, created_at) VALUES (?, ?)`);
  for (const { sql, hash, folderMillis } of migrations) {
    for (const statement of sql) connection.exec(statement);
    note.run(hash, folderMillis);
  }
}

function refuseBrokenReferences(connection: Sqlite.Database): void {
  const broken = connection.pragma('foreign_key_check') as unknown[];
  if (broken.length === 0) return;
  throw new ReportedError(problems.brokenReferences(broken.length));
}

/** The time of the newest migration, in milliseconds since the Unix epoch. It is 0 when there is none. */
export const newestOf = (migrations: readonly MigrationMeta[]): number => migrations.at(-1)?.folderMillis ?? 0;

/**
 * The time of the newest migration in the database, in milliseconds since the Unix epoch. It is 0 when there is none.
 */
function lastApplied(connection: Sqlite.Database): number {
  const table = connection.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(MIGRATIONS_TABLE);
  if (table === undefined) return 0;
  const row = connection.prepare(`select max(created_at) as at from ${MIGRATIONS_TABLE}`).get() as { at: bigint | null };
  return Number(row.at ?? 0n);
}
