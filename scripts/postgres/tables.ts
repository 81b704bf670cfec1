import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getTableColumns, is, SQL, sql } from 'drizzle-orm';
import {
  bigint,
  check,
  customType,
  foreignKey,
  index,
  type PgColumn,
  type PgColumnBuilderBase,
  type PgTable,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { getTableConfig, type Index, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { root } from '../project.mjs';

// The tables of the node are defined once, in the tables.ts files, in the words of SQLite. This file makes the tables
// of PostgreSQL from them, for drizzle-kit only. The node itself never asks for them: it builds every statement from
// the one definition.

/** Compares and sorts by code point, as SQLite does. The server's locale must not decide about the order of rows. */
const text = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/**
 * Columns whose values may be longer than PostgreSQL takes into an index (2,704 bytes). Where SQLite's index has one,
 * it only saves SQLite a look into the table.
 */
const TOO_LONG_FOR_INDEXES = ['search'];

/** PostgreSQL cuts longer names off. */
const LONGEST_NAME = 63;

/**
 * What the first migration makes beside the tables of the node, for `src-main/platform/database/postgres/`.
 * - `turns` has one row. Whoever writes updates it first, and so holds its lock until the end: a turn. The term counts
 *   the turns that were committed. `oldest_reader` is the time of the oldest migration with which a process may work.
 * - `turn_writers` has a row for each process that writes, with the number of its commits and the time of the last one,
 *   in milliseconds since the Unix epoch.
 *
 * Both rows change with each commit. The fill factors leave room on their pages, so that no index grows by that.
 * drizzle-kit knows no fill factors, so that these tables are in no snapshot.
 */
export const ENGINE_STATEMENTS = [
  'CREATE TABLE "turns" (\n\t"id" bigint PRIMARY KEY CHECK ("id" = 1),\n\t"term" bigint NOT NULL,\n\t"oldest_reader" bigint NOT NULL DEFAULT 0\n) WITH (fillfactor = 10);',
  'CREATE TABLE "turn_writers" (\n\t"writer" text COLLATE "C" PRIMARY KEY,\n\t"batch" bigint NOT NULL,\n\t"at" bigint NOT NULL\n) WITH (fillfactor = 50);',
  'INSERT INTO "turns" ("id", "term") VALUES (1, 0);',
];

/** The tables that all tables.ts files of the node export, by the names that they have there. */
export async function sqliteTables(): Promise<Record<string, SQLiteTable>> {
  const folder = join(root, 'src-main');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /(^|[\\/])tables\.ts$/.test(path));
  const modules: Record<string, unknown>[] = await Promise.all(
    files.toSorted().map((file) => import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href)),
  );
  return Object.fromEntries(modules.flatMap(Object.entries).filter(([, value]) => is(value, SQLiteTable)));
}

/** The same tables for PostgreSQL, by their names in the database. */
export async function postgresTables(): Promise<Record<string, PgTable>> {
  const made: Record<string, PgTable> = {};
  for (const table of Object.values(await sqliteTables())) made[getTableConfig(table).name] = inPostgres(table, made);
  return made;
}

/** @param made holds all tables once drizzle-kit asks for the references of this one. */
function inPostgres(table: SQLiteTable, made: Readonly<Record<string, PgTable>>): PgTable {
  const { name, columns, checks, indexes, primaryKeys, foreignKeys, uniqueConstraints } = getTableConfig(table);
  if (uniqueConstraints.length > 0)
    throw new Error(`${name}: a unique constraint over several columns is not translated; take a uniqueIndex`);
  const builders = Object.fromEntries(columns.map((column) => [column.name, columnInPostgres(column)]));
  return pgTable(name, builders, (self): PgTableExtraConfigValue[] => {
    const own = (column: SQLiteColumn): PgColumn => columnNamed(self, column.name);
    return [
      ...checks.map((one) => check(one.name, one.value)),
      ...primaryKeys.map((key) => primaryKey({ name: `${name}_pk`, columns: listOf(key.columns.map(own)) })),
      ...indexes.map((one) => indexInPostgres(one, own)),
      ...foreignKeys.map((key) => {
        const { columns: from, foreignTable, foreignColumns } = key.reference();
        const target = made[getTableConfig(foreignTable).name];
        if (target === undefined) throw new Error(`${key.getName()} refers to a table that no tables.ts exports`);
        const there = foreignColumns.map((column) => columnNamed(getTableColumns(target), column.name));
        return foreignKey({ name: short(key.getName()), columns: listOf(from.map(own)), foreignColumns: listOf(there) });
      }),
    ];
  });
}

function columnInPostgres(column: SQLiteColumn): PgColumnBuilderBase {
  const type = column.getSQLType();
  if (type !== 'integer' && type !== 'text') throw new Error(`${column.name}: no rule for the type ${type}`);
  const made = type === 'integer' ? bigint(column.name, { mode: 'bigint' }) : text(column.name);
  // These calls change the builder that they return.
  if (column.notNull) made.notNull();
  if (column.primary) made.primaryKey();
  if (column.isUnique) made.unique(column.uniqueName);
  if (column.default !== undefined) made.default(column.default as SQL);
  return made;
}

function indexInPostgres({ config }: Index, own: (column: SQLiteColumn) => PgColumn): PgTableExtraConfigValue {
  const isShort = (part: SQLiteColumn | SQL) => is(part, SQL) || !TOO_LONG_FOR_INDEXES.includes(part.name);
  if (config.unique && !config.columns.every(isShort)) throw new Error(`${config.name}: its values are too long for an index`);
  // PostgreSQL wants an expression in parentheses.
  const parts = config.columns.filter(isShort).map((part) => (is(part, SQL) ? sql`(${part})` : own(part)));
  const made = (config.unique ? uniqueIndex : index)(short(config.name)).on(...listOf(parts));
  return config.where === undefined ? made : made.where(config.where);
}

function short(name: string): string {
  if (name.length > LONGEST_NAME) throw new Error(`${name} is longer than ${LONGEST_NAME} characters`);
  return name;
}

function columnNamed(columns: Record<string, PgColumn>, name: string): PgColumn {
  const column = columns[name];
  if (column === undefined) throw new Error(`no column ${name}`);
  return column;
}

/** drizzle asks for lists that hold something. */
function listOf<T>(values: readonly T[]): [T, ...T[]] {
  const [first, ...others] = values;
  if (first === undefined) throw new Error('an empty list of columns');
  return [first, ...others];
}
