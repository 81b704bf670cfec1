import { and, eq } from 'drizzle-orm';
import type { Amount, Asset } from '../../src-shared/amounts.ts';
import { appendEvent } from '../journal/events.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { type Fraction, leastFor, parseFraction, reduced } from './fraction.ts';
import { rates } from './tables.ts';

type Row = typeof rates.$inferSelect;

/** A rate as the operator enters it. The table says what each member means. */
export type NewRate = Omit<Row, 'updatedAt'>;

/** A rate as it is now. A rate that is `stale` is too old, and the node exchanges nothing by it. */
export type CurrentRate = Row & { stale: boolean };

/**
 * Why two assets cannot be exchanged now. `no_rate`: the operator has set no rate in this direction. `rate_stale`: the
 * rate is too old.
 */
export type RateProblem = 'no_rate' | 'rate_stale';

/** The whole of an amount, in hundredths of a percent. */
const WHOLE_BPS = 10_000n;

/**
 * The rates by which this node exchanges currencies. They are few, and every quote and every packet in another currency
 * needs them, so they are kept in memory. A change appears there when it is durable.
 */
export class Rates {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #rows = new Map<string, Row>();

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Reads the stored rates. It is called once, before the first call of {@link rateBetween}. */
  async load(): Promise<void> {
    for (const row of await this.#database.read.select().from(rates)) this.#rows.set(keyOf(row), row);
  }

  /** Every rate, ordered by its currencies. */
  list(): CurrentRate[] {
    return [...this.#rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => this.#current(row));
  }

  /** Adds a rate, or replaces the rate of the same currencies. */
  async set(rate: NewRate): Promise<Result<CurrentRate, 'same_currency'>> {
    if (rate.base === rate.quote) return refuse('same_currency');
    const at = this.#clock.now();
    const row: Row = { ...rate, updatedAt: at };
    await this.#database.write(async (tx) => {
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
    });
    // Writes resolve in the order in which they are stored, so the last rate in the database is the last one in memory.
    this.#rows.set(keyOf(row), row);
    return ok(this.#current(row));
  }

  async remove(base: string, quote: string): Promise<Result<CurrentRate, 'not_found'>> {
    const at = this.#clock.now();
    const removed = await this.#database.write(async (tx) => {
      const [row] = await tx
        .delete(rates)
        .where(and(eq(rates.base, base), eq(rates.quote, quote)))
        .returning();
      if (row !== undefined) await appendEvent(tx, { type: 'rate.removed', subject: keyOf(row), body: { rate: row.rate }, at });
      return row;
    });
    if (removed === undefined) return refuse('not_found');
    this.#rows.delete(keyOf(removed));
    return ok(this.#current(removed));
  }

  /**
   * Tells what one smallest unit of `from` is worth in smallest units of `to`, less what the node keeps. The result is
   * exact and in lowest terms. Two scales of one currency need no rate. A rate applies only in its own direction.
   */
  rateBetween(from: Asset, to: Asset): Result<Fraction, RateProblem> {
    const scales = { numerator: 10n ** BigInt(to.assetScale), denominator: 10n ** BigInt(from.assetScale) };
    if (from.assetCode === to.assetCode) return ok(reduced(scales));
    const row = this.#rows.get(keyOf({ base: from.assetCode, quote: to.assetCode }));
    if (row === undefined) return refuse('no_rate');
    if (this.#isStale(row)) return refuse('rate_stale');
    const rate = parseFraction(row.rate);
    return ok(
      reduced({
        numerator: rate.numerator * (WHOLE_BPS - BigInt(row.spreadBps)) * scales.numerator,
        denominator: rate.denominator * WHOLE_BPS * scales.denominator,
      }),
    );
  }

  /**
   * Tells what it costs now that `arriving` comes out of an exchange, in smallest units of the payer's asset, rounded
   * up. It is undefined without a rate that counts.
   */
  cost(arriving: Amount, payer: Asset): bigint | undefined {
    const rate = this.rateBetween(payer, arriving);
    return rate.ok ? leastFor(arriving.value, rate.value) : undefined;
  }

  #current(row: Row): CurrentRate {
    return { ...row, stale: this.#isStale(row) };
  }

  /**
   * Tells whether a rate is too old. A rate that claims to be from the future counts as old as its entry, because it
   * would otherwise stay fresh for longer than the operator has said.
   */
  #isStale({ asOf, updatedAt, maxAgeSeconds }: Row): boolean {
    return this.#clock.now() - Math.min(asOf, updatedAt) > maxAgeSeconds * 1_000;
  }
}

/** The currencies of a rate as one text, such as `USD/EUR`. */
const keyOf = ({ base, quote }: Pick<Row, 'base' | 'quote'>): string => `${base}/${quote}`;
