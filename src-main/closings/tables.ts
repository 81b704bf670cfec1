import { sql } from 'drizzle-orm';
import type { Role } from '../../src-shared/people/roles.ts';
import { check, int53, int64, primaryKey, table, text, timestampMs } from '../platform/database/schema.ts';

/** The closed days of the shop. Rows are only appended, and never change; see papers.ts. */
export const dayClosings = table(
  'day_closings',
  {
    /** 1, 2, 3 … without gaps. */
    number: int53('number').primaryKey(),
    /** The id that the console gave to the click which closed the day. The same id again gets this closing. */
    requestId: text('request_id').notNull().unique(),
    at: timestampMs('at').notNull(),
    /** The day of the shop on which it was closed, and how the shop counted days then. */
    day: text('day').notNull(),
    timeZone: text('time_zone').notNull(),
    dayEndsAt: int53('day_ends_at').notNull(),
    /** The number of the last movement of the ledger in it. The next closing begins behind it. */
    boundary: int64('boundary').notNull(),
    /** The position of the last event in it. */
    eventBoundary: int64('event_boundary').notNull(),
    /** Who closed it; null for the owner at the computer. */
    byName: text('by_name'),
    byRole: text('by_role').$type<Role>(),
    /** The figures without the accounts, and the SHA-256 of each piece of the accounts, as JSON; see papers.ts. */
    figures: text('figures').notNull(),
    /** The SHA-256 over the hash of the closing before and this one, in hexadecimal. */
    hash: text('hash').notNull(),
  },
  (t) => [check('day_closings_number', sql`${t.number} > 0`)],
);

/** The accounts in the closings, by name, in pieces. Rows are only appended, and never change. */
export const closingAccounts = table(
  'closing_accounts',
  {
    closing: int53('closing')
      .notNull()
      .references(() => dayClosings.number),
    /** 0, 1, 2 … without gaps. */
    piece: int53('piece').notNull(),
    /** The lines of up to 100 accounts as JSON. The closing has the hash of this text. */
    accounts: text('accounts').notNull(),
  },
  (t) => [primaryKey({ columns: [t.closing, t.piece] })],
);

/** What each account had when it was last in a closing. An account that was in none had nothing. */
export const closingBalances = table('closing_balances', {
  accountId: text('account_id').primaryKey(),
  /**
   * The balance with what is set aside, in smallest units, as decimal digits: two balances together may need more than
   * 64 bits.
   */
  balance: text('balance').notNull(),
});
