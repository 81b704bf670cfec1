import { type SQL, sql } from 'drizzle-orm';
import type { Column } from './schema.ts';

/** A row's place in a list that shows the newest first; equal times are ordered by id, so that the order never changes. */
export interface Place {
  /** Milliseconds since the Unix epoch. */
  createdAt: number;
  id: string;
}

type Columns = Record<keyof Place, Column>;

// One comparison of pairs, which an index on (createdAt, id) answers by itself; spelt out with `or` it would be scanned.
const pair = (place: Place | SQL): SQL => ('id' in place ? sql`(${BigInt(place.createdAt)}, ${place.id})` : place);

/** The rows that come after `place` in such a list; for a prepared query a pair of placeholders stands for it. */
export const olderThan = ({ createdAt, id }: Columns, place: Place | SQL): SQL => sql`(${createdAt}, ${id}) < ${pair(place)}`;

/** The rows that come before `place`. */
export const newerThan = ({ createdAt, id }: Columns, place: Place | SQL): SQL => sql`(${createdAt}, ${id}) > ${pair(place)}`;

/** The rows that come after `place`, and the row at it. */
export const notNewerThan = ({ createdAt, id }: Columns, place: Place): SQL => sql`(${createdAt}, ${id}) <= ${pair(place)}`;
