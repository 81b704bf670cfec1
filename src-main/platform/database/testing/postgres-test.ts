import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresOptions } from '../postgres/options.ts';
import { PostgresDatabase } from '../postgres/postgres-database.ts';
import { inPostgres } from '../postgres/statements.ts';
import type { StoredRow, TestDatabase } from './opened-test.ts';
import { migratedDatabase, type OneDatabase } from './postgres-databases.ts';
import { hear, idle } from './postgres-statements.ts';

const TABLES = `
  select tablename as name from pg_tables
  where schemaname = 'public' and tablename not in ('turns', 'turn_writers', '__drizzle_migrations') order by 1
`;

/** The disk is full for whoever takes the turn to write. */
const FULL_DISK = `
  create function disk_is_full() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
  create trigger full_disk before update on turns execute function disk_is_full();
`;
const ROOM_AGAIN = 'drop function disk_is_full cascade';

/**
 * What a test may have changed of the schema. The number of its parts is enough: no test takes away as many as it adds.
 */
const PARTS = `
  select (select count(*) from pg_attribute where attrelid >= 16384) + (select count(*) from pg_trigger)
    + (select count(*) from pg_constraint) + (select count(*) from pg_proc where oid >= 16384) as parts
`;

interface PostgresTest extends TestDatabase {
  database: PostgresDatabase;
  again(): PostgresDatabase;
}

/** A database that tests of one file use one after the other. */
interface Reused {
  made: OneDatabase;
  /** Resolves when it can be used. */
  ready: Promise<void>;
  parts: bigint;
  /** Removes all rows. */
  empty: string;
}

// Emptying a database takes a tenth of the time in which another one is made. The server's databases go at the end of
// the run.
const resting: Reused[] = [];

/** Opens a migrated database of PostgreSQL. It is made while the test begins: the first statement waits for it. */
export function openPostgresTest(options: Pick<PostgresOptions, 'rehearse'> = { rehearse: true }): PostgresTest {
  const reused = resting.pop() ?? make();
  const { made, ready } = reused;
  const open = (more: Pick<PostgresOptions, 'rehearse'> = {}) => new PostgresDatabase(made.url, { ...more, listens: false, ready });
  const database = open(options);
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-test-'));
  const run = async (sql: string, values: (bigint | string)[]): Promise<StoredRow[]> => {
    await ready;
    return await made.run(values.length === 0 ? sql : inPostgres(sql, values), values);
  };
  const tables = async () => (await run(TABLES, [])).map(({ name }) => String(name));
  return {
    database,
    file: join(folder, 'paydesk.db'),
    again: () => open(),
    tamper: async (sql, ...values) => {
      await run(sql, values);
    },
    look: (sql, ...values) => run(sql, values),
    execute: async (sql, params, method) => {
      await ready;
      const rows = await made.rows(inPostgres(sql, params), params);
      return { rows: method === 'get' ? (rows[0] as unknown[]) : rows };
    },
    tables,
    stored: async () => {
      const rows = await Promise.all((await tables()).map((name) => run(`select * from "${name}"`, [])));
      return rows.flat().flatMap(Object.values).map(String).join('\n');
    },
    hear,
    idle,
    // The server lets none come to be.
    brokenReferences: async () => [],
    breakDisk: async () => {
      await run(FULL_DISK, []);
      return async () => {
        await run(ROOM_AGAIN, []);
      };
    },
    dispose: async () => {
      await database.close();
      rmSync(folder, { recursive: true });
      await giveBack(reused);
    },
  };
}

function make(): Reused {
  const made = migratedDatabase();
  const reused: Reused = { made, ready: Promise.resolve(), parts: 0n, empty: '' };
  reused.ready = made.ready.then(async () => {
    reused.parts = await partsOf(made);
    const tables = await made.run(TABLES);
    // Nothing refers to a row that goes: all go.
    reused.empty = [
      'set session_replication_role = replica',
      ...tables.map(({ name }) => `delete from "${name}"`),
      'delete from turn_writers',
      'update turns set term = 0',
      'set session_replication_role = origin',
    ].join(';');
  });
  // Whoever uses the database hears of it.
  reused.ready.catch(() => undefined);
  return reused;
}

async function giveBack(reused: Reused): Promise<void> {
  await reused.ready;
  if ((await partsOf(reused.made)) !== reused.parts) return await reused.made.drop();
  await reused.made.run(reused.empty);
  resting.push(reused);
}

const partsOf = async (database: OneDatabase): Promise<bigint> => BigInt((await database.run(PARTS))[0]?.parts ?? 0n);
