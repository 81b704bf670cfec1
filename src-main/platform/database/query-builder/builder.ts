import { DrizzleQueryError, is, Param, Placeholder, type Query } from 'drizzle-orm';
import {
  BaseSQLiteDatabase,
  type PreparedQueryConfig,
  type SelectedFieldsOrdered,
  SQLiteAsyncDialect,
  type SQLiteExecuteMethod,
  SQLitePreparedQuery,
  SQLiteSession,
} from 'drizzle-orm/sqlite-core';
import { objectOf, type RowShape, rowShape } from './row-shape.ts';

/**
 * Runs one statement of the query builder.
 * @returns the rows: one or none for `get`, all of them otherwise, and none for `run`.
 */
export type Execute = (sql: string, params: unknown[], method: 'run' | 'all' | 'get' | 'values') => Promise<{ rows: unknown[] }>;

export type Builder = BaseSQLiteDatabase<'async', { rows: unknown[] }, Record<string, never>>;

/** The query builder over `execute`, whichever engine that is. It speaks the SQL of SQLite. */
export function builder(execute: Execute): Builder {
  const dialect = new SQLiteAsyncDialect();
  return new BaseSQLiteDatabase('async', dialect, new Session(dialect, execute), undefined);
}

/**
 * How the query builder reaches a database. The builder's own way (`drizzle-orm/sqlite-proxy`) finds out anew for each
 * parameter and each value of a row what it is, which takes longer than many a statement (decisions.md#D-329).
 */
class Session extends SQLiteSession<'async', { rows: unknown[] }, Record<string, never>, Record<string, never>> {
  readonly #execute: Execute;

  constructor(dialect: SQLiteAsyncDialect, execute: Execute) {
    super(dialect);
    this.#execute = execute;
  }

  prepareQuery(query: Query, fields: SelectedFieldsOrdered | undefined, method: SQLiteExecuteMethod): PreparedQuery {
    return new PreparedQuery(this.#execute, query, fields, method);
  }

  transaction(): never {
    throw new Error('transactions are those of Database.write');
  }
}

/** One value that a statement gets. */
type Binding = (values: Readonly<Record<string, unknown>>) => unknown;

interface Answers extends PreparedQueryConfig {
  type: 'async';
  run: { rows: unknown[] };
  all: unknown[];
  get: unknown;
  values: unknown[];
  execute: unknown;
}

class PreparedQuery extends SQLitePreparedQuery<Answers> {
  readonly #execute: Execute;
  readonly #fields: SelectedFieldsOrdered | undefined;
  readonly #bindings: readonly Binding[];
  #shape: RowShape | undefined;
  /** The builder sets it after it has made the query, where the query joins tables. */
  declare joinsNotNullableMap?: Readonly<Record<string, boolean>>;

  constructor(execute: Execute, query: Query, fields: SelectedFieldsOrdered | undefined, method: SQLiteExecuteMethod) {
    super('async', method, query);
    this.#execute = execute;
    this.#fields = fields;
    this.#bindings = query.params.map(bindingOf);
  }

  run(values: Record<string, unknown> = {}): Promise<{ rows: unknown[] }> {
    return this.#ask('run', values);
  }

  async all(values: Record<string, unknown> = {}): Promise<unknown[]> {
    const { rows } = await this.#ask('all', values);
    const shape = this.#shapeOfRows();
    return shape === undefined ? rows : rows.map((row) => objectOf(shape, row as unknown[]));
  }

  async get(values: Record<string, unknown> = {}): Promise<unknown> {
    const row: unknown[] | null | undefined = (await this.#ask('get', values)).rows;
    if (!row) return undefined;
    const shape = this.#shapeOfRows();
    return shape === undefined ? row : objectOf(shape, row);
  }

  async values(values: Record<string, unknown> = {}): Promise<unknown[]> {
    return (await this.#ask('values', values)).rows;
  }

  async #ask(method: Parameters<Execute>[2], values: Record<string, unknown>): Promise<{ rows: unknown[] }> {
    const { sql } = this.query;
    const params = this.#bindings.map((binding) => binding(values));
    try {
      return await this.#execute(sql, params, method);
    } catch (error) {
      throw new DrizzleQueryError(sql, params, error as Error);
    }
  }

  #shapeOfRows(): RowShape | undefined {
    this.#shape ??= this.#fields && rowShape(this.#fields, this.joinsNotNullableMap);
    return this.#shape;
  }
}

function bindingOf(param: unknown): Binding {
  if (is(param, Placeholder)) return filling(param.name);
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder, value } = param;
  const fill = filling(value.name);
  return (values) => encoder.mapToDriverValue(fill(values));
}

const filling =
  (name: string): Binding =>
  (values) => {
    const value = values[name];
    if (value === undefined && !(name in values)) throw new Error(`the query has no value for ${name}`);
    return value;
  };
