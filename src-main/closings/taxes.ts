import { type Asset, assetKey } from '../../src-shared/amounts.ts';
import type { ClosingTax, ClosingTip } from '../../src-shared/operator-contract/shop/closings.ts';
import type { BillSums } from '../payments/bills/bills.ts';

/** What came of a bill in one period, in smallest units. */
export interface BilledSale {
  readonly asset: Asset;
  readonly bill: BillSums;
  /** What had come before the period. */
  readonly before: bigint;
  /** What came in the period. */
  readonly amount: bigint;
}

/**
 * How much of one part of a bill (its tip, the tax of a rate) came in a period, in smallest units. A bill that is paid
 * in several parts brings a share of each part with each of them. What comes up to a moment is rounded down, and a
 * period has the difference of two such sums. So the periods add up to the part, to the unit, once all is paid.
 */
export function shareOf(part: bigint, { bill: { total }, before, amount }: Pick<BilledSale, 'bill' | 'before' | 'amount'>): bigint {
  const upTo = (received: bigint) => (part * (received < total ? received : total)) / total;
  return upTo(before + amount) - upTo(before);
}

/** The taxes and tips that came in a period: for each currency and rate, and for each currency. */
export function taxesAndTipsOf(sales: Iterable<BilledSale>): { taxes: ClosingTax[]; tips: ClosingTip[] } {
  const taxes = new Map<string, ClosingTax>();
  const tips = new Map<string, ClosingTip>();
  for (const sale of sales) {
    const { assetCode, assetScale } = sale.asset;
    for (const { name, rate, net, taxAmount } of sale.bill.rates) {
      const key = `${assetKey(sale.asset)} ${rate} ${name}`;
      const sum = taxes.get(key) ?? { assetCode, assetScale, name, rate, net: 0n, tax: 0n };
      taxes.set(key, { ...sum, net: sum.net + shareOf(net, sale), tax: sum.tax + shareOf(taxAmount, sale) });
    }
    const tip = shareOf(sale.bill.tip, sale);
    if (tip === 0n) continue;
    const sum = tips.get(assetKey(sale.asset)) ?? { assetCode, assetScale, value: 0n };
    tips.set(assetKey(sale.asset), { ...sum, value: sum.value + tip });
  }
  return { taxes: inOrder(taxes), tips: inOrder(tips) };
}

const inOrder = <T>(sums: ReadonlyMap<string, T>): T[] => [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
