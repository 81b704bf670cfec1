import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { connect, executeOn } from '../connection.ts';
import { migrate } from '../migrate.ts';
import { SqliteDatabase, type SqliteOptions } from '../sqlite.ts';
import type { StoredRow, TestDatabase } from './opened-test.ts';
import { MIGRATIONS } from './other-migrations.ts';

/** A log that counts as durable at once. */
const NO_DISK: SqliteOptions['logSync'] = { sync: async () => undefined, close: async () => undefined };

const TABLES = "select name from sqlite_schema where type = 'table' and name <> '__drizzle_migrations' order by name";

export interface SqliteTest extends TestDatabase {
  database: SqliteDatabase;
}

function hear(listener: (sql: string) => void): () => void {
  const memory = new Sqlite(':memory:');
  const kind: Sqlite.Statement = Object.getPrototypeOf(memory.prepare('select 1'));
  memory.close();
  const { all, get, run } = kind;
  const heard = <T>(original: (...values: unknown[]) => T) =>
    function (this: Sqlite.Statement, ...values: unknown[]): T {
      listener(this.source);
      return original.apply(this, values);
    };
  Object.assign(kind, { all: heard(all), get: heard(get), run: heard(run) });
  return () => {
    Object.assign(kind, { all, get, run });
  };
}

/** The same database for a test of what only SQLite does. @throws when the test has another engine. */
export function sqliteOf({ database }: Pick<TestDatabase, 'database'>): SqliteDatabase {
  if (database instanceof SqliteDatabase) return database;
  throw new Error('this test is for SQLite: begin it with onSqlite(…)');
}

let template: Buffer | undefined;

/**
 * The bytes of a migrated database without rows. They are made once for each process of tests, because the migrations
 * take longer than most tests.
 */
function migratedContent(): Buffer {
  if (template !== undefined) return template;
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-test-'));
  const file = join(folder, 'paydesk.db');
  const connection = connect(file);
  migrate(connection, MIGRATIONS);
  // The log is written into the file when its last connection is closed.
  connection.close();
  template = readFileSync(file);
  rmSync(folder, { recursive: true });
  return template;
}

/**
 * Opens a migrated database of SQLite in a new temporary folder, whatever engine the run is for. Writes do not wait for
 * the disk, so that tests which count turns of the event loop run alike everywhere.
 * @param content the bytes of a database file that is there already.
 */
export function openSqliteTest(options: SqliteOptions = { rehearse: true }, content?: Buffer): SqliteTest {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-test-'));
  const file = join(folder, 'paydesk.db');
  writeFileSync(file, content ?? migratedContent());
  const database = new SqliteDatabase(file, { logSync: NO_DISK, ...options });
  const { connection } = database;
  if (content !== undefined) migrate(connection, MIGRATIONS);
  return {
    database,
    file,
    again: () => new SqliteDatabase(file),
    tamper: async (sql, ...values) => {
      if (values.length === 0) connection.exec(sql);
      else connection.prepare(sql).run(values);
    },
    look: async (sql, ...values) => connection.prepare(sql).all(values) as StoredRow[],
    execute: executeOn(connection),
    tables: async () => connection.prepare(TABLES).pluck().all() as string[],
    stored: async () => {
      connection.pragma('wal_checkpoint(truncate)');
      return readFileSync(file, 'latin1');
    },
    hear,
    idle: async (turns) => {
      // Statements are answered at once.
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    },
    brokenReferences: async () => connection.pragma('foreign_key_check') as unknown[],
    breakDisk: async () => {
      connection.pragma('max_page_count = 1');
      return async () => {
        connection.pragma('max_page_count = 1000000');
      };
    },
    dispose: async () => {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
