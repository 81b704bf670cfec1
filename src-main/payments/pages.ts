import { asc, desc, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { newerThan, olderThan, type Place } from '../platform/database/places.ts';

/** Which part of a list is wanted: `first` items after the cursor, or `last` items before it (facts §7.5). */
export interface PageRequest {
  /** Id of the item to start from; exclusive. */
  cursor: string | undefined;
  direction: 'forward' | 'backward';
  /** 1–100. */
  size: number;
}

export interface Page<T> {
  items: T[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

/** The condition and order that select a page's rows from `place` on (from the newest or oldest end without one). */
export function pageQuery(
  columns: Record<keyof Place, SQLiteColumn>,
  request: PageRequest,
  place: Place | undefined,
): { where: SQL | undefined; orderBy: SQL[] } {
  const { id, createdAt } = columns;
  if (request.direction === 'forward') {
    return { where: place && olderThan(columns, place), orderBy: [desc(createdAt), desc(id)] };
  }
  return { where: place && newerThan(columns, place), orderBy: [asc(createdAt), asc(id)] };
}

/**
 * Builds the page from rows selected with one more than `size`.
 *
 * On the near side of a cursor there is at least the cursor's own row, so there is always a page that way.
 */
export function toPage<T>(rows: T[], request: PageRequest): Page<T> {
  const more = rows.length > request.size;
  const items = rows.slice(0, request.size);
  const fromCursor = request.cursor !== undefined && items.length > 0;
  return request.direction === 'forward'
    ? { items, hasNextPage: more, hasPreviousPage: fromCursor }
    : { items: items.reverse(), hasNextPage: fromCursor, hasPreviousPage: more };
}
