import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Journal {
  entries: { idx: number; when: number; tag: string }[];
}

/**
 * Makes the migrations of a next version: those in `from`, and one that writes a table of money anew.
 * @param into the folder that gets them.
 */
export function nextVersion(from: string, into: string): void {
  cpSync(from, into, { recursive: true });
  const path = join(into, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(path, 'utf8')) as Journal;
  const last = journal.entries.at(-1);
  if (last === undefined) throw new Error('there are no migrations');
  const next = { ...last, idx: last.idx + 1, when: last.when + 1, tag: `version_${last.idx + 1}` };
  const steps = [
    'CREATE TABLE upgraded AS SELECT * FROM sent_packets',
    'DELETE FROM sent_packets',
    'INSERT INTO sent_packets SELECT * FROM upgraded',
    'DROP TABLE upgraded',
  ];
  writeFileSync(join(into, `${next.tag}.sql`), steps.join(';\n--> statement-breakpoint\n'));
  writeFileSync(path, JSON.stringify({ ...journal, entries: [...journal.entries, next] }));
}
