import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { isId } from '../../platform/ids.ts';

/** A row's place in a list that shows the newest first; equal times are ordered by id, so the order never changes. */
export interface Place {
  /** Milliseconds since the Unix epoch. */
  createdAt: number;
  id: string;
}

/** The rows after `place`. One comparison of pairs, which an index on (createdAt, id) answers by itself. */
export const after = (columns: Record<keyof Place, SQLiteColumn>, place: Place): SQL =>
  sql`(${columns.createdAt}, ${columns.id}) < (${BigInt(place.createdAt)}, ${place.id})`;

/** Whether `a` comes before `b` in such a list. */
export const comesBefore = (a: Place, b: Place): boolean => (a.createdAt === b.createdAt ? a.id > b.id : a.createdAt > b.createdAt);

/** A place as text that callers hand back and do not read. */
export const toCursor = ({ createdAt, id }: Place): string => Buffer.from(`${createdAt}.${id}`).toString('base64url');

/** @returns undefined for a text that {@link toCursor} has not made. */
export function fromCursor(cursor: string): Place | undefined {
  const [time = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString('latin1').split('.');
  const createdAt = Number(time);
  if (rest.length > 0 || !/^\d{1,16}$/.test(time) || !Number.isSafeInteger(createdAt) || !isId(id)) return undefined;
  return { createdAt, id };
}

/** One part of a list, and where the next one begins; null after the last. */
export interface Part<T> {
  items: T[];
  nextCursor: string | null;
}

/** Makes a part of at most `limit` items from one item more than that. */
export function toPart<T>(items: T[], limit: number, placeOf: (item: T) => Place): Part<T> {
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown, nextCursor: items.length > limit && last !== undefined ? toCursor(placeOf(last)) : null };
}
