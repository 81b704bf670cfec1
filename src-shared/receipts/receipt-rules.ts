import { type BillAmounts, type BillLine, type LineAmounts, QUANTITY_PARTS } from '../bills/bill.ts';
import { splitBetween } from '../bills/bill-split.ts';
import type { ReceiptContent, ReceiptKind } from './receipt-content.ts';

/** What a receipt charges or gives back, in smallest units. */
export interface ReceiptSums extends Omit<BillAmounts, 'lines'> {
  readonly pricesIncludeTax: boolean;
  readonly lines: readonly (BillLine & LineAmounts)[];
}

const SERIES: Record<ReceiptKind, string> = { sale: 'S', refund: 'R' };

/** The place of a receipt: 1, 2, 3 … without gaps in each series. */
export interface ReceiptPlace {
  kind: ReceiptKind;
  /** The year of the day of the shop on which it was issued. */
  year: number;
  /** How often the books were put back from a copy before; each time new series begin. */
  branch: number;
  number: number;
}

/** 0 is nothing, 1 is `B`, 25 is `Z`, 26 is `AA`: the first series has no letter. */
function branchText(branch: number): string {
  let [left, text] = [branch, ''];
  for (; left > 25; left = Math.floor(left / 26) - 1) text = String.fromCharCode(65 + (left % 26)) + text;
  return branch === 0 ? '' : String.fromCharCode(65 + left) + text;
}

/** The number of a receipt as it is printed, such as `S-2026-000001`. */
export const receiptNumber = ({ kind, year, branch, number }: ReceiptPlace): string =>
  `${SERIES[kind]}-${year}${branchText(branch)}-${String(number).padStart(6, '0')}`;

const NUMBER = /^([SR])-(\d{4,6})([A-Z]{0,6})-(\d{6,15})$/;

/** The place that a printed number names. It is undefined for any other text. */
export function placeOfNumber(text: string): ReceiptPlace | undefined {
  const [, series, year, letters = '', number] = NUMBER.exec(text) ?? [];
  if (series === undefined) return undefined;
  let branch = 0;
  for (const letter of letters) branch = branch * 26 + (letter.charCodeAt(0) - 64);
  // The first letter is B: a series without a letter is the first one.
  const place = {
    kind: series === SERIES.sale ? 'sale' : 'refund',
    year: Number(year),
    branch: letters === '' ? 0 : branch - 1,
    number: Number(number),
  } as const;
  return receiptNumber(place) === text ? place : undefined;
}

/** Something that was charged or given back without lines. */
export function plainSums(text: string, amount: bigint): ReceiptSums {
  const counted = { net: amount, taxAmount: 0n };
  return {
    pricesIncludeTax: true,
    lines: [{ text, quantity: QUANTITY_PARTS, unitPrice: amount, tax: null, amount, ...counted }],
    rates: [],
    ...{ ...counted, tip: 0n, total: amount },
  };
}

/**
 * What a refund gives back of a sale: of the net and the tax of each rate, of what is not taxed, and of the tip the
 * same share, as day closings divide it (decisions.md#D-291). The parts add up to the refund, to the unit, and all
 * refunds of a sale that give back everything give back each part.
 * @param amount from 0 to the total of the sale less `before`.
 * @param before what earlier refunds of the sale gave back.
 */
export function refundSums(sale: Pick<ReceiptSums, 'rates' | 'tip' | 'total'>, amount: bigint, before = 0n): ReceiptSums {
  const back = splitBetween(sale, before, before + amount);
  const rates = sale.rates.map(({ name, rate }, nth) => ({
    name,
    rate,
    net: back.rates[nth]?.net ?? 0n,
    taxAmount: back.rates[nth]?.tax ?? 0n,
  }));
  const taxAmount = rates.reduce((sum, rate) => sum + rate.taxAmount, 0n);
  const { tip } = back;
  const plain = plainSums('', amount - tip);
  const net = amount - tip - taxAmount;
  return { ...plain, lines: plain.lines.map((line) => ({ ...line, net, taxAmount })), rates, net, taxAmount, tip, total: amount };
}

/** Whether each printed sum is the sum of what is printed above it, and no more was paid than was charged. */
export function addsUp({ lines, rates, net, taxAmount, tip, total, paid }: ReceiptContent): boolean {
  const sum = (values: readonly bigint[]) => values.reduce((all, one) => all + one, 0n);
  return (
    sum(lines.map((line) => line.net)) === net &&
    sum(lines.map((line) => line.taxAmount)) === taxAmount &&
    sum(rates.map((rate) => rate.taxAmount)) === taxAmount &&
    net + taxAmount + tip === total &&
    paid <= total
  );
}
