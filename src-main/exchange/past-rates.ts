import { and, asc, desc, eq, gt, lt } from 'drizzle-orm';
import { currenciesOf } from '../ledger/currencies.ts';
import type { Reader, Tx } from '../platform/database/database.ts';
import { readShop } from '../shop/shop.ts';
import { type Fraction, fractionText, parseFraction, readFraction } from './fraction.ts';
import { rateBy, saidInOrder } from './said-rates.ts';
import { followedRates, pastRates, rates, type Said } from './tables.ts';

// What a unit of one currency was worth in another at which time, so that a statement of any year can say it. These
// rates price no payment: they have neither margin nor fee.

type Row = typeof pastRates.$inferSelect;
type Span = Pick<Row, 'since' | 'until' | 'rate'>;

/** A rate that counts now, and until when. */
interface Valid {
  readonly rate: string;
  readonly until: number;
  /** Whether the operator has set it. */
  readonly isByHand: boolean;
}

const SECOND_MS = 1_000;
/** A source that tells another rate each minute leaves one row an hour. So a pair takes less than 1 MB in a year. */
const LEAST_SPAN_MS = 3_600_000;
/** What a source has told is a value for so long. The European Central Bank publishes nothing on up to four days. */
const TOLD_MS = 7 * 86_400_000;

/**
 * Keeps which rates count from now on. It belongs into each write that changes a rate, or what a source says.
 * @param at now, in milliseconds since the Unix epoch
 * @param left a pair that has lost one of its rates, and perhaps has none now
 */
export async function notePastRates(tx: Tx, at: number, left?: Pick<Row, 'base' | 'quote'>): Promise<void> {
  const { pairs, follows } = await ownRates(tx, at);
  for (const [pair, valid] of await toldOfHome(tx, at)) if (!follows.has(pair)) pairs.set(pair, pairs.get(pair) ?? valid);
  for (const pair of [...follows, ...(left === undefined ? [] : [`${left.base}/${left.quote}`])]) pairs.set(pair, pairs.get(pair));
  for (const [pair, valid] of pairs) await note(tx, pair, valid, at);
}

/**
 * The rates that pairs have of their own, and the pairs that follow the sources, in both directions. A source that is
 * mad changes nothing of these: they are worth what is believed, or nothing.
 */
async function ownRates(tx: Tx, at: number) {
  const followed = await tx.select().from(followedRates);
  const pairs = new Map<string, Valid | undefined>();
  for (const { base, quote, rate, asOf, believedAt, maxAgeSeconds } of followed) {
    const until = Math.min(asOf ?? 0, believedAt ?? 0) + maxAgeSeconds * SECOND_MS;
    pairs.set(`${base}/${quote}`, rate === null || until <= at ? undefined : { rate, until, isByHand: false });
  }
  for (const { base, quote, rate, asOf, updatedAt, maxAgeSeconds } of await tx.select().from(rates)) {
    const until = Math.min(asOf, updatedAt) + maxAgeSeconds * SECOND_MS;
    const valid = until <= at ? undefined : { rate: fractionText(parseFraction(rate)), until, isByHand: true };
    pairs.set(`${base}/${quote}`, pairs.get(`${base}/${quote}`) ?? valid);
  }
  const follows = new Set(followed.flatMap(({ base, quote }) => [`${base}/${quote}`, `${quote}/${base}`]));
  return { pairs, follows };
}

/** What the sources say of each currency in the books in the home currency, also of pairs that follow no source. */
async function toldOfHome(tx: Tx, at: number): Promise<Map<string, Valid | undefined>> {
  const told = new Map<string, Valid | undefined>();
  const { homeCurrency } = (await readShop(tx)).profile;
  if (homeCurrency === null) return told;
  const sources = await saidInOrder(tx);
  for (const base of await currenciesOf(tx)) {
    const valid = sources.map(({ said }) => said && toldBy(said, base, homeCurrency, at)).find((one) => one != null);
    if (base !== homeCurrency) told.set(`${base}/${homeCurrency}`, valid ?? undefined);
  }
  return told;
}

/** What a source says of two currencies, unless it is too old or knows one of them not. */
function toldBy(said: Said, base: string, quote: string, at: number): Valid | undefined {
  const until = Math.min(said.asOf, said.readAt) + TOLD_MS;
  const rate = until > at ? rateBy(said, base, quote) : undefined;
  return rate && { rate: fractionText(rate), until, isByHand: false };
}

const ofPair = (base: string, quote: string) => and(eq(pastRates.base, base), eq(pastRates.quote, quote));

/** The newest span of a pair. Spans that a clock noted while it was ahead go. */
async function newest(tx: Tx, base: string, quote: string, at: number): Promise<Row | undefined> {
  for (;;) {
    const [row] = await tx.select().from(pastRates).where(ofPair(base, quote)).orderBy(desc(pastRates.since)).limit(1);
    if (row === undefined || row.since <= at) return row;
    await tx.delete(pastRates).where(and(ofPair(base, quote), gt(pastRates.since, at)));
  }
}

/** Lets the newest span of a pair go on, or ends it and begins another one. Spans of a pair never overlap. */
async function note(tx: Tx, pair: string, valid: Valid | undefined, at: number): Promise<void> {
  const [base = '', quote = ''] = pair.split('/');
  const last = await newest(tx, base, quote, at);
  const open = last !== undefined && last.until > at ? last : undefined;
  const endAt = async ({ since }: Row, until: number) => {
    await tx
      .update(pastRates)
      .set({ until })
      .where(and(ofPair(base, quote), eq(pastRates.since, since)));
  };
  if (open !== undefined && valid?.rate === open.rate) return await endAt(open, valid.until);
  if (open !== undefined && valid?.isByHand === false && at - open.since < LEAST_SPAN_MS) return;
  if (open !== undefined) await endAt(open, at);
  if (valid === undefined) return;
  const { rate, until } = valid;
  await tx
    .insert(pastRates)
    .values({ base, quote, since: at, until, rate })
    .onConflictDoUpdate({ target: [pastRates.base, pastRates.quote, pastRates.since], set: { until, rate } });
}

/** A time, in milliseconds since the Unix epoch: `from` belongs to it, and `before` does not. */
interface Time {
  readonly from: number;
  readonly before: number;
}

/**
 * Reads the rates of two currencies over a time.
 * @returns what one unit of `base` was worth in `quote` at a moment of it, or undefined when no rate counted then.
 */
export async function pastRatesBetween(
  reader: Reader,
  base: string,
  quote: string,
  time: Time,
): Promise<(at: number) => Fraction | undefined> {
  const [there, back] = [await spansOf(reader, base, quote, time), await spansOf(reader, quote, base, time)];
  return (at) => {
    const direct = spanAt(there, at);
    if (direct !== undefined) return readFraction(direct.rate);
    const turned = spanAt(back, at);
    if (turned === undefined) return undefined;
    const { numerator, denominator } = readFraction(turned.rate);
    return { numerator: denominator, denominator: numerator };
  };
}

/** The spans of a pair that touch a time, the oldest first. */
const spansOf = async (reader: Reader, base: string, quote: string, { from, before }: Time): Promise<Span[]> =>
  await reader
    .select({ since: pastRates.since, until: pastRates.until, rate: pastRates.rate })
    .from(pastRates)
    .where(and(ofPair(base, quote), lt(pastRates.since, before), gt(pastRates.until, from)))
    .orderBy(asc(pastRates.since));

/** The span that holds a moment. */
function spanAt(spans: readonly Span[], at: number): Span | undefined {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.since ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const span = spans[low - 1];
  return span !== undefined && at < span.until ? span : undefined;
}
