import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DrizzleSQLiteSnapshotJSON, generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../project.mjs';
import { snapshotAfter, statementsBetween } from './migration.ts';
import { nothing, type Snapshot, type SnapshotColumn, type SqliteSnapshot, snapshotOf } from './snapshots.ts';
import { postgresTables, sqliteTables } from './tables.ts';

const newestOf = (folder: string): number =>
  JSON.parse(readFileSync(join(root, folder, 'meta', '_journal.json'), 'utf8')).entries.at(-1).idx;

let sqlite: SqliteSnapshot;
let postgres: Snapshot;
beforeAll(async () => {
  sqlite = (await generateSQLiteDrizzleJson(await sqliteTables())) as SqliteSnapshot;
  postgres = snapshotOf(await postgresTables(), nothing.id);
});

describe('the migrations', () => {
  it('of SQLite lead to the tables of tables.ts; otherwise run npm run db:generate', async () => {
    const name = `${String(newestOf('drizzle')).padStart(4, '0')}_snapshot.json`;
    const newest: DrizzleSQLiteSnapshotJSON = JSON.parse(readFileSync(join(root, 'drizzle', 'meta', name), 'utf8'));
    expect(await generateSQLiteMigration(newest, sqlite as DrizzleSQLiteSnapshotJSON)).toEqual([]);
  });

  it('of PostgreSQL lead to the tables of tables.ts; otherwise run npm run db:generate', async () => {
    expect(await statementsBetween(snapshotAfter(newestOf('drizzle/postgres')), postgres)).toEqual([]);
  });
});

/** One line for each part of a table, in words that both engines share. */
type Parts = Record<string, string[]>;

const columnOf = ({ name, type, notNull, primaryKey, default: value }: SnapshotColumn): string =>
  [name, type, notNull && 'not null', primaryKey && 'primary key', value !== undefined && `default ${value}`].filter(Boolean).join(' ');

function partsOfSqlite(): Parts {
  return Object.fromEntries(
    Object.values(sqlite.tables).map((table) => [
      table.name,
      [
        ...Object.values(table.columns).map(columnOf),
        ...Object.values(table.checkConstraints).map(({ name, value }) => `check ${name}: ${value}`),
        ...Object.values(table.indexes).map(({ name, isUnique, where }) => `${isUnique ? 'unique' : 'index'} ${name} ${where ?? ''}`),
        ...Object.values(table.compositePrimaryKeys).map(({ columns }) => `primary key ${columns}`),
        ...Object.values(table.foreignKeys).map(({ columnsFrom, tableTo, columnsTo }) => `${columnsFrom} to ${tableTo} ${columnsTo}`),
      ].toSorted(),
    ]),
  );
}

function partsOfPostgres(): Parts {
  const asInSqlite = (type: string) => ({ bigint: 'integer', 'text COLLATE "C"': 'text' })[type] ?? type;
  return Object.fromEntries(
    Object.values(postgres.tables).map((table) => [
      table.name,
      [
        ...Object.values(table.columns).map((column) => columnOf({ ...column, type: asInSqlite(column.type) })),
        ...Object.values(table.checkConstraints).map(({ name, value }) => `check ${name}: ${value}`),
        ...Object.values(table.indexes).map(({ name, isUnique, where }) => `${isUnique ? 'unique' : 'index'} ${name} ${where ?? ''}`),
        ...Object.values(table.uniqueConstraints).map(({ name }) => `unique ${name} `),
        ...Object.values(table.compositePrimaryKeys).map(({ columns }) => `primary key ${columns}`),
        ...Object.values(table.foreignKeys).map(({ columnsFrom, tableTo, columnsTo }) => `${columnsFrom} to ${tableTo} ${columnsTo}`),
      ].toSorted(),
    ]),
  );
}

describe('the two engines', () => {
  it('have the same tables, with the same columns, checks, keys, references and indexes', () => {
    const [ofSqlite, ofPostgres] = [partsOfSqlite(), partsOfPostgres()];
    expect(Object.keys(ofPostgres).toSorted()).toEqual(Object.keys(ofSqlite).toSorted());
    expect(ofPostgres).toEqual(ofSqlite);
  });

  it('have indexes of the same columns, without those whose values are too long for PostgreSQL', () => {
    for (const { name: table, indexes } of Object.values(postgres.tables))
      for (const { name, columns } of Object.values(indexes)) {
        const others = sqlite.tables[table]?.indexes[name]?.columns.filter((column) => column !== 'search');
        const asInSqlite = columns.map(({ expression, isExpression }) =>
          isExpression ? expression.slice(1, -1).replaceAll('"', '`') : expression,
        );
        expect(
          asInSqlite.map((column) => column.replaceAll('`', '"')),
          name,
        ).toEqual(others?.map((column) => column.replaceAll('`', '"')));
      }
  });

  it('order and compare texts by code point', () => {
    const types = Object.values(postgres.tables).flatMap(({ columns }) => Object.values(columns).map(({ type }) => type));
    expect(new Set(types)).toEqual(new Set(['bigint', 'text COLLATE "C"']));
  });
});
