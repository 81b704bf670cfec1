import {
  type Bill,
  type BillAmounts,
  type BillRate,
  countBill,
  MOST_LINES,
  QUANTITY_PARTS,
  type TaxRules,
} from '../../../src-shared/bills/bill.ts';

/** The most pieces of one line. */
export const MOST_PIECES = 9_999;

/** One thing in the cart. */
export interface CartLine {
  readonly key: string;
  /** The product. It is undefined for an amount that somebody typed. */
  readonly productId: string | undefined;
  /** What the customer reads. An amount that was typed has none. */
  readonly text: string;
  /** The price of one piece, in smallest units of the account. */
  readonly unitPrice: bigint;
  /** The number of pieces, from 1 to {@link MOST_PIECES}. */
  readonly pieces: number;
  readonly tax: BillRate | null;
}

/** What is to be sold, in the order in which it came. */
export type Cart = readonly CartLine[];

/** What the cart takes of a product. */
interface Sellable {
  readonly id: string;
  readonly name: string;
  readonly price: bigint;
  readonly tax: BillRate | null;
}

const newLine = (line: Omit<CartLine, 'key' | 'pieces'>): CartLine => ({ ...line, key: crypto.randomUUID(), pieces: 1 });

/** The cart with one piece more of a product. It is undefined when the cart has no room for another line. */
export function withProduct(cart: Cart, { id, name, price, tax }: Sellable): Cart | undefined {
  // A product that was changed since is another line: what lies in the cart keeps its price.
  const same = cart.find(
    (line) =>
      line.productId === id &&
      line.text === name &&
      line.unitPrice === price &&
      line.tax?.name === tax?.name &&
      line.tax?.rate === tax?.rate,
  );
  if (same !== undefined) return withPieces(cart, same.key, same.pieces + 1);
  return cart.length >= MOST_LINES ? undefined : [...cart, newLine({ productId: id, text: name, unitPrice: price, tax })];
}

/** The cart with an amount that was typed; nothing typed adds nothing. It is undefined when the cart has no room. */
export function withAmount(cart: Cart, unitPrice: bigint, tax: BillRate | null): Cart | undefined {
  if (unitPrice === 0n) return cart;
  return cart.length >= MOST_LINES ? undefined : [...cart, newLine({ productId: undefined, text: '', unitPrice, tax })];
}

/** The cart with so many pieces of a line. None takes the line away, and there are never more than the most. */
export function withPieces(cart: Cart, key: string, pieces: number): Cart {
  if (pieces <= 0) return cart.filter((line) => line.key !== key);
  return cart.map((line) => (line.key === key ? { ...line, pieces: Math.min(pieces, MOST_PIECES) } : line));
}

/** The cart with another tax rate for a line. */
export const withTax = (cart: Cart, key: string, tax: BillRate | null): Cart =>
  cart.map((line) => (line.key === key ? { ...line, tax } : line));

/** A bill with the products that it sells. */
export interface SoldBill extends Bill {
  readonly lines: readonly (Bill['lines'][number] & { readonly productId?: string })[];
}

/** What is asked of the customer. */
export interface Charge {
  /** The amount, in smallest units, above zero. It is the sum of the bill, where there is one. */
  readonly amount: bigint;
  /** One plain amount without tax and tip has none. */
  readonly bill: SoldBill | undefined;
  readonly counted: BillAmounts;
}

/**
 * Counts what a cart charges.
 * @param tip in smallest units.
 * @returns undefined when that is nothing, or more than one sale can charge.
 */
export function chargeOf(cart: Cart, { pricesIncludeTax, rounding }: TaxRules, tip = 0n): Charge | undefined {
  const lines = cart.map(({ productId, text, unitPrice, pieces, tax }) => ({
    ...{ text, quantity: pieces * QUANTITY_PARTS, unitPrice, tax },
    ...(productId !== undefined && { productId }),
  }));
  const bill = { pricesIncludeTax, rounding, lines, tip };
  const counted = countBill(bill);
  if (counted === undefined || counted.total === 0n) return undefined;
  const [only] = cart;
  const isPlain = cart.length === 1 && only?.productId === undefined && only?.tax === null && only.pieces === 1 && tip === 0n;
  return { amount: counted.total, bill: isPlain ? undefined : bill, counted };
}

/** A tip of so many percent of an amount, in smallest units. Half a unit is rounded up. */
export const tipOf = (amount: bigint, percent: number): bigint => (2n * amount * BigInt(percent) + 100n) / 200n;
