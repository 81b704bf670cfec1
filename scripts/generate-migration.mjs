// @ts-check
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandOf, root, runNode } from './project.mjs';

// `npm run db:generate`: the one migration there is before the first release, written anew from the tables.ts files.
// Unchanged tables leave it as it is, so that running this twice changes nothing.
const folder = join(root, 'drizzle');

/** The SQL of the migrations in `drizzle/`. */
const currentSql = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

/** drizzle-kit cannot ask for strict tables, in which a column holds only values of its type. @param {string} sql */
const strict = (sql) => sql.replaceAll(/^(CREATE TABLE [^;]*\n\));/gm, '$1 STRICT;');

mkdirSync(folder, { recursive: true });
const before = mkdtempSync(join(tmpdir(), 'paydesk-migration-'));
try {
  cpSync(folder, before, { recursive: true });
  const old = currentSql();
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  const { code, output } = await runNode(commandOf('drizzle-kit'), ['generate', '--name', 'init'], { quiet: true });
  const file = readdirSync(folder).find((name) => name.endsWith('.sql'));
  if (file !== undefined) writeFileSync(join(folder, file), strict(readFileSync(join(folder, file), 'utf8')));
  if (code !== 0 || file === undefined || currentSql() === old) {
    rmSync(folder, { recursive: true });
    cpSync(before, folder, { recursive: true });
  }
  if (code !== 0 || file === undefined) {
    console.error(`${output}\nThe migration could not be written; the old one is back.`);
    process.exitCode = 1;
  } else console.log(currentSql() === old ? 'The migration is up to date.' : `Wrote drizzle/${file}.`);
} finally {
  rmSync(before, { recursive: true });
}
