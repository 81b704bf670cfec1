import { asc, count, desc, type SQL, sql } from 'drizzle-orm';
import { isId } from '../ids.ts';
import type { Reader } from './database.ts';
import type { Column, Table } from './schema.ts';

/** An order of a list: by a key, and by id where keys are alike. An index on both answers it without sorting. */
export interface ListOrder<Row> {
  key: SQL | Column;
  /** The key of a row: a time in milliseconds since the Unix epoch, or a text. */
  keyOf: (row: Row) => string | number;
  of: 'times' | 'texts';
  id: Column;
  ascends: boolean;
}

/** One part of a list, and where the next one begins. The cursor is null after the last part. */
export interface ListPart<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/** What a query sorts by, so that its rows are in this order. */
export function sorting<Row>({ key, id, ascends }: ListOrder<Row>): SQL[] {
  const way = ascends ? asc : desc;
  return [way(key), way(id)];
}

/**
 * Selects what comes after the row that a cursor names with its place. The place is in the cursor, because the row may
 * have changed or gone since. A cursor that no list in this order has made begins at the top.
 */
export function following<Row>({ key, of, id, ascends }: ListOrder<Row>, cursor = ''): SQL | undefined {
  const end = cursor.indexOf(' ');
  const [rowId, place] = [cursor.slice(0, end), cursor.slice(end + 1)];
  if (!isId(rowId) || (of === 'times' && !/^\d{1,16}$/.test(place))) return undefined;
  const pair = sql`(${of === 'times' ? BigInt(place) : place}, ${rowId})`;
  return ascends ? sql`(${key}, ${id}) > ${pair}` : sql`(${key}, ${id}) < ${pair}`;
}

/** Makes a part of at most `limit` rows. The caller has read one row more when there are more. */
export function listPart<Row extends { id: string }>(found: readonly Row[], limit: number, { keyOf }: ListOrder<Row>): ListPart<Row> {
  const rows = found.slice(0, limit);
  const last = found.length > rows.length ? rows.at(-1) : undefined;
  return { rows, nextCursor: last === undefined ? null : `${last.id} ${keyOf(last)}` };
}

/** A query for how many rows there are, up to `most`. When there are more, the answer is one more than that. */
export function countSome(reader: Reader, table: Table, where: SQL | undefined, most: number) {
  const some = reader
    .select({ one: sql`1`.as('one') })
    .from(table)
    .where(where)
    .limit(most + 1)
    .as('some');
  return reader.select({ rows: count() }).from(some);
}
