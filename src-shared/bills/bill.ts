import { MAX_MOVED } from '../amounts.ts';

/** The parts of one piece of a quantity: thousandths, so that 0.350 kg or 1.25 hours are integers. */
export const QUANTITY_PARTS = 1_000;
/** The most thousandths of one line: a million pieces. */
export const MOST_QUANTITY = 1_000_000 * QUANTITY_PARTS;
/** The parts of one whole in a tax rate: thousandths of a percent, so that 19 % is 19,000. */
export const TAX_PARTS = 100_000;
/** The most lines of one bill. */
export const MOST_LINES = 100;

/** A rate of tax at the moment of the sale. */
export interface BillRate {
  /** The shop's name for it, such as `VAT`. */
  readonly name: string;
  /** The rate, in thousandths of a percent, from 0 to {@link TAX_PARTS}. */
  readonly rate: number;
}

/** One thing that is sold. */
export interface BillLine {
  readonly text: string;
  /** The quantity, in thousandths of a piece: above 0, and at most {@link MOST_QUANTITY}. */
  readonly quantity: number;
  /**
   * The price of one piece, in smallest units of the currency: 0 or more. It contains the tax where the bill says so.
   */
  readonly unitPrice: bigint;
  /** The tax. It is null for a line that is not taxed. */
  readonly tax: BillRate | null;
}

/** How the shop counts tax. */
export interface TaxRules {
  /** Whether prices contain the tax. Otherwise it is added to them. */
  readonly pricesIncludeTax: boolean;
  /** Whether the tax is rounded on each line, or once for everything of the same rate. */
  readonly rounding: 'line' | 'total';
}

/** The things that are sold, before anything is counted. */
export interface Bill extends TaxRules {
  readonly lines: readonly BillLine[];
  /** The tip, in smallest units: 0 or more. It is no price of anything, and is never taxed. */
  readonly tip: bigint;
}

/** The amounts of a line, in smallest units. */
export interface LineAmounts {
  /** The price of one piece times the quantity, rounded. It contains the tax where the bill says so. */
  readonly amount: bigint;
  readonly net: bigint;
  readonly taxAmount: bigint;
}

/** The amounts of everything of one rate, in smallest units. */
export interface RateAmounts extends BillRate {
  readonly net: bigint;
  readonly taxAmount: bigint;
}

/** The amounts of a bill, in smallest units. `net + taxAmount + tip` is the total, to the unit. */
export interface BillAmounts {
  /** The amounts, in the order of the lines. */
  readonly lines: readonly LineAmounts[];
  /** The rates, the highest first. Lines without tax are in no rate. */
  readonly rates: readonly RateAmounts[];
  readonly net: bigint;
  readonly taxAmount: bigint;
  readonly tip: bigint;
  /** The amount that the customer is charged. */
  readonly total: bigint;
}

/**
 * Counts the amounts of a bill (decisions.md#D-244). Half a unit is rounded away from zero. The order of the lines
 * changes nothing but the order of the answer.
 * @returns undefined when a value is out of its range, or the total is more than can move.
 */
export function countBill(bill: Bill): BillAmounts | undefined {
  if (bill.lines.length > MOST_LINES || bill.tip < 0n || !bill.lines.every(isInRange)) return undefined;
  const amounts = bill.lines.map(({ quantity, unitPrice }) => rounded(unitPrice * BigInt(quantity), BigInt(QUANTITY_PARTS)));
  const taxes =
    bill.rounding === 'line' ? amounts.map((amount, nth) => taxOf(bill, amount, rateOf(bill, nth))) : sharedTaxes(bill, amounts);
  const lines = amounts.map((amount, nth) => {
    const taxAmount = taxes[nth] ?? 0n;
    return { amount, net: bill.pricesIncludeTax ? amount - taxAmount : amount, taxAmount };
  });
  const net = sum(lines.map((line) => line.net));
  const taxAmount = sum(taxes);
  const total = net + taxAmount + bill.tip;
  return total > MAX_MOVED
    ? undefined
    : { lines, rates: ratesOf(bill.lines.map((line, nth) => ({ ...line, ...lines[nth] }))), net, taxAmount, tip: bill.tip, total };
}

