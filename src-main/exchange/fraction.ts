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

/** A fraction as text, `numerator/denominator`, in which two equal fractions in lowest terms are alike. */
export const fractionText = ({ numerator, denominator }: Fraction): string => `${numerator}/${denominator}`;

/**
 * Reads what {@link fractionText} has written.
 * @throws RangeError when the text is no fraction more than zero.
 */
export function readFraction(text: string): Fraction {
  const [, numerator = '0', denominator = '0'] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  if (/^0*$/.test(numerator) || /^0*$/.test(denominator)) throw new RangeError('not a fraction more than zero');
  return { numerator: BigInt(numerator), denominator: BigInt(denominator) };
}

const MOST_PLACES = 18;
const SHOWN_DIGITS = 10;

/** A fraction as decimal text for a person: at most ten significant digits, rounded down. */
export function decimalOf({ numerator, denominator }: Fraction): string {
  const scaled = ((numerator * 10n ** BigInt(MOST_PLACES)) / denominator).toString().padStart(MOST_PLACES + 1, '0');
  const [whole, decimals] = [scaled.slice(0, -MOST_PLACES), scaled.slice(-MOST_PLACES)];
  const leading = whole === '0' ? (/^0*/.exec(decimals)?.[0].length ?? 0) : -whole.length;
  const shown = decimals.slice(0, Math.max(0, SHOWN_DIGITS + leading)).replace(/0+$/, '');
  return shown === '' ? whole : `${whole}.${shown}`;
}

/** The product of two fractions, in lowest terms. */
export const times = (a: Fraction, b: Fraction): Fraction =>
  reduced({ numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator });

/** The first fraction in units of the second, in lowest terms. */
export const over = (a: Fraction, { numerator, denominator }: Fraction): Fraction =>
  times(a, { numerator: denominator, denominator: numerator });

/** @returns floor(value · fraction). The value is at least 0. */
export const timesDown = (value: bigint, { numerator, denominator }: Fraction): bigint => (value * numerator) / denominator;

/**
 * @returns ceil(value / fraction): the least whole number that {@link timesDown} turns into `value` or more. The value
 * is at least 0.
 */
export const leastFor = (value: bigint, { numerator, denominator }: Fraction): bigint => (value * denominator + numerator - 1n) / numerator;
