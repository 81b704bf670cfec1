import type Sqlite from 'better-sqlite3';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { databaseProblems as problems } from '../../../src-shared/words/terminal/starting.ts';
import { ReportedError } from '../errors.ts';
import { failPoint } from '../fail-points.ts';
import type { Logger } from '../logs/logger.ts';
import { isForeignSchema } from './sqlite-errors.ts';

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
 * @param tell is called after each statement, with its number and how many there are.
 * @throws ReportedError when a newer paydesk has written this database, when its tables are not those of an earlier
 * version, or when its references would be broken.
 */
export function migrate(connection: Sqlite.Database, migrationsFolder: string, tell?: Tell): void {
  const due = dueMigrations(connection, migrationsFolder);
  if (due.length === 0) return;
  // SQLite ignores this pragma inside a transaction.
  connection.pragma('foreign_keys = OFF');
  try {
    connection.exec('BEGIN IMMEDIATE');
    runOrRefuse(connection, due, tell);
    refuseBrokenReferences(connection);
    failPoint('upgrade-step');
    connection.exec('COMMIT');
    failPoint('upgrade-step');
  } finally {
    // SQLite itself ends the transaction when the disk is full.
    if (connection.inTransaction) connection.exec('ROLLBACK');
    connection.pragma('foreign_keys = ON');
  }
}

/** The migration calls it to say how far it is: at which statement, of how many. */
export type Tell = (statement: number, of: number) => void;

/** The log gets a line about a running upgrade at most this often, in milliseconds. */
const TELL_MS = 5_000;

/** Says in the log how far an upgrade is. It begins when it is made. */
export class UpgradeWatch {
  readonly #log: Pick<Logger, 'info'> | undefined;
  readonly #start = performance.now();
  #toldAt = this.#start;

  constructor(log: Pick<Logger, 'info'> | undefined) {
    this.#log = log;
  }

  /** How long the upgrade has taken, in seconds. */
  get seconds(): number {
    return Math.round((performance.now() - this.#start) / 100) / 10;
  }

  readonly tell: Tell = (step, of) => {
    if (performance.now() - this.#toldAt < TELL_MS) return;
    this.#toldAt = performance.now();
    this.#log?.info({ step, of, seconds: this.seconds }, 'the upgrade goes on');
  };
}

/**
 * The migrations that the database does not have yet.
 * @throws ReportedError when it has one that this version does not know.
 */
export function dueMigrations(connection: Sqlite.Database, migrationsFolder: string): MigrationMeta[] {
  const migrations = readMigrationFiles({ migrationsFolder });
  const applied = lastApplied(connection);
  if (applied > newestOf(migrations)) throw new ReportedError(problems.newer);
  return dueAfter(migrations, applied);
}

/**
 * The migrations that follow the newest one of a database.
 * @param applied the time of that one, in milliseconds since the Unix epoch, or 0
 */
export const dueAfter = (migrations: readonly MigrationMeta[], applied: number): MigrationMeta[] =>
  migrations.filter(({ folderMillis }) => folderMillis > applied);

/** Whether the database was ever migrated. A new file was not. */
export const hasMigrations = (connection: Sqlite.Database): boolean => lastApplied(connection) > 0;

/** The table that records which migrations the database has. */
export const MIGRATIONS_TABLE = '__drizzle_migrations';

/** Runs migrations and records them. It is part of the caller's transaction. */
export function run(connection: Sqlite.Database, migrations: readonly MigrationMeta[], tell?: Tell): void {
  connection.exec(`CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)`);
  const note = connection.prepare(`INSERT INTO ${MIGRATIONS_TABLE} (hash, created_at) VALUES (?, ?)`);
  const of = migrations.reduce((sum, { sql }) => sum + sql.length, 0);
  let done = 0;
  for (const { sql, hash, folderMillis } of migrations) {
    for (const statement of sql) {
      failPoint('upgrade-step');
      connection.exec(statement);
      done += 1;
      tell?.(done, of);
    }
    note.run(hash, folderMillis);
  }
}

/** A migration that has run before can fail only because the tables are not those that it was written for. */
function runOrRefuse(connection: Sqlite.Database, due: readonly MigrationMeta[], tell?: Tell): void {
  try {
    run(connection, due, tell);
  } catch (error) {
    if (!isForeignSchema(error) || !(error instanceof Error)) throw error;
    throw new ReportedError(problems.otherTables({ reason: error.message }), { cause: error });
  }
}

function refuseBrokenReferences(connection: Sqlite.Database): void {
  const broken = connection.pragma('foreign_key_check') as unknown[];
  if (broken.length === 0) return;
  throw new ReportedError(problems.brokenReferences({ count: broken.length }));
}

/** The time of the newest migration, in milliseconds since the Unix epoch. It is 0 when there is none. */
export const newestOf = (migrations: readonly MigrationMeta[]): number => migrations.at(-1)?.folderMillis ?? 0;

/** The time of the newest migration in a folder, in milliseconds since the Unix epoch. */
export const newestMigrationIn = (migrationsFolder: string): number => newestOf(readMigrationFiles({ migrationsFolder }));

/**
 * The time of the newest migration in the database, in milliseconds since the Unix epoch. It is 0 when there is none.
 */
function lastApplied(connection: Sqlite.Database): number {
  const table = connection.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(MIGRATIONS_TABLE);
  if (table === undefined) return 0;
  const row = connection.prepare(`select max(created_at) as at from ${MIGRATIONS_TABLE}`).get() as { at: bigint | null };
  return Number(row.at ?? 0n);
}
