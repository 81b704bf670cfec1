import type pg from 'pg';
import { movingWords } from '../../../../src-shared/words/terminal/moving.ts';
import { ReportedError } from '../../errors.ts';
import { MIGRATIONS_TABLE, newestMigrationIn } from '../migrate.ts';
import { type PlainRow, quoted, ROWS_AT_ONCE, type RowTarget, selectAll, type TableShape } from '../moving/plain-rows.ts';
import { plainClient } from './plain-client.ts';
import { inWords } from './problems.ts';

const same = (text: string): string => text;
const types = { getTypeParser: () => same };

/** A value of the driver: every type comes as its text. */
type Texts = (string | null)[];

/** The rows of a PostgreSQL database within one transaction, which the caller begins and ends. */
export class PostgresRows implements RowTarget {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /**
   * Runs `work` with a connection of its own, for which no statement takes too long.
   * @param shown the host, the port and the name of the database.
   * @throws ReportedError where the operator can do something.
   */
  static async on<T>({ url, shown }: { url: string; shown: string }, work: (rows: PostgresRows) => Promise<T>): Promise<T> {
    let client: pg.Client | undefined;
    try {
      client = await plainClient(url, { types });
      await client.query(`set client_encoding = 'UTF8'; set statement_timeout = 0; set lock_timeout = 0;
        set idle_in_transaction_session_timeout = 0; set jit = off;
        select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`);
      return await work(new PostgresRows(client));
    } catch (error) {
      throw inWords(error, shown);
    } finally {
      await client?.end().catch(() => undefined);
    }
  }

  /** Runs `work` in a transaction, which an error takes back. @param how the kind of transaction, in SQL. */
  async within<T>(how: string, work: () => Promise<T>): Promise<T> {
    await this.#client.query(`begin ${how}`);
    try {
      const done = await work();
      await this.#client.query('commit');
      return done;
    } catch (error) {
      await this.#client.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  /** Runs one statement. @returns its rows, each with its values as text, in the order of the columns. */
  async ask(text: string, values: PlainRow = []): Promise<Texts[]> {
    return (await this.#client.query<Texts>({ text, values: [...values], rowMode: 'array' })).rows;
  }

  async count({ name }: TableShape): Promise<number> {
    return Number((await this.ask(`select count(*) from ${quoted(name)}`))[0]?.[0]);
  }

  async *rows(table: TableShape): AsyncGenerator<PlainRow[]> {
    await this.ask(`declare moved no scroll cursor for ${selectAll(table)}`);
    for (;;) {
      const some = await this.ask(`fetch ${ROWS_AT_ONCE} from moved`);
      if (some.length > 0) yield some;
      if (some.length < ROWS_AT_ONCE) break;
    }
    await this.ask('close moved');
  }

  /** @throws ReportedError when a text has a NUL character, which PostgreSQL cannot store (decisions.md#D-110). */
  async insert({ name, columns }: TableShape, rows: readonly PlainRow[]): Promise<void> {
    if (rows.some((row) => row.some((value) => value?.includes('\0')))) throw new ReportedError(movingWords.nul({ table: name }));
    const names = columns.map((column) => quoted(column.name)).join(', ');
    const lists = columns.map(({ type }, at) => `$${at + 1}::${type === 'integer' ? 'int8' : 'text'}[]`).join(', ');
    const values = columns.map((_, at) => rows.map((row) => row[at] ?? null));
    await this.#client.query(`insert into ${quoted(name)} (${names}) select * from unnest(${lists})`, values);
  }

  /** Removes all rows of these tables. */
  async empty(tables: readonly TableShape[]): Promise<void> {
    await this.ask(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`);
  }
}

/**
 * Whether a newer version has added something to the database. This version works on beside that one
 * (decisions.md#D-104), but a copy that it makes would lack what it does not know.
 * @param migrations the folder of the migrations for PostgreSQL.
 */
export async function hasAdditions(rows: PostgresRows, migrations: string): Promise<boolean> {
  const [[applied] = []] = await rows.ask(`select max(created_at) from ${MIGRATIONS_TABLE}`);
  return Number(applied ?? 0) > newestMigrationIn(migrations);
}

/**
 * Refuses a database to which a newer version has added something; see {@link hasAdditions}.
 * @param where the host, the port and the name of the database.
 * @throws ReportedError
 */
export async function refuseAdditions(rows: PostgresRows, migrations: string, where: string): Promise<void> {
  if (await hasAdditions(rows, migrations)) throw new ReportedError(movingWords.newerDatabase({ where }));
}
