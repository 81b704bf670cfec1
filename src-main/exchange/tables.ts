import { sql } from 'drizzle-orm';
import { bool, check, int53, json, primaryKey, table, text, timestampMs } from '../platform/database/schema.ts';

/** The rates between currencies that the operator has set by hand. */
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
    /** The source from which the operator has the rate, in their words. */
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

/** What the operator takes for an exchange, beside the margin. A pair without a row costs no fee. */
export const exchangeFees = table(
  'exchange_fees',
  {
    base: text('base').notNull(),
    quote: text('quote').notNull(),
    /** Both in units of `base`, as exact decimal text; 0 or more. */
    fixed: text('fixed').notNull(),
    minimum: text('minimum').notNull(),
    /** The share of what the payer pays, in hundredths of a percent, 0 to 9999. */
    shareBps: int53('share_bps').notNull(),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.base, t.quote] }),
    check('exchange_fees_pair', sql`${t.base} <> ${t.quote}`),
    check('exchange_fees_share', sql`${t.shareBps} between 0 and 9999`),
  ],
);

/** What a source said when it was last read without a problem. */
export interface Said {
  /** One unit of `base` is worth so many units of each other currency, as exact decimal text. */
  readonly base: string;
  readonly rates: Readonly<Record<string, string>>;
  /** The moment from which the rates are, and the one at which they were read; in milliseconds since the Unix epoch. */
  readonly asOf: number;
  readonly readAt: number;
}

/** The places from which the node reads rates. It prefers sources with a smaller `place`. */
export const rateSources = table(
  'rate_sources',
  {
    id: text('id').primaryKey(),
    /** The name that the operator has given it. */
    name: text('name').notNull(),
    /** `ecb`: the daily file of the European Central Bank. `json`: one place in a JSON document. */
    kind: text('kind').$type<'ecb' | 'json'>().notNull(),
    url: text('url').notNull(),
    /**
     * The pair of a source of kind `json`, the path to its rate, and the path to the moment of the rate, if there is
     * one.
     */
    base: text('base'),
    quote: text('quote'),
    path: text('path'),
    datePath: text('date_path'),
    everySeconds: int53('every_seconds').notNull(),
    isOn: bool('is_on').notNull(),
    place: int53('place').notNull(),
    said: json<Said>('said'),
    lookedAt: timestampMs('looked_at'),
    /** Why the last look brought nothing; null when it did. */
    problem: text('problem'),
    /** How many looks in a row brought nothing. */
    failures: int53('failures').notNull(),
    createdAt: timestampMs('created_at').notNull(),
  },
  (t) => [
    check('rate_sources_kind', sql`${t.kind} in ('ecb', 'json')`),
    check('rate_sources_json', sql`${t.kind} = 'ecb' or (${t.base} <> ${t.quote} and ${t.path} is not null)`),
    check('rate_sources_every', sql`${t.everySeconds} > 0`),
  ],
);

/** The pairs whose rate comes from the sources, and the rate that is believed now. */
export const followedRates = table(
  'followed_rates',
  {
    base: text('base').notNull(),
    quote: text('quote').notNull(),
    /** What the node keeps of each exchange, in hundredths of a percent, 0 to 9999. */
    spreadBps: int53('spread_bps').notNull(),
    /** The largest change that is believed, in hundredths of a percent of the rate before it. */
    maxJumpBps: int53('max_jump_bps').notNull(),
    maxAgeSeconds: int53('max_age_seconds').notNull(),
    /** Whether the rate that was set by hand counts while this one does not. */
    fallsBack: bool('falls_back').notNull(),
    /** The believed rate as an exact fraction, `numerator/denominator`; null as long as no source has told one. */
    rate: text('rate'),
    /** Who said it, in the operator's words. */
    source: text('source'),
    asOf: timestampMs('as_of'),
    believedAt: timestampMs('believed_at'),
    /** A rate that a source told and that is too far from the believed one. The operator may confirm it. */
    refused: text('refused'),
    refusedSource: text('refused_source'),
    refusedAsOf: timestampMs('refused_as_of'),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.base, t.quote] }),
    check('followed_rates_pair', sql`${t.base} <> ${t.quote}`),
    check('followed_rates_spread', sql`${t.spreadBps} between 0 and 9999`),
    check('followed_rates_jump', sql`${t.maxJumpBps} > 0`),
    check('followed_rates_age', sql`${t.maxAgeSeconds} > 0`),
    check('followed_rates_believed', sql`${t.rate} is null or (${t.asOf} is not null and ${t.believedAt} is not null)`),
    check('followed_rates_refused', sql`${t.refused} is null or (${t.refusedSource} is not null and ${t.refusedAsOf} is not null)`),
  ],
);

/** What a unit of one currency was worth in another, and when. Rows of a pair never overlap. They stay for ever. */
export const pastRates = table(
  'past_rates',
  {
    base: text('base').notNull(),
    quote: text('quote').notNull(),
    /** The moment from which the rate counted, and the one at which it did not any more. */
    since: timestampMs('since').notNull(),
    until: timestampMs('until').notNull(),
    /** An exact fraction, `numerator/denominator`, without margin and fee. */
    rate: text('rate').notNull(),
  },
  (t) => [primaryKey({ columns: [t.base, t.quote, t.since] }), check('past_rates_span', sql`${t.until} >= ${t.since}`)],
);
