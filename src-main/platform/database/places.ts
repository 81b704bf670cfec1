import { type SQL, sql } from 'drizzle-orm';
import type { Column } from './schema.ts';

/**
 * A row's place in a list that shows the newest row first. Rows of the same time are ordered by id, so the order is
 * fixed.
 */
export interface Place {
  /** Milliseconds since the Unix epoch. */
  createdAt: number;
  id: string;
}

type Columns = Record<keyof Place, Column>;

// An index on (createdAt, id) alone answers this comparison of pairs. With `or` instead, SQLite would scan the rows.
const pair = (place: Place | SQL): SQL => ('id' in place ? sql`(${BigInt(place.createdAt)}, ${place.id})` : place);

/**
 * Selects the rows that come after `place` in such a list. A prepared query passes a pair of placeholders as the place.
 */
export const olderThan = ({ createdAt, id }: Columns, place: Place | SQL): SQL => sql`(${createdAt}, ${id}) < ${pair(place)}`;

/** Selects the rows that come before `place`. */
export const newerThan = ({ createdAt, id }: Columns, place: Place | SQL): SQL => sql`(${createdAt}, ${id}) > ${pair(place)}`;

/** Selects the row at `place` and the rows that come after it. */
export const notNewerThan = ({ createdAt, id }: Columns, place: Place): SQL => sql`(${createdAt}, ${id}) <= ${pair(place)}`;
