import { and, eq, gt, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Reader } from '../../platform/database/database.ts';
import { contains } from '../../platform/database/dialect.ts';
import { following, type ListOrder, type ListPart, listPart, sorting } from '../../platform/database/list-order.ts';
import type { Grant } from '../grant-rows.ts';
import { grants, isInteractive, lastUse } from '../tables.ts';

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

const made = { id: grants.id, key: grants.createdAt, keyOf: ({ createdAt }: Grant) => createdAt, of: 'times' } as const;

/** The orders of the list. A grant that was never used stands where its beginning puts it. */
const ORDERS: Record<GrantOrder, ListOrder<Grant>> = {
  newest: { ...made, ascends: false },
  oldest: { ...made, ascends: true },
  used: { ...made, key: lastUse, keyOf: ({ lastUsedAt, createdAt }) => lastUsedAt ?? createdAt, ascends: false },
  name: { id: grants.id, key: grants.clientId, keyOf: ({ clientId }) => clientId, of: 'texts', ascends: true },
};

/**
 * Reads one part of the list.
 * @param now milliseconds since the Unix epoch.
 */
export async function partOf(reader: Reader, request: GrantList, now: number): Promise<ListPart<Grant>> {
  const order = ORDERS[request.order ?? 'newest'];
  const found = await reader
    .select()
    .from(grants)
    .where(and(following(order, request.cursor), matching(request, now)))
    .orderBy(...sorting(order))
    .limit(request.limit + 1);
  return listPart(found, request.limit, order);
}

/** The most free grants that are counted, so that strangers with many of them do not slow the list down. */
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
