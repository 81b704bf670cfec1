import type { Asset } from '../../../src-shared/amounts.ts';
import type { Fraction } from '../fraction.ts';
import type { NewRate } from '../rates.ts';

/** A rate as an operator would enter it at `asOf`. It is valid for an hour. */
export const rateOf = (base: string, quote: string, rate: string, asOf: number, more: Partial<NewRate> = {}): NewRate => ({
  base,
  quote,
  rate,
  spreadBps: 0,
  source: 'test',
  asOf,
  maxAgeSeconds: 3_600,
  ...more,
});

/**
 * What a unit of `from` is worth in units of `to`. It follows the definition and does not reduce the fraction, so that
 * tests can compare it with the price of the node.
 */
export function worthOf(rate: string, spreadBps: number, from: Asset, to: Asset): Fraction {
  const [whole = '', decimals = ''] = rate.split('.');
  return {
    numerator: BigInt(whole + decimals) * BigInt(10_000 - spreadBps) * 10n ** BigInt(to.assetScale),
    denominator: 10n ** BigInt(decimals.length) * 10_000n * 10n ** BigInt(from.assetScale),
  };
}
