import { and, eq, sql } from 'drizzle-orm';
import type { Amount, Asset } from '../../src-shared/amounts.ts';
import { appendEvent } from '../journal/events.ts';
import type { Core } from '../platform/core.ts';
import { prepared, type Reader } from '../platform/database/database.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { type Fee, feeFor, leastDebitFor, sameFee } from './fee.ts';
import { type Fraction, leastFor, parseFraction, readFraction, reduced, times } from './fraction.ts';
import { notePastRates } from './past-rates.ts';
import { exchangeFees, followedRates, rates } from './tables.ts';

type Row = typeof rates.$inferSelect;

/** A rate in the form in which the operator enters it. The table says what each member means. */
export type NewRate = Omit<Row, 'updatedAt'>;

/** A rate with its condition now. A rate that is `stale` is too old, and the node exchanges nothing by it. */
export type CurrentRate = Row & { stale: boolean };

/**
 * The reason why the node cannot exchange two assets now. `no_rate`: there is no rate in this direction. `rate_stale`:
 * the rate is too old.
 */
export type RateProblem = 'no_rate' | 'rate_stale';

/** The whole of an amount, in hundredths of a percent. */
const WHOLE_BPS = 10_000n;

const $ = sql.placeholder;
const byPair = prepared((reader: Reader) =>
  reader
    .select()
    .from(rates)
    .where(and(eq(rates.base, $('base')), eq(rates.quote, $('quote'))))
    .prepare(),
);

const followedByPair = prepared((reader: Reader) =>
  reader
    .select()
    .from(followedRates)
    .where(and(eq(followedRates.base, $('base')), eq(followedRates.quote, $('quote'))))
    .prepare(),
);
const feeByPair = prepared((reader: Reader) =>
  reader
    .select()
    .from(exchangeFees)
    .where(and(eq(exchangeFees.base, $('base')), eq(exchangeFees.quote, $('quote'))))
    .prepare(),
);

const lessSpread = (rate: Fraction, spreadBps: number): Fraction =>
  times(rate, { numerator: WHOLE_BPS - BigInt(spreadBps), denominator: WHOLE_BPS });

/**
 * The rate of a pair that counts now, less what the node keeps. A pair that follows the sources has the rate that the
 * node believes. When that is too old, or no source has told one, the operator's own rate counts if the operator wants
 * that, and nothing otherwise.
 */
async function countingRate(reader: Reader, base: string, quote: string, now: number): Promise<Result<Fraction, RateProblem>> {
  const [followed] = await followedByPair(reader).execute({ base, quote });
  if (followed !== undefined) {
    const believed = believedRate(followed, now);
    if (believed.ok || !followed.fallsBack) return believed;
  }
  const [row] = await byPair(reader).execute({ base, quote });
  if (row === undefined) return refuse(followed?.rate ? 'rate_stale' : 'no_rate');
  return isStale(row, now) ? refuse('rate_stale') : ok(lessSpread(parseFraction(row.rate), row.spreadBps));
}

/** The believed rate of a pair that follows the sources, less what the node keeps. */
export function believedRate(row: typeof followedRates.$inferSelect, now: number): Result<Fraction, RateProblem> {
  const { rate, asOf, believedAt, maxAgeSeconds, spreadBps } = row;
  if (rate === null || asOf === null || believedAt === null) return refuse('no_rate');
  if (isStale({ asOf, updatedAt: believedAt, maxAgeSeconds }, now)) return refuse('rate_stale');
  return ok(lessSpread(readFraction(rate), spreadBps));
}

/**
 * Tells what one smallest unit of `from` is worth in smallest units of `to`, less what the node keeps. The result is
 * exact and in lowest terms. Two scales of one currency need no rate. A rate applies only in its own direction.
 * @param now milliseconds since the Unix epoch.
 */
async function rateIn(reader: Reader, from: Asset, to: Asset, now: number): Promise<Result<Fraction, RateProblem>> {
  const scales = { numerator: 10n ** BigInt(to.assetScale), denominator: 10n ** BigInt(from.assetScale) };
  if (from.assetCode === to.assetCode) return ok(reduced(scales));
  const rate = await countingRate(reader, from.assetCode, to.assetCode, now);
  return rate.ok ? ok(times(rate.value, scales)) : rate;
}

/** The fee for the amount that a payer of this node exchanges. Two scales of one currency cost none. */
async function feeIn(reader: Reader, from: Asset, to: Asset): Promise<Fee | undefined> {
  if (from.assetCode === to.assetCode) return undefined;
  const [row] = await feeByPair(reader).execute({ base: from.assetCode, quote: to.assetCode });
  return row && feeFor(row, from);
}

/** A rate that was used in a calculation before the write that will count on it. */
export interface UsedRate {
  readonly from: Asset;
  readonly to: Asset;
  /** Units of `to` per unit of `from`, in lowest terms. */
  readonly rate: Fraction;
}

