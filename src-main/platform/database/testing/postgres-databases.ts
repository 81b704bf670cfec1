import pg from 'pg';
import { inject } from 'vitest';
import type { StoredRow } from './opened-test.ts';
import { databaseUrl, type PostgresOfRun } from './postgres-setup.ts';

/** A database of the server of this run, for one test. */
export interface OneDatabase {
  url: string;
  /** Resolves when the database is there. */
  ready: Promise<void>;
  /** Runs SQL beside the node, as the owner of the server. @returns the rows of the last statement. */
  run(sql: string, values?: readonly (bigint | string)[]): Promise<StoredRow[]>;
  /** Runs one statement. @returns its rows, each with its values in the order of the columns. */
  rows(sql: string, values: readonly unknown[]): Promise<unknown[][]>;
  drop(): Promise<void>;
}

const server: PostgresOfRun | null = inject('postgres');
let count = 0;

/** Whether this run of tests has a PostgreSQL server. */
export const hasPostgres: boolean = server !== null;

/** Makes a database that was never migrated. */
export const emptyDatabase = (): OneDatabase => make('template0', " encoding 'UTF8'");

/** Makes a migrated database without rows. */
export const migratedDatabase = (): OneDatabase => make(serverOfRun().template);

function make(template: string, form = ''): OneDatabase {
  count += 1;
  const name = `${serverOfRun().prefix}${process.pid}_${count}`;
  const url = databaseUrl(serverOfRun(), name);
  const client = onServer(`create database "${name}" template "${template}"${form}`).then(() => connected(url));
  const ready = client.then(() => undefined);
  // Whoever uses the database hears of it.
  ready.catch(() => undefined);
  return {
    url,
    ready,
    run: async (sql, values = []) => {
      const answer: pg.QueryResult<StoredRow> | pg.QueryResult<StoredRow>[] = await (await client).query(sql, [...values]);
      return (Array.isArray(answer) ? answer.at(-1) : answer)?.rows ?? [];
    },
    rows: async (text, values) => (await (await client).query({ text, values: [...values], rowMode: 'array' })).rows,
    drop: async () => {
      await (await client).end();
      await onServer(`drop database "${name}" with (force)`);
    },
  };
}

function serverOfRun(): PostgresOfRun {
  if (server === null) throw new Error('this run of tests has no PostgreSQL');
  return server;
}

async function onServer(sql: string): Promise<void> {
  const client = await connected(serverOfRun().url);
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

// As the node has them: integers are bigint, and everything else is text. The numbers are those of PostgreSQL's
// catalogue pg_type: int8, int2, int4, numeric.
const INTEGERS = new Set([20, 21, 23, 1700]);
const types = { getTypeParser: (type: number) => (INTEGERS.has(type) ? BigInt : (text: string) => text) };

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, types });
  // The server ends the connection when somebody drops the database by force.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
