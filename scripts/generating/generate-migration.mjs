// @ts-check
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePostgresMigration } from '../postgres/migration.ts';
import { commandOf, root, runNode } from '../project.mjs';

// `npm run db:generate -- "a sentence about the change"` writes the migration from the newest published schema to the
// schema of the tables.ts files, once for each engine: SQLite's migrations lie in `drizzle`, those of PostgreSQL in
// `drizzle/postgres`. It replaces the migration that it wrote before. The sentence becomes the migration's name. When
// the tables are unchanged, the migrations stay as they are, so a second run changes nothing.

/** How many migrations have been published. They never change. Raise the number when the newest one is published. */
const PUBLISHED = 3;
/** How many migrations of PostgreSQL have been published. */
const PUBLISHED_POSTGRES = 0;

const folder = join(root, 'drizzle');

/** The sentence in the form in which the name of the file contains it. */
const name = process.argv
  .slice(2)
  .join(' ')
  .toLowerCase()
  .replaceAll(/[^a-z0-9]+/g, '_')
  .replaceAll(/^_+|_+$/g, '');

/** The SQL of the migrations in `drizzle/`. */
const currentSql = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

/**
 * Makes all tables strict: a column then holds only values of its type. drizzle-kit cannot do so.
 * @param {string} sql
 */
const strict = (sql) => sql.replaceAll(/^(CREATE TABLE [^;]*\n\));/gm, '$1 STRICT;');

/**
 * Corrects the SQL with which drizzle-kit rebuilds a table. That SQL copies the new columns from the old table too,
 * which does not have them. Without the copy they get their default.
 * @param {string} sql
 */
function copyOnlyOldColumns(sql) {
  /** @type {Record<string, { columns: Record<string, unknown> }>} */
  const tables = JSON.parse(readFileSync(join(folder, 'meta', `${number(PUBLISHED - 1)}_snapshot.json`), 'utf8')).tables;
  return sql.replaceAll(/^INSERT INTO `(\w+)`\(([^)]*)\) SELECT [^;]* FROM `(\w+)`;/gm, (_, rebuilt, columns, table) => {
    const kept = columns.split(', ').filter((/** @type {string} */ column) => column.slice(1, -1) in (tables[table]?.columns ?? {}));
    return `INSERT INTO \`${rebuilt}\`(${kept.join(', ')}) SELECT ${kept.join(', ')} FROM \`${table}\`;`;
  });
}

/**
 * Takes the tables that the schema no longer has out of the newest published snapshot, until the migration is written.
 * drizzle-kit would ask whether a new table is one of them under another name, and a script cannot answer.
 * @returns the SQL that drops them, and what puts the snapshot back.
 */
async function takeOutDropped() {
  const path = join(folder, 'meta', `${number(PUBLISHED - 1)}_snapshot.json`);
  const published = readFileSync(path, 'utf8');
  const snapshot = JSON.parse(published);
  const { output } = await runNode(commandOf('drizzle-kit'), ['export'], { quiet: true });
  const dropped = Object.keys(snapshot.tables).filter((table) => !output.includes(`CREATE TABLE \`${table}\``));
  for (const table of dropped) delete snapshot.tables[table];
  if (dropped.length > 0) writeFileSync(path, JSON.stringify(snapshot, null, 2));
  const sql = dropped.map((table) => `DROP TABLE \`${table}\`;\n--> statement-breakpoint\n`).join('');
  return { sql, putBack: () => writeFileSync(path, published) };
}

/** @param {number} index */
const number = (index) => String(index).padStart(4, '0');

/** Removes the migrations that were not published. */
function forgetUnpublished() {
  const journalPath = join(folder, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(journalPath, 'utf8'));
  for (const { idx, tag } of journal.entries.slice(PUBLISHED)) {
    rmSync(join(folder, `${tag}.sql`));
    rmSync(join(folder, 'meta', `${number(idx)}_snapshot.json`));
  }
  writeFileSync(journalPath, JSON.stringify({ ...journal, entries: journal.entries.slice(0, PUBLISHED) }, null, 2));
}

function askForSentence() {
  console.error('The tables have changed. Say in a sentence how: npm run db:generate -- "payments remember their app"');
  process.exitCode = 1;
}

const before = mkdtempSync(join(tmpdir(), 'paydesk-migration-'));
try {
  cpSync(folder, before, { recursive: true });
  const old = currentSql();
  forgetUnpublished();
  const dropped = await takeOutDropped();
  const { code, output } = await runNode(commandOf('drizzle-kit'), ['generate', '--name', name || 'unnamed'], { quiet: true });
  dropped.putBack();
  const file = readdirSync(folder).find((name) => name.startsWith(number(PUBLISHED)));
  if (file !== undefined)
    writeFileSync(join(folder, file), dropped.sql + copyOnlyOldColumns(strict(readFileSync(join(folder, file), 'utf8'))));
  // drizzle-kit ends with exit code 0 even when it fails.
  const failed = code !== 0 || (file === undefined && !output.includes('No schema changes'));
  const isNameless = !failed && file !== undefined && name === '' && currentSql() !== old;
  if (failed || isNameless || currentSql() === old) {
    rmSync(folder, { recursive: true });
    cpSync(before, folder, { recursive: true });
  }
  if (failed) {
    console.error(`${output}\nThe migration could not be written; the old one is back.`);
    process.exitCode = 1;
  } else if (isNameless) {
    askForSentence();
  } else {
    console.log(currentSql() === old ? 'The migration of SQLite is up to date.' : `Wrote drizzle/${file}.`);
    const written = await writePostgresMigration(PUBLISHED_POSTGRES, name);
    if (written === 'nameless') askForSentence();
    else console.log(written === undefined ? 'The migration of PostgreSQL is up to date.' : `Wrote drizzle/${written}.`);
  }
} finally {
  rmSync(before, { recursive: true });
}
