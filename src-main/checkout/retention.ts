import { and, desc, lt } from 'drizzle-orm';
import { removeEventsOf } from '../journal/retention.ts';
import type { Database } from '../platform/database/database.ts';
import { DAY_MS, type RetentionRule, removeRows } from '../platform/retention/rule.ts';
import { checkouts, hasPaidNothing } from './tables.ts';

/**
 * The most failed attempts that stay. Visitors need no key, so their attempts count for nobody (decisions.md#D-131).
 */
const MOST_FAILED = 10_000;

/**
 * Attempts that have failed before a wallet was told to pay, and their events. The others stay: they say which wallet
 * paid.
 */
export const failedCheckoutRule: RetentionRule = keepingFailed(MOST_FAILED);

/** @param most how many of them stay, the newest ones. */
export function keepingFailed(most: number): RetentionRule {
  return {
    kind: 'failed_checkouts',
    tables: [checkouts],
    keptMs: 30 * DAY_MS,
    chosen: true,
    removeSome: async (database, before) => {
      const old = lt(checkouts.updatedAt, Math.max(before, (await newestTooMany(database, most)) + 1));
      return await removeRows(database, checkouts, and(hasPaidNothing, old), { id: checkouts.id, remove: removeEventsOf });
    },
  };
}

/** The time of the newest of those failed attempts that are too many, or 0. All others of that millisecond go, too. */
async function newestTooMany({ read }: Database, most: number): Promise<number> {
  const [row] = await read
    .select({ at: checkouts.updatedAt })
    .from(checkouts)
    .where(hasPaidNothing)
    .orderBy(desc(checkouts.updatedAt))
    .limit(1)
    .offset(most);
  return row?.at ?? 0;
}
