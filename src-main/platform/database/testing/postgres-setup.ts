import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migratePostgres } from '../postgres/migrate.ts';
import { POSTGRES_MIGRATIONS } from './other-migrations.ts';
import { testServer } from './postgres-server.ts';

/** The PostgreSQL of this run of tests. */
export interface PostgresOfRun {
  /** Names a database of the server from which others can be made. */
  url: string;
  /** A migrated database without rows. */
  template: string;
  /** What the names of the other databases of this run begin with. */
  prefix: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of the run. It is null when none can run here, or when `PAYDESK_TEST_DATABASE=none` wants none. */
    postgres: PostgresOfRun | null;
  }
}

/** Starts one server for a whole run of vitest, with a migrated database that tests copy, and stops it at the end. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const server = await testServer();
  if (server === undefined) {
    if (process.env.PAYDESK_TEST_ENGINE === 'postgres') throw new Error('PAYDESK_TEST_ENGINE=postgres, and there is no PostgreSQL');
    project.provide('postgres', null);
    return undefined;
  }
  const run = `paydesk_test_${process.pid}`;
  const of: PostgresOfRun = { url: server.url, template: `${run}_template`, prefix: `${run}_` };
  await on(server.url, `create database ${of.template} template template0 encoding 'UTF8'`);
  await migratePostgres(databaseUrl(of, of.template), POSTGRES_MIGRATIONS);
  project.provide('postgres', of);
  return async () => {
    // A server that was given keeps nothing of the run.
    if (server.url === process.env.PAYDESK_TEST_DATABASE) await dropAll(of);
    await server.stop();
  };
}

/** The URL of another database of the server. */
export function databaseUrl({ url }: PostgresOfRun, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

async function dropAll({ url, prefix }: PostgresOfRun): Promise<void> {
  const names = await on(url, `select datname as name from pg_database where starts_with(datname, '${prefix}')`);
  for (const { name } of names) await on(url, `drop database if exists "${name}" with (force)`);
}

async function on(url: string, sql: string): Promise<{ name: string }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ name: string }>(sql)).rows;
  } finally {
    await client.end();
  }
}
