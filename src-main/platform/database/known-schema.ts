import Sqlite from 'better-sqlite3';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { MIGRATIONS_TABLE, newestOf, run } from './migrate.ts';

/** The most entries that are read of a schema and of its migrations. No version of paydesk makes nearly as many. */
const MOST_ENTRIES = 5_000;

interface Entry {
  type: string;
  name: string;
  tbl_name: string;
  sql: string | null;
}

/**
 * Tells where the schema of a database comes from. It runs nothing that the schema stores: the definition of a table is
 * compared before the table is read.
 * - `known`: it is exactly what the migrations make that the database says it has.
 * - `newer`: the database says that it has a migration that this version does not know.
 * - `foreign`: it has a table, column, index, view or trigger that those migrations do not make, or it lacks one.
 * @throws SqliteError when the file is damaged. See decisions.md#D-61.
 */
export function schemaOrigin(connection: Sqlite.Database, migrationsFolder: string): 'known' | 'newer' | 'foreign' {
  const migrations = readMigrationFiles({ migrationsFolder });
  const entries = entriesOf(connection);
  const [record] = schemaOf([]);
  if (record === undefined || !entries.some((entry) => isSame(entry, record))) return 'foreign';
  const applied = connection
    .prepare(`select created_at from ${MIGRATIONS_TABLE} order by created_at limit ${MOST_ENTRIES}`)
    .pluck()
    .all()
    .map(Number);
  if (applied.some((at) => at > newestOf(migrations))) return 'newer';
  const expected = migrations.slice(0, applied.length);
  if (!applied.every((at, index) => at === expected[index]?.folderMillis)) return 'foreign';
  const made = schemaOf(expected);
  return entries.length === made.length && made.every((entry, at) => isSame(entry, entries[at])) ? 'known' : 'foreign';
}

/** The schema that these migrations make. */
function schemaOf(migrations: readonly MigrationMeta[]): Entry[] {
  const connection = new Sqlite(':memory:');
  try {
    run(connection, migrations);
    return entriesOf(connection);
  } finally {
    connection.close();
  }
}

const entriesOf = (connection: Sqlite.Database): Entry[] =>
  connection.prepare(`select type, name, tbl_name, sql from sqlite_schema order by type, name limit ${MOST_ENTRIES}`).all() as Entry[];

const isSame = (a: Entry, b: Entry | undefined): boolean =>
  a.type === b?.type && a.name === b.name && a.tbl_name === b.tbl_name && a.sql === b.sql;
