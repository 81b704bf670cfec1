import Sqlite from 'better-sqlite3';
import type { Cluster } from '../nodes/cluster.ts';
import { exact, readBooks } from './books.ts';

interface Entry {
  name: string;
  type: string;
  sql: string;
}

/**
 * Looks at the books of a cluster as if a node with SQLite had them: the rules for books are written for SQLite. The
 * caller calls it when nothing is under way. It shares no code with the nodes.
 * @param like a node with SQLite of the same version, whose tables are made here and filled with the rows.
 */
export async function readSharedBooks<T>(cluster: Cluster, like: { dataDir: string }, look: (books: Sqlite.Database) => T): Promise<T> {
  const entries = readBooks(like, (books) =>
    books.prepare<[], Entry>("select name, type, sql from sqlite_schema where type in ('table', 'index') and sql is not null").all(),
  );
  const copy = new Sqlite(':memory:');
  try {
    copy.pragma('foreign_keys = off');
    for (const { sql } of entries) copy.exec(sql);
    for (const { name, type } of entries) if (type === 'table' && !name.startsWith('__')) await fill(copy, name, cluster);
    return look(exact(copy));
  } finally {
    copy.close();
  }
}

/** Integers come as texts, and SQLite makes integers of them, because its columns are declared so. */
async function fill(copy: Sqlite.Database, table: string, cluster: Cluster): Promise<void> {
  for (const row of await cluster.rows<Record<string, string | null>>(`select * from "${table}"`)) {
    const names = Object.keys(row);
    const places = names.map(() => '?').join(', ');
    copy.prepare(`insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values (${places})`).run(Object.values(row));
  }
}
