/** How far from 1 a rate may be. No two currencies differ by more, and no number in memory grows without bounds. */
const MOST_DIGITS = 18;

const NUMBER = /^(\d{1,40})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Reads a number as JSON or a person writes it (`1.0832`, `9.5e-6`), exactly.
 * @returns decimal text without an exponent, above 10^-18 and below 10^18; undefined for anything else.
 */
export function readDecimal(text: string): string | undefined {
  const [, whole, decimals = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const shift = Number(exponent);
  const digits = whole + decimals;
  const point = whole.length + shift;
  const left = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const right = point >= 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  const [before, after] = [left.replace(/^0+(?=\d)/, ''), right.replace(/0+$/, '')];
  const leading = /^0*/.exec(after)?.[0].length ?? 0;
  if (before.length > MOST_DIGITS || (before === '0' && (after === '' || leading >= MOST_DIGITS))) return undefined;
  return after === '' ? before : `${before}.${after}`;
}
