import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../project.mjs';
import { migrationBetween, nothing, type Snapshot, snapshotOf } from './snapshots.ts';
import { ENGINE_STATEMENTS, postgresTables } from './tables.ts';

/** The migrations of PostgreSQL, in the form of those of SQLite beside them: SQL, snapshots and a journal. */
const folder = join(root, 'drizzle', 'postgres');
const journalFile = join(folder, 'meta', '_journal.json');
const BETWEEN = '--> statement-breakpoint\n';

interface Journal {
  version: string;
  dialect: string;
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[];
}

/** The snapshot of the tables after the migration with this number. */
export const snapshotAfter = (number: number): Snapshot => JSON.parse(readFileSync(snapshotFile(number), 'utf8'));

/**
 * Writes the migration from the newest published schema of PostgreSQL to the one of the tables.ts files. It replaces
 * the migration that was not published.
 * @param published how many migrations have been published
 * @param name what the file is called after its number. The very first one needs none.
 * @returns what was written, below `drizzle/`; `nameless` when there is something to write and no name; undefined when
 * the migration is up to date.
 */
export async function writePostgresMigration(published: number, name: string): Promise<string | 'nameless' | undefined> {
  const journal: Journal = existsSync(journalFile)
    ? JSON.parse(readFileSync(journalFile, 'utf8'))
    : { version: '7', dialect: 'postgresql', entries: [] };
  const unpublished = journal.entries[published];
  const old = unpublished === undefined ? '' : readFileSync(sqlFile(unpublished.tag), 'utf8');
  const before = published === 0 ? nothing : snapshotAfter(published - 1);
  const after = snapshotOf(await postgresTables(), before.id);
  const statements = await statementsBetween(before, after);
  const all = statements.length > 0 && published === 0 ? [...statements, ...ENGINE_STATEMENTS] : statements;
  const text = all.map((statement) => `${statement.trimEnd()}\n`).join(BETWEEN);
  if (text === old) return undefined;
  if (text !== '' && published > 0 && name === '') return 'nameless';

  const entries = journal.entries.slice(0, published);
  if (unpublished !== undefined) {
    rmSync(sqlFile(unpublished.tag));
    rmSync(snapshotFile(published));
  }
  mkdirSync(join(folder, 'meta'), { recursive: true });
  const tag = `${numbered(published)}_${published === 0 ? 'init' : name}`;
  if (text !== '') {
    writeFileSync(sqlFile(tag), text);
    writeFileSync(snapshotFile(published), JSON.stringify(after, null, 2));
    entries.push({ idx: published, version: '7', when: Date.now(), tag, breakpoints: true });
  }
  writeFileSync(journalFile, JSON.stringify({ ...journal, entries }, null, 2));
  return text === '' ? 'postgres/meta/_journal.json' : `postgres/${tag}.sql`;
}

/**
 * The statements that lead from one snapshot to another. Tables that are gone are dropped first, because drizzle-kit
 * would ask whether a new table is one of them under another name, and a script cannot answer.
 */
export async function statementsBetween(before: Snapshot, after: Snapshot): Promise<string[]> {
  const isKept = ([name]: [string, unknown]) => name in after.tables;
  const dropped = Object.entries(before.tables).filter((entry) => !isKept(entry));
  const kept = { ...before, tables: Object.fromEntries(Object.entries(before.tables).filter(isKept)) };
  return [...dropped.map(([, { name }]) => `DROP TABLE "${name}";`), ...(await migrationBetween(kept, after))];
}

const numbered = (number: number): string => String(number).padStart(4, '0');
const sqlFile = (tag: string): string => join(folder, `${tag}.sql`);
const snapshotFile = (number: number): string => join(folder, 'meta', `${numbered(number)}_snapshot.json`);
