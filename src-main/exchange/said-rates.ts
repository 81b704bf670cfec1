import { asc, eq } from 'drizzle-orm';
import type { Reader } from '../platform/database/database.ts';
import { type Fraction, over, parseFraction } from './fraction.ts';
import { rateSources, type Said } from './tables.ts';

/** What each source said last that is switched on, the most preferred first. */
export const saidInOrder = async (reader: Reader) =>
  await reader
    .select({ name: rateSources.name, said: rateSources.said })
    .from(rateSources)
    .where(eq(rateSources.isOn, true))
    .orderBy(asc(rateSources.place), asc(rateSources.createdAt), asc(rateSources.id));

/**
 * What one unit of `base` is worth in `quote` by what a source says: in its own direction, backwards, or across its
 * base. It is exact and in lowest terms, and undefined when the source does not know one of the two.
 */
export function rateBy({ base: common, rates }: Pick<Said, 'base' | 'rates'>, base: string, quote: string): Fraction | undefined {
  const perCommon = (code: string): Fraction | undefined => {
    if (code === common) return { numerator: 1n, denominator: 1n };
    const rate = Object.hasOwn(rates, code) ? rates[code] : undefined;
    return rate === undefined ? undefined : parseFraction(rate);
  };
  const [from, to] = [perCommon(base), perCommon(quote)];
  return from && to && over(to, from);
}
