import { MOST_TAX } from '../../shop/shop-limits.ts';
import { locale } from '../language/locale.ts';

const PER_UNIT = 100_000;

/** A tax rate as people read it, such as 19 % or 5.5 %. @param rate in thousandths of a percent */
export const taxRateText = (rate: number, tag: string = locale()): string =>
  new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 3 }).format(rate / PER_UNIT);

/** A tax rate as a field holds it, such as `5.5`. @param rate in thousandths of a percent */
export const taxRateInputText = (rate: number): string => String(rate / 1_000);

/**
 * Reads a percentage that a person typed, with a point or a comma and up to three decimal places.
 * @returns thousandths of a percent, from 0 to 100,000; undefined for everything else
 */
export function typedTaxRate(text: string): number | undefined {
  const [, whole = '', part = ''] = /^(\d{1,3})(?:[.,](\d{1,3}))?\s*%?$/.exec(text.trim()) ?? [];
  if (whole === '') return undefined;
  const rate = Number(whole) * 1_000 + Number(part.padEnd(3, '0'));
  return rate <= MOST_TAX ? rate : undefined;
}
