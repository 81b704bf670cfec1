import { and, lt } from 'drizzle-orm';
import { DAY_MS, type RetentionRule, removeRows } from '../platform/retention/rule.ts';
import { checkouts, hasPaidNothing } from './tables.ts';

/** Attempts that have failed before a wallet was told to pay. The others stay: they say which wallet paid. */
export const failedCheckoutRule: RetentionRule = {
  kind: 'failed_checkouts',
  tables: [checkouts],
  keptMs: 30 * DAY_MS,
  chosen: true,
  removeSome: (database, before) => removeRows(database, checkouts, and(hasPaidNothing, lt(checkouts.updatedAt, before))),
};
