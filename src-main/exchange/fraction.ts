/** An exact number more than zero: `numerator / denominator`. Both are at least 1. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** @returns the same number in lowest terms. */
export function reduced({ numerator, denominator }: Fraction): Fraction {
  let [a, b] = [numerator, denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  return { numerator: numerator / a, denominator: denominator / a };
}

/**
 * Reads decimal text such as `0.9137` exactly.
 * @throws RangeError when the text is not a number more than zero in that form.
 */
export function parseFraction(text: string): Fraction {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  const [, whole = '', decimals = ''] = match ?? [];
  const numerator = match === null ? 0n : BigInt(whole + decimals);
  if (numerator === 0n) throw new RangeError('not a number more than zero');
  return { numerator, denominator: 10n ** BigInt(decimals.length) };
}

/** @returns floor(value · fraction). The value is at least 0. */
export const timesDown = (value: bigint, { numerator, denominator }: Fraction): bigint => (value * numerator) / denominator;

/**
 * @returns ceil(value / fraction): the least whole number that {@link timesDown} turns into `value` or more. The value
 * is at least 0.
 */
export const leastFor = (value: bigint, { numerator, denominator }: Fraction): bigint => (value * denominator + numerator - 1n) / numerator;
