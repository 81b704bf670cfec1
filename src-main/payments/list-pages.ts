import { and, asc, desc, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { prepared, type Reader, unpeeked } from '../platform/database/database.ts';
import { newerThan, olderThan, type Place } from '../platform/database/places.ts';
import type { Column } from '../platform/database/schema.ts';

/**
 * Which part of a list is wanted: `first` items after the cursor, or `last` items before it (protocol-notes.md#PN-24).
 */
export interface WantedPage {
  /** Id of the item next to the page; the item itself is not on the page. It is undefined at the end of the list. */
  cursor: string | undefined;
  direction: 'forward' | 'backward';
  /** How many items the page has at most, 1 to 100. */
  size: number;
}

/** One page of a list, in the order in which clients read it: the newest first (decisions.md#D-09). */
export interface Page<T> {
  items: T[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

/** Whose list is wanted. A `client` sees what it created. Without a client the list holds everything. */
export interface WantedList extends WantedPage {
  walletAddressId: string;
  client: string | undefined;
}

/** The clauses that make a query read one page. All values in them are placeholders. */
interface PageClauses {
  where: SQL | undefined;
  orderBy: SQL[];
  limit: Placeholder;
}

type Columns = Record<keyof Place | 'walletAddressId' | 'client', Column>;
type Query<Row> = { execute: (values: Record<string, unknown>) => Promise<Row[]> };

const $ = sql.placeholder;
const placeAsked = sql`(cast(${$('createdAt')} as integer), ${unpeeked('id')})`;

/**
 * Prepares the query behind a list, once for each of its eight shapes: forwards or backwards, everybody's or one
 * client's, from the end or from a cursor. One index answers each of them from the cursor's place on, however long the
 * list is.
 * @returns a function that reads one row more than the page holds, in reading order; see {@link toPage}.
 */
export function preparedPages<Row>(columns: Columns, build: (reader: Reader, clauses: PageClauses) => Query<Row>) {
  const queries = new Map<string, (reader: Reader) => Query<Row>>();
  const queryFor = ({ direction, client }: WantedList, place: Place | undefined) => {
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
  return async (reader: Reader, wanted: WantedList, place: Place | undefined): Promise<Row[]> => {
    const { walletAddressId, client, size } = wanted;
    const from = place && { createdAt: BigInt(place.createdAt), id: place.id };
    return await queryFor(wanted, place)(reader).execute({ walletAddressId, client, ...from, limit: BigInt(size + 1) });
  };
}

/**
 * Builds the page from rows that were selected with one more than `size`.
 *
 * The cursor's own row lies on the side of the cursor from which the list was read. So a page that begins at a cursor
 * always says that there is a page on that side.
 */
export function toPage<T>(rows: T[], wanted: WantedPage): Page<T> {
  const more = rows.length > wanted.size;
  const items = rows.slice(0, wanted.size);
  const fromCursor = wanted.cursor !== undefined && items.length > 0;
  return wanted.direction === 'forward'
    ? { items, hasNextPage: more, hasPreviousPage: fromCursor }
    : { items: items.reverse(), hasNextPage: fromCursor, hasPreviousPage: more };
}
