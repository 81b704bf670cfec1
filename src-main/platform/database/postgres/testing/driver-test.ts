import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { Tx } from '../../database.ts';
import { int64, table, text } from '../../schema.ts';
import { POSTGRES_MIGRATIONS } from '../../testing/other-migrations.ts';
import { databaseUrl, type PostgresOfRun } from '../../testing/postgres-setup.ts';
import { migratePostgres } from '../migrate.ts';
import type { PostgresOptions } from '../options.ts';
import { PostgresDatabase } from '../postgres-database.ts';

/** Tables of the driver's own tests, so that these do not depend on the tables of the wings. */
export const notes = table('notes', { id: text('id').primaryKey(), body: text('body').notNull() });
export const counters = table('counters', { id: text('id').primaryKey(), value: int64('value').notNull() });
const TABLES = `
  create table notes (id text collate "C" primary key, body text collate "C" not null);
  create table counters (id text collate "C" primary key, value bigint not null check (value >= 0));
`;

export const note = (tx: Tx, id: string, body = '') => tx.insert(notes).values({ id, body });

/** Makes databases on a server for the tests of one file. */
export class DriverTest {
  readonly #server: PostgresOfRun | null;
  readonly #opened: PostgresDatabase[] = [];
  readonly #made: string[] = [];
  #usual: string | undefined;

  private constructor(server: PostgresOfRun | null) {
    this.#server = server;
  }

  static async start(): Promise<DriverTest> {
    return new DriverTest(inject('postgres'));
  }

  /** Whether there is a server. Tests are skipped where none can run. */
  get canRun(): boolean {
    return this.#server !== null;
  }

  get #run(): PostgresOfRun {
    if (this.#server === null) throw new Error('there is no server');
    return this.#server;
  }

  /** A database with the tables of this file and nothing in them. It is the same one for all tests of a file. */
  async fresh(): Promise<string> {
    if (this.#usual === undefined) this.#usual = await this.another();
    else await this.admin(this.#usual, 'truncate notes, counters, turn_writers; update turns set term = 0');
    return this.#usual;
  }

  /** Makes another database with those tables. @param form how it is made, in SQL. @returns its URL. */
  async another(form = ''): Promise<string> {
    const name = `${this.#run.prefix}driver_${randomUUID().replaceAll('-', '')}`;
    await this.admin(this.#run.url, `create database ${name} ${form}`);
    this.#made.push(name);
    const url = databaseUrl(this.#run, name);
    await migratePostgres(url, POSTGRES_MIGRATIONS);
    await this.admin(url, TABLES);
    return url;
  }

  open(url: string, options: PostgresOptions = {}): PostgresDatabase {
    const database = new PostgresDatabase(url, options);
    this.#opened.push(database);
    return database;
  }

  /** Runs SQL as somebody beside the node would. @returns the rows of the last statement. */
  async admin(url: string, sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const answer: pg.QueryResult | pg.QueryResult[] = await client.query(sql);
      return (Array.isArray(answer) ? answer.at(-1) : answer)?.rows ?? [];
    } finally {
      await client.end();
    }
  }

  /** Hears notifications, as another program would. */
  async listen(url: string, channel: string, hear: (payload: string) => void): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    client.on('notification', ({ payload = '' }) => hear(payload));
    await client.query(`listen ${channel}`);
    return client;
  }

  /** Ends the sessions that have the turn now. */
  async throwOut(url: string): Promise<void> {
    await this.admin(
      url,
      `select pg_terminate_backend(pid) from pg_locks where relation = 'turns'::regclass and mode = 'RowExclusiveLock' and granted`,
    );
  }

  /** Closes what the test has opened. */
  async closeAll(): Promise<void> {
    await Promise.all(this.#opened.splice(0).map((database) => database.close()));
  }

  async stop(): Promise<void> {
    for (const name of this.#made.splice(0)) await this.admin(this.#run.url, `drop database ${name} with (force)`);
  }
}
