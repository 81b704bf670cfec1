import type Sqlite from 'better-sqlite3';
import { MIGRATIONS_TABLE } from '../migrate.ts';
import { type PlainRow, quoted, ROWS_AT_ONCE, type RowTarget, selectAll, type TableShape } from './plain-rows.ts';

interface ColumnRow {
  name: string;
  type: string;
  pk: number | bigint;
}

/**
 * The tables of a migrated database, each after those to which it refers.
 * @param without the names of tables that are left out.
 */
export function shapesIn(connection: Sqlite.Database, without: ReadonlySet<string>): TableShape[] {
  const names = connection.prepare("select name from sqlite_schema where type = 'table' order by name").pluck().all() as string[];
  const found = new Map(
    names.filter((name) => name !== MIGRATIONS_TABLE && !without.has(name)).map((name) => [name, shapeOf(connection, name)]),
  );
  const ordered = new Set<TableShape>();
  const add = (name: string): void => {
    const shape = found.get(name);
    if (shape === undefined || ordered.has(shape)) return;
    found.delete(name);
    for (const { table } of connection.pragma(`foreign_key_list(${quoted(name)})`) as { table: string }[]) add(table);
    ordered.add(shape);
  };
  for (const name of names) add(name);
  return [...ordered];
}

function shapeOf(connection: Sqlite.Database, name: string): TableShape {
  const columns = connection.pragma(`table_info(${quoted(name)})`) as ColumnRow[];
  const key = columns.filter(({ pk }) => Number(pk) > 0).toSorted((a, b) => Number(a.pk) - Number(b.pk));
  if (key.length === 0) throw new Error(`${name} has no primary key`);
  return {
    name,
    columns: columns.map((column) => ({ name: column.name, type: column.type.toLowerCase() === 'integer' ? 'integer' : 'text' })),
    key: key.map((column) => column.name),
  };
}

/** The rows of a SQLite file that nobody else has open. */
export class SqliteRows implements RowTarget {
  readonly #connection: Sqlite.Database;

  constructor(connection: Sqlite.Database) {
    this.#connection = connection;
  }

  async count({ name }: TableShape): Promise<number> {
    return Number(
      this.#connection
        .prepare(`select count(*) from ${quoted(name)}`)
        .pluck()
        .get(),
    );
  }

  async *rows(table: TableShape): AsyncGenerator<PlainRow[]> {
    let some: PlainRow[] = [];
    const all = this.#connection.prepare(selectAll(table)).raw().safeIntegers().iterate();
    for (const row of all as IterableIterator<unknown[]>) {
      some.push(row.map((value) => (value === null ? null : String(value))));
      if (some.length < ROWS_AT_ONCE) continue;
      yield some;
      some = [];
    }
    if (some.length > 0) yield some;
  }

  /** SQLite makes integers of the digits, because the columns are integers. */
  async insert({ name, columns }: TableShape, rows: readonly PlainRow[]): Promise<void> {
    const places = columns.map(() => '?').join(', ');
    const insert = this.#connection.prepare(
      `insert into ${quoted(name)} (${columns.map((column) => quoted(column.name)).join(', ')}) values (${places})`,
    );
    this.#connection.transaction(() => {
      for (const row of rows) insert.run(row);
    })();
  }
}
