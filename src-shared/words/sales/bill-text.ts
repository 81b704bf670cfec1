import { type BillLine, type LineAmounts, QUANTITY_PARTS, type RateAmounts } from '../../bills/bill.ts';
import { plainNumberText } from '../amount-text.ts';
import { inertText } from '../inert-text.ts';
import { area } from '../language/language.ts';
import { locale } from '../language/locale.ts';
import { taxRateText } from './tax-rate-text.ts';

export const billWords = area('bill');

/** A quantity in thousandths as people write it, such as `2` or `0.35`. */
export function quantityText(quantity: number, tag: string = locale()): string {
  const whole = Math.floor(quantity / QUANTITY_PARTS);
  const fraction = String(quantity % QUANTITY_PARTS)
    .padStart(3, '0')
    .replace(/0+$/, '');
  return plainNumberText(fraction === '' ? `${whole}` : `${whole}.${fraction}`, tag);
}

/** One row of a bill as it is printed. */
interface BillRow {
  readonly kind: 'line' | 'tax' | 'tip' | 'total';
  /** What was sold has the words of the shop, and nobody else's. */
  readonly text: string;
  /** How many at which price, unless it is one. */
  readonly detail: string | undefined;
  readonly amount: string;
}

/** A bill as it is printed, whoever counted it. */
export interface PrintedBill {
  readonly pricesIncludeTax: boolean;
  readonly lines: readonly (BillLine & LineAmounts)[];
  readonly rates: readonly RateAmounts[];
  readonly tip: bigint;
  readonly total: bigint;
}

/**
 * The rows of a bill, from its first line to its total.
 * @param money writes an amount of its currency.
 * @param tag the language in which its readers see numbers.
 */
export function billRows(
  { pricesIncludeTax, lines, rates, tip, total }: PrintedBill,
  money: (value: bigint) => string,
  tag: string = locale(),
): BillRow[] {
  const taxWords = pricesIncludeTax ? billWords.including : billWords.plus;
  const row = (kind: BillRow['kind'], text: string, value: bigint, detail?: string): BillRow => ({
    kind,
    text,
    detail,
    amount: money(value),
  });
  return [
    ...lines.map(({ text, quantity, unitPrice, amount }) => {
      const times = billWords.times({ quantity: quantityText(quantity, tag), price: money(unitPrice) });
      return row('line', text === '' ? billWords.item : text, amount, quantity === QUANTITY_PARTS ? undefined : times);
    }),
    ...rates.map(({ name, rate, net, taxAmount }) =>
      row('tax', taxWords({ tax: inertText(name), rate: taxRateText(rate, tag), net: money(net) }), taxAmount),
    ),
    ...(tip === 0n ? [] : [row('tip', billWords.tip, tip)]),
    row('total', billWords.total, total),
  ];
}
