import { MAX_MOVED } from '../../../../src-shared/amounts.ts';

/** Bounds in whole currency units, as decimal text. Both are inclusive. An absent bound limits nothing. */
export interface AmountRange {
  min: string | undefined;
  max: string | undefined;
}

/**
 * The bounds in smallest units of an asset of this scale.
 * @returns undefined when no amount lies between them.
 */
export function unitsBetween({ min, max }: AmountRange, scale: number): { least: bigint; most: bigint } | undefined {
  const least = min === undefined ? 0n : units(min, scale, 'up');
  const most = max === undefined ? MAX_MOVED : units(max, scale, 'down');
  const capped = most > MAX_MOVED ? MAX_MOVED : most;
  return least <= capped ? { least, most: capped } : undefined;
}

/**
 * Decimal text in smallest units. Decimal places that the asset lacks are rounded so that no amount outside the bounds
 * matches.
 */
function units(text: string, scale: number, round: 'up' | 'down'): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  const value = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  return round === 'up' && /[1-9]/.test(fraction.slice(scale)) ? value + 1n : value;
}