/** The cost of exchanging a payer's money: the fee first, and the rate for the rest. */
interface Terms {
  readonly rate: Fraction;
  readonly fee: Fee | undefined;
}

/** Terms that were used for a price before the write that will count on them. */
export interface UsedTerms extends UsedRate, Terms {}

/** Tells, inside a write, whether a rate still is what it was when something was calculated by it. */
export async function stillHolds(tx: Reader, { from, to, rate }: UsedRate, now: number): Promise<boolean> {
  const current = await rateIn(tx, from, to, now);
  return current.ok && current.value.numerator === rate.numerator && current.value.denominator === rate.denominator;
}

/** Tells, inside a write, whether rate and fee still are what they were when a price was calculated by them. */
export async function termsStillHold(tx: Reader, used: UsedTerms, now: number): Promise<boolean> {
  return (await stillHolds(tx, used, now)) && sameFee(await feeIn(tx, used.from, used.to), used.fee);
}

/**
 * The rates by which this node exchanges currencies. The node reads them whenever it needs them, and keeps none in
 * memory, because another process may change them.
 */
export class Rates {
  readonly #parts: Pick<Core, 'database' | 'clock'>;

  constructor(parts: Pick<Core, 'database' | 'clock'>) {
    this.#parts = parts;
  }

  /** Every rate, ordered by its currencies. */
  async list(): Promise<CurrentRate[]> {
    const rows = await this.#parts.database.readAside.select().from(rates).orderBy(rates.base, rates.quote);
    return rows.map((row) => this.current(row));
  }

  /** Adds a rate, or replaces the rate of the same currencies. */
  async set(rate: NewRate): Promise<Result<CurrentRate, 'same_currency'>> {
    if (rate.base === rate.quote) return refuse('same_currency');
    const at = this.#parts.clock.now();
    const row: Row = { ...rate, updatedAt: at };
    await this.#parts.database.write(async (tx) => {
      await tx
        .insert(rates)
        .values(row)
        .onConflictDoUpdate({ target: [rates.base, rates.quote], set: row });
      await appendEvent(tx, {
        type: 'rate.set',
        subject: keyOf(row),
        body: { rate: row.rate, spreadBps: String(row.spreadBps), source: row.source, asOf: new Date(row.asOf).toISOString() },
        at,
      });
      await notePastRates(tx, at);
    });
    return ok(this.current(row));
  }

  async remove(base: string, quote: string): Promise<Result<CurrentRate, 'not_found'>> {
    const at = this.#parts.clock.now();
    const removed = await this.#parts.database.write(async (tx) => {
      const [row] = await tx
        .delete(rates)
        .where(and(eq(rates.base, base), eq(rates.quote, quote)))
        .returning();
      if (row === undefined) return undefined;
      await appendEvent(tx, { type: 'rate.removed', subject: keyOf(row), body: { rate: row.rate }, at });
      await notePastRates(tx, at, row);
      return row;
    });
    if (removed === undefined) return refuse('not_found');
    return ok(this.current(removed));
  }

  /** What one smallest unit of `from` is worth now in smallest units of `to`, exactly and in lowest terms. */
  async rateBetween(from: Asset, to: Asset): Promise<Result<Fraction, RateProblem>> {
    return await rateIn(this.#parts.database.read, from, to, this.#parts.clock.now());
  }

  /** The cost of exchanging a payer's money now: the rate of {@link rateBetween}, and the fee before it. */
  async termsBetween(from: Asset, to: Asset): Promise<Result<Terms, RateProblem>> {
    const rate = await this.rateBetween(from, to);
    return rate.ok ? ok({ rate: rate.value, fee: await feeIn(this.#parts.database.read, from, to) }) : rate;
  }

  /**
   * The cost now of letting `arriving` come out of an exchange, in smallest units of the payer's asset, with the fee
   * and rounded up. It is undefined without a rate that counts.
   */
  async cost(arriving: Amount, payer: Asset): Promise<bigint | undefined> {
    const terms = await this.termsBetween(payer, arriving);
    if (!terms.ok) return undefined;
    const exchanged = leastFor(arriving.value, terms.value.rate);
    return exchanged === 0n ? 0n : leastDebitFor(exchanged, terms.value.fee);
  }

  /** A rate with its condition at this moment. */
  current(row: Row): CurrentRate {
    return { ...row, stale: isStale(row, this.#parts.clock.now()) };
  }
}

/**
 * Tells whether a rate is too old. A rate that claims to be from the future counts as old as its entry, because it
 * would otherwise stay fresh for longer than the operator has said.
 */
export const isStale = ({ asOf, updatedAt, maxAgeSeconds }: Pick<Row, 'asOf' | 'updatedAt' | 'maxAgeSeconds'>, now: number): boolean =>
  now - Math.min(asOf, updatedAt) > maxAgeSeconds * 1_000;

/** The currencies of a rate as one text, such as `USD/EUR`. */
const keyOf = ({ base, quote }: Pick<Row, 'base' | 'quote'>): string => `${base}/${quote}`;
