import { and, asc, desc, eq, gt, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Reader } from '../../platform/database/database.ts';
import { contains } from '../../platform/database/dialect.ts';
import { newerThan, olderThan } from '../../platform/database/places.ts';
import { grants, isInteractive } from '../tables.ts';

const DAY_MS = 24 * 60 * 60_000;

/** The part of the operator's grants that is asked for. */
export interface GrantList {
  cursor?: string | undefined;
  limit: number;
  which?: 'all' | 'allowed' | 'free';
  text?: string | undefined;
  unusedDays?: number | undefined;
  order?: 'newest' | 'oldest';
}

/** The operator allowed it, or reads its request now. What strangers asked for and nobody opened is not among them. */
const isAllowed = and(
  isInteractive,
  or(and(isNotNull(grants.decidedAt), ne(grants.state, 'denied')), and(eq(grants.state, 'pending'), isNotNull(grants.openedAt))),
);

/** @param now milliseconds since the Unix epoch. */
export function matching({ which, text, unusedDays }: GrantList, now: number): SQL | undefined {
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

/** The orders of the list, each with what comes after a grant in it. */
export const grantOrders = {
  newest: { after: olderThan, orderBy: [desc(grants.createdAt), desc(grants.id)] },
  oldest: { after: newerThan, orderBy: [asc(grants.createdAt), asc(grants.id)] },
} as const;

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
