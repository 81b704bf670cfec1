// @ts-check
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandOf, root, runNode } from './project.mjs';

// `npm run db:generate -- "a sentence about the change"`: the migration from the newest schema that data folders out
// there have to that of the tables.ts files, written anew each time. The sentence becomes its name. Unchanged tables
// leave the migration as it is, so that running this twice changes nothing.

/** How many migrations have been published: they never change. Raise it when the newest is. */
const PUBLISHED = 2;

const folder = join(root, 'drizzle');

/** The sentence as it stands in the name of the file. */
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

/** drizzle-kit cannot ask for strict tables, in which a column holds only values of its type. @param {string} sql */
const strict = (sql) => sql.replaceAll(/^(CREATE TABLE [^;]*\n\));/gm, '$1 STRICT;');

/**
 * Where drizzle-kit rebuilds a table it copies new columns from the old one, which has none of that name; they get
 * their default instead.
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

/** @param {number} index */
const number = (index) => String(index).padStart(4, '0');

/** Takes away what was not published. */
function forgetUnpublished() {
  const journalPath = join(folder, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(journalPath, 'utf8'));
  for (const { idx, tag } of journal.entries.slice(PUBLISHED)) {
    rmSync(join(folder, `${tag}.sql`));
    rmSync(join(folder, 'meta', `${number(idx)}_snapshot.json`));
  }
  writeFileSync(journalPath, JSON.stringify({ ...journal, entries: journal.entries.slice(0, PUBLISHED) }, null, 2));
}

const before = mkdtempSync(join(tmpdir(), 'paydesk-migration-'));
try {
  cpSync(folder, before, { recursive: true });
  const old = currentSql();
  forgetUnpublished();
  const { code, output } = await runNode(commandOf('drizzle-kit'), ['generate', '--name', name || 'unnamed'], { quiet: true });
  const file = readdirSync(folder).find((name) => name.startsWith(number(PUBLISHED)));
  if (file !== undefined) writeFileSync(join(folder, file), copyOnlyOldColumns(strict(readFileSync(join(folder, file), 'utf8'))));
  // drizzle-kit says with exit code 0 that it failed.
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
    console.error('The tables have changed. Say in a sentence how: npm run db:generate -- "payments remember their app"');
    process.exitCode = 1;
  } else console.log(currentSql() === old ? 'The migration is up to date.' : `Wrote drizzle/${file}.`);
} finally {
  rmSync(before, { recursive: true });
}