const isInRange = ({ quantity, unitPrice, tax }: BillLine): boolean =>
  isWithin(quantity, 1, MOST_QUANTITY) && unitPrice >= 0n && unitPrice <= MAX_MOVED && (tax === null || isWithin(tax.rate, 0, TAX_PARTS));

const isWithin = (value: number, least: number, most: number): boolean => Number.isSafeInteger(value) && value >= least && value <= most;

const sum = (values: readonly bigint[]): bigint => values.reduce((all, one) => all + one, 0n);

/** Half is rounded up, which is away from zero, because nothing here is negative. */
const rounded = (numerator: bigint, denominator: bigint): bigint => (2n * numerator + denominator) / (2n * denominator);

const rateOf = ({ lines }: Bill, nth: number): bigint => BigInt(lines[nth]?.tax?.rate ?? 0);

/** The tax is `amount × rate ÷ divisor`: a part of what contains it, or a share of what does not. */
const divisorOf = ({ pricesIncludeTax }: TaxRules, rate: bigint): bigint => BigInt(TAX_PARTS) + (pricesIncludeTax ? rate : 0n);

const taxOf = (rules: TaxRules, amount: bigint, rate: bigint): bigint => rounded(amount * rate, divisorOf(rules, rate));

const keyOf = ({ name, rate }: BillRate): string => `${rate}/${name}`;

/** The places of the lines of each rate. */
function placesByRate(lines: readonly Pick<BillLine, 'tax'>[]): ReadonlyMap<string, { rate: BillRate; places: number[] }> {
  const found = new Map<string, { rate: BillRate; places: number[] }>();
  for (const [nth, { tax }] of lines.entries()) {
    if (tax === null) continue;
    const same = found.get(keyOf(tax)) ?? { rate: { name: tax.name, rate: tax.rate }, places: [] };
    same.places.push(nth);
    found.set(keyOf(tax), same);
  }
  return found;
}

/**
 * Rounds the tax once for each rate and divides it among its lines by the largest remainders, so that the lines add up
 * to it. Of equal remainders the larger amount gets the unit; lines alike in that are alike in what they get, but for
 * their order.
 */
function sharedTaxes(bill: Bill, amounts: readonly bigint[]): bigint[] {
  const taxes = amounts.map(() => 0n);
  for (const { rate: found, places } of placesByRate(bill.lines).values()) {
    const rate = BigInt(found.rate);
    const divisor = divisorOf(bill, rate);
    const parts = places.map((nth) => {
      const amount = amounts[nth] ?? 0n;
      return { nth, amount, whole: (amount * rate) / divisor, left: (amount * rate) % divisor };
    });
    const missing = taxOf(bill, sum(parts.map(({ amount }) => amount)), rate) - sum(parts.map(({ whole }) => whole));
    parts.sort((a, b) => compared(b.left, a.left) || compared(b.amount, a.amount));
    for (const [place, { nth, whole }] of parts.entries()) taxes[nth] = whole + (BigInt(place) < missing ? 1n : 0n);
  }
  return taxes;
}

const compared = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** The amounts of the lines of each rate together, the highest rate first. */
export const ratesOf = (lines: readonly (Pick<BillLine, 'tax'> & Partial<LineAmounts>)[]): RateAmounts[] =>
  [...placesByRate(lines).values()]
    .map(({ rate, places }) => ({
      ...rate,
      net: sum(places.map((nth) => lines[nth]?.net ?? 0n)),
      taxAmount: sum(places.map((nth) => lines[nth]?.taxAmount ?? 0n)),
    }))
    .sort((a, b) => b.rate - a.rate || (a.name < b.name ? -1 : 1));
