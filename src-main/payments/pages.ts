import { and, asc, desc, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { prepared, type Reader, unpeeked } from '../platform/database/database.ts';
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

/** Whose list is wanted: `client` sees what it created, undefined sees everything. */
export interface ListRequest extends PageRequest {
  walletAddressId: string;
  client: string | undefined;
}

/** What makes a query read one page; all values in it are placeholders. */
export interface PageClauses {
  where: SQL | undefined;
  orderBy: SQL[];
  limit: Placeholder;
}

type Columns = Record<keyof Place | 'walletAddressId' | 'client', SQLiteColumn>;
type Query<Row> = { execute: (values: Record<string, unknown>) => Promise<Row[]> };

const $ = sql.placeholder;
const placeAsked = sql`(cast(${$('createdAt')} as integer), ${unpeeked('id')})`;

/**
 * The query behind a list, prepared once for each of its eight shapes: forwards or backwards, everybody's or one client's,
 * from the end or from a cursor. Each is answered by one index, from the cursor's place on, however long the list.
 * @returns reads one row more than the page holds, in reading order; see {@link toPage}.
 */
export function preparedPages<Row>(columns: Columns, build: (reader: Reader, clauses: PageClauses) => Query<Row>) {
  const queries = new Map<string, (reader: Reader) => Query<Row>>();
  const queryFor = ({ direction, client }: ListRequest, place: Place | undefined) => {
    const shape = `${direction} ${client === undefined ? 'all' : 'own'} ${place === undefined ? 'end' : 'cursor'}`;
    const known = queries.get(shape);
    if (known !== undefined) return known;
    const clauses = {
      where: and(
        eq(columns.walletAddressId, unpeeked('walletAddressId')),
        client === undefined ? undefined : eq(columns.client, unpeeked('client')),
        place && (direction === 'forward' ? olderThan : newerThan)(columns, placeAsked),
      ),
      orderBy: [columns.createdAt, columns.id].map(direction === 'forward' ? desc : asc),
      limit: $('limit'),
    };
    const query = prepared((reader: Reader) => build(reader, clauses));
    queries.set(shape, query);
    return query;
  };
  return async (reader: Reader, request: ListRequest, place: Place | undefined): Promise<Row[]> => {
    const { walletAddressId, client, size } = request;
    const from = place && { createdAt: BigInt(place.createdAt), id: place.id };
    return await queryFor(request, place)(reader).execute({ walletAddressId, client, ...from, limit: BigInt(size + 1) });
  };
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
