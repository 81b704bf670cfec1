import { MOST_TAX } from '../shop/shop-limits.ts';
import { typedPercentage } from './typed-decimal.ts';

/**
 * Reads a tax rate that a person typed, with up to three decimal places.
 * @returns thousandths of a percent, from 0 to 100,000; undefined for everything else
 */
export function typedTaxRate(text: string): number | undefined {
  const rate = typedPercentage(text, 3);
  return rate !== undefined && rate <= MOST_TAX ? rate : undefined;
}
