import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { migrate } from '../migrate.ts';
import { SqliteDatabase, type SqliteOptions } from '../sqlite.ts';

const MIGRATIONS = resolve(import.meta.dirname, '../../../../drizzle');

/** A log that counts as durable at once. */
export const NO_DISK: SqliteOptions['logSync'] = { sync: async () => undefined, close: async () => undefined };

export interface TestDatabase {
  database: SqliteDatabase;
  file: string;
  /** Closes the database and removes its folder. */
  dispose(): Promise<void>;
}

/**
 * Opens a migrated database in a new temporary folder. Every write job is rehearsed unless `options` say otherwise.
 * Writes do not wait for the disk, so that tests which count turns of the event loop run alike everywhere.
 */
export function openTestDatabase(options: SqliteOptions = { rehearse: true }): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-test-'));
  const file = join(folder, 'paydesk.db');
  const database = new SqliteDatabase(file, { logSync: NO_DISK, ...options });
  migrate(database.connection, MIGRATIONS);
  const dispose = async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  };
  return { database, file, dispose };
}
