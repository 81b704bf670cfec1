import { and, asc, desc, eq, gt, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Reader } from '../../platform/database/database.ts';
import { contains } from '../../platform/database/dialect.ts';
import type { Column } from '../../platform/database/schema.ts';
import { isId } from '../../platform/ids.ts';
import type { Grant } from '../grant-rows.ts';
import { grants, isInteractive } from '../tables.ts';

const DAY_MS = 24 * 60 * 60_000;

/** `used`: the one that was used last comes first. `name`: by the id of the app, of which its name is made. */
export type GrantOrder = 'newest' | 'oldest' | 'used' | 'name';

/** The part of the operator's grants that is asked for. */
export interface GrantList {
  cursor?: string | undefined;
  limit: number;
  which?: 'all' | 'allowed' | 'free';
  text?: string | undefined;
  unusedDays?: number | undefined;
  order?: GrantOrder;
}

/** The operator allowed it, or reads its request now. What strangers asked for and nobody opened is not among them. */
const isAllowed = and(
  isInteractive,
  or(and(isNotNull(grants.decidedAt), ne(grants.state, 'denied')), and(eq(grants.state, 'pending'), isNotNull(grants.openedAt))),
);

/** @param now milliseconds since the Unix epoch. */
function matching({ which, text, unusedDays }: GrantList, now: number): SQL | undefined {
  const needle = text?.trim().toLowerCase() ?? '';
  const words = or(contains(sql`lower(${grants.clientId})`, needle), contains(sql`lower(${grants.clientName})`, needle));
  const kind = which === 'allowed' ? isAllowed : which === 'free' ? eq(grants.interactive, false) : undefined;
  return and(kind, needle === '' ? undefined : words, unusedDays === undefined ? undefined : unusedSince(now - unusedDays * DAY_MS, now));
}

/** The grant can be used, and nobody has used it since that moment. */
const unusedSince = (since: number, now: number): SQL | undefined =>
  and(
    eq(grants.state, 'issued'),
    or(isNull(grants.expiresAt), gt(grants.expiresAt, now)),
    lt(grants.createdAt, since),
    or(isNull(grants.lastUsedAt), lt(grants.lastUsedAt, since)),
  );

interface Order {
  /** What the list is sorted by. Grants that are alike in it are sorted by id. */
  key: SQL | Column;
  keyOf: (grant: Grant) => string | number;
  ascends: boolean;
}

const made = { key: grants.createdAt, keyOf: ({ createdAt }: Grant) => createdAt };

/** The orders of the list. A grant that was never used stands where its beginning puts it. */
const ORDERS: Record<GrantOrder, Order> = {
  newest: { ...made, ascends: false },
  oldest: { ...made, ascends: true },
  used: {
    key: sql`coalesce(${grants.lastUsedAt}, ${grants.createdAt})`,
    keyOf: ({ lastUsedAt, createdAt }) => lastUsedAt ?? createdAt,
    ascends: false,
  },
  name: { key: grants.clientId, keyOf: ({ clientId }) => clientId, ascends: true },
};

/**
 * Reads one part of the list.
 * @param now milliseconds since the Unix epoch.
 * @returns the grants, and where the next part begins; null after the last one
 */
export async function partOf(reader: Reader, request: GrantList, now: number): Promise<{ rows: Grant[]; nextCursor: string | null }> {
  const { key, keyOf, ascends } = ORDERS[request.order ?? 'newest'];
  const way = ascends ? asc : desc;
  const found = await reader
    .select()
    .from(grants)
    .where(and(after(request), matching(request, now)))
    .orderBy(way(key), way(grants.id))
    .limit(request.limit + 1);
  const rows = found.slice(0, request.limit);
  const last = found.length > rows.length ? rows.at(-1) : undefined;
  return { rows, nextCursor: last === undefined ? null : `${last.id} ${keyOf(last)}` };
}

/**
 * What comes after the grant that a cursor names with its place. The place is in the cursor, because the grant may have
 * been used or removed since. A cursor that this list has not made begins at the top.
 */
function after({ cursor = '', order = 'newest' }: GrantList): SQL | undefined {
  const { key, ascends } = ORDERS[order];
  const [id = '', place = ''] = cursor.split(' ');
  if (!isId(id) || (order !== 'name' && !/^\d{1,16}$/.test(place))) return undefined;
  const pair = sql`(${order === 'name' ? place : BigInt(place)}, ${id})`;
  return ascends ? sql`(${key}, ${grants.id}) > ${pair}` : sql`(${key}, ${grants.id}) < ${pair}`;
}

/** So many free grants are counted at most, so that strangers with many of them do not slow the list down. */
const COUNTED = 10_000;

/** How many clients have a grant that nobody was asked for, because it moves no money. */
export async function countFree(reader: Reader): Promise<number> {
  const free = reader
    .select({ clientId: grants.clientId })
    .from(grants)
    .where(and(eq(grants.state, 'issued'), eq(grants.interactive, false)))
    .limit(COUNTED)
    .as('free');
  const [row] = await reader.select({ clients: sql<bigint>`count(distinct ${free.clientId})` }).from(free);
  return Number(row?.clients ?? 0);
}
