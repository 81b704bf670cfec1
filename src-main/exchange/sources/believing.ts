import { type Fraction, fractionText, parseFraction, readFraction } from '../fraction.ts';
import { rateBy } from '../said-rates.ts';
import type { followedRates, rateSources } from '../tables.ts';

type FollowedRow = typeof followedRates.$inferSelect;
type SourceRow = typeof rateSources.$inferSelect;

/** What decides whether a rate of a source is believed. */
type Pair = Pick<FollowedRow, 'base' | 'quote' | 'maxJumpBps' | 'maxAgeSeconds' | 'rate'>;

/** A rate that a source tells for a pair. */
interface Told {
  /** The rate, in the form of {@link fractionText}. */
  readonly rate: string;
  readonly source: string;
  readonly asOf: number;
}

/** What the sources together say for a pair. Both can be there: one source is mad, and the one after it is not. */
export interface Verdict {
  readonly believed?: Told;
  /** The rate of the most preferred source that is too far from what is believed. */
  readonly refused?: Told;
}

/** One percent is a hundred of these. */
const WHOLE_BPS = 10_000n;

/** Whether a rate differs from the one before by no more than `maxJumpBps` hundredths of a percent of the latter. */
export function isWithin(rate: Fraction, before: Fraction, maxJumpBps: number): boolean {
  const [now, then] = [rate.numerator * before.denominator, before.numerator * rate.denominator];
  const difference = now > then ? now - then : then - now;
  return difference * WHOLE_BPS <= BigInt(maxJumpBps) * then;
}

/**
 * Asks the sources in their order. The first whose rate is neither too old nor too far from the rate before is
 * believed.
 * @param byHand the rate that was set by hand, as decimal text. It stands for the rate before as long as no source has
 * been believed.
 */
export function judge(pair: Pair, sources: readonly Pick<SourceRow, 'name' | 'said'>[], byHand: string | undefined, now: number): Verdict {
  const before = pair.rate === null ? byHand && parseFraction(byHand) : readFraction(pair.rate);
  let refused: Told | undefined;
  for (const { name, said } of sources) {
    if (said === null || now - Math.min(said.asOf, said.readAt) > pair.maxAgeSeconds * 1_000) continue;
    const rate = rateBy(said, pair.base, pair.quote);
    if (rate === undefined) continue;
    const told = { rate: fractionText(rate), source: name, asOf: said.asOf };
    if (before && !isWithin(rate, before, pair.maxJumpBps)) refused ??= told;
    else return { believed: told, ...(refused && { refused }) };
  }
  return refused === undefined ? {} : { refused };
}
