import type Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate as runMigrations } from 'drizzle-orm/better-sqlite3/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { ReportedError } from '../errors.ts';

/**
 * Brings the database to the newest schema.
 *
 * Foreign keys are off meanwhile: with them on, a migration that rebuilds a table deletes its children by cascade without
 * an error. They are checked as a whole before they are turned on again.
 *
 * @throws ReportedError when a newer paydesk has written this database, or its references are broken.
 */
export function migrate(connection: Sqlite.Database, migrationsFolder: string): void {
  if (isNewer(connection, migrationsFolder)) {
    throw new ReportedError(
      'This data folder was written by a newer version of paydesk. Install that version or newer, or choose another folder with --data-dir.',
    );
  }
  if (lastApplied(connection) === newestOf(migrationsFolder)) return;
  connection.pragma('foreign_keys = OFF');
  runMigrations(drizzle({ client: connection }), { migrationsFolder });
  const broken = connection.pragma('foreign_key_check') as unknown[];
  if (broken.length > 0) {
    throw new ReportedError(
      `The database has ${broken.length} broken references after its upgrade. Restore the last backup of the data folder.`,
    );
  }
  connection.pragma('foreign_keys = ON');
}

/** Whether a newer paydesk has written this database. */
export const isNewer = (connection: Sqlite.Database, migrationsFolder: string): boolean =>
  lastApplied(connection) > newestOf(migrationsFolder);

const newestOf = (migrationsFolder: string): number => readMigrationFiles({ migrationsFolder }).at(-1)?.folderMillis ?? 0;

function lastApplied(connection: Sqlite.Database): number {
  const table = connection.prepare("select 1 from sqlite_master where type = 'table' and name = '__drizzle_migrations'").get();
  if (table === undefined) return 0;
  const row = connection.prepare('select max(created_at) as at from __drizzle_migrations').get() as { at: bigint | null };
  return Number(row.at ?? 0n);
}
