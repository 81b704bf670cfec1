import { createHash, type Hash } from 'node:crypto';
import type { PlainRow, RowSource, RowTarget, TableShape } from './plain-rows.ts';

/** How far a copy is. */
export interface CopyProgress {
  readonly doing: 'copying' | 'comparing';
  readonly table: string;
  /** How many rows of all tables are done. */
  readonly done: number;
  readonly of: number;
}

/** @returns how many rows were copied. */
export interface Copied {
  readonly rows: number;
  readonly tables: number;
}

/**
 * Copies all rows of these tables, reads them again where they have arrived, and compares each table: how many rows it
 * has, and the SHA-256 over all of them in the order of the key.
 * @param tables in an order in which no row refers to a later table.
 * @throws Error when what has arrived is something else.
 */
export async function copyRows(
  source: RowSource,
  target: RowTarget,
  tables: readonly TableShape[],
  tell: (progress: CopyProgress) => void,
): Promise<Copied> {
  let of = 0;
  for (const table of tables) of += await source.count(table);
  const hashes = new Map<string, string>();
  let done = 0;
  for (const table of tables) {
    const hash = createHash('sha256');
    for await (const rows of source.rows(table)) {
      await target.insert(table, rows);
      add(hash, rows);
      done += rows.length;
      tell({ doing: 'copying', table: table.name, done, of });
    }
    hashes.set(table.name, hash.digest('hex'));
  }
  let read = 0;
  for (const table of tables) {
    const hash = createHash('sha256');
    for await (const rows of target.rows(table)) {
      add(hash, rows);
      read += rows.length;
      tell({ doing: 'comparing', table: table.name, done: read, of });
    }
    if (hash.digest('hex') !== hashes.get(table.name)) throw new Error(`the rows of ${table.name} did not arrive as they were`);
  }
  return { rows: read, tables: tables.length };
}

function add(hash: Hash, rows: readonly PlainRow[]): void {
  for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
}
