import { toDecimal } from '../amounts.ts';

/** One thing on a bill, as it was sold. */
export interface SoldLine {
  readonly text: string;
  /** The quantity, in thousandths of a piece. */
  readonly quantity: number;
  /** What it came to, with its tax, in smallest units. */
  readonly value: bigint;
}

/** A quantity in thousandths as decimal text with a dot and no needless zeros, such as `2` or `0.35`. */
export const plainQuantity = (quantity: number): string => toDecimal(BigInt(quantity), 3).replace(/\.?0+$/, '');
