import { sql } from 'drizzle-orm';
import { check, int53, primaryKey, table, text, timestampMs } from '../platform/database/schema.ts';

/** The rates between currencies, as the operator has entered them. */
export const rates = table(
  'rates',
  {
    /**
     * The currency codes, such as USD and EUR. One unit of `base` is worth `rate` units of `quote`, whatever their
     * scales.
     */
    base: text('base').notNull(),
    quote: text('quote').notNull(),
    /** The rate as exact decimal text, more than zero. */
    rate: text('rate').notNull(),
    /** What the node keeps of each exchange, in hundredths of a percent, 0 to 9999. */
    spreadBps: int53('spread_bps').notNull(),
    /** Where the operator has the rate from, in their words. */
    source: text('source').notNull(),
    /** The moment from which the rate is. When that is more than `maxAgeSeconds` ago, the rate is refused. */
    asOf: timestampMs('as_of').notNull(),
    maxAgeSeconds: int53('max_age_seconds').notNull(),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.base, t.quote] }),
    check('rates_pair', sql`${t.base} <> ${t.quote}`),
    check('rates_spread', sql`${t.spreadBps} between 0 and 9999`),
    check('rates_age', sql`${t.maxAgeSeconds} > 0`),
  ],
);
