import { type Asset, assetKey } from '../../src-shared/amounts.ts';
import { splitBetween } from '../../src-shared/bills/bill-split.ts';
import type { ClosingTax, ClosingTip } from '../../src-shared/operator-contract/shop/closings.ts';
import type { BillSums } from '../payments/bills/bills.ts';

/** Whether something is added, or what was added is taken away again. */
export type Sign = 1n | -1n;

/** What came of a bill in one period, or was given back of it, in smallest units. */
export interface Billed {
  readonly asset: Asset;
  readonly bill: BillSums;
  /** The same before the period. */
  readonly before: bigint;
  /** It is below 0 where more of a refund came back unspent than was given back. */
  readonly amount: bigint;
}

/** What came of a bill in one period, or was given back: of each rate, in their order, and of its tip. */
export interface Shares {
  readonly rates: readonly { readonly name: string; readonly rate: number; readonly net: bigint; readonly tax: bigint }[];
  readonly tip: bigint;
}

/** The parts of what came of a bill in a period, or was given back. The periods add up (decisions.md#D-291). */
export function sharesIn({ bill, before, amount }: Omit<Billed, 'asset'>): Shares {
  const { rates, tip } = splitBetween(bill, before, before + amount);
  return { tip, rates: bill.rates.map(({ name, rate }, nth) => ({ name, rate, ...(rates[nth] ?? { net: 0n, tax: 0n }) })) };
}

/**
 * The taxes and tips of a period: for each currency and rate, and for each currency, what came and what was given back.
 */
export function taxesAndTipsOf(sales: Iterable<Billed>, refunds: Iterable<Billed> = []): { taxes: ClosingTax[]; tips: ClosingTip[] } {
  const sums = new TaxSums();
  for (const sale of sales) sums.addCame(sale.asset, sharesIn(sale));
  for (const refund of refunds) sums.addBack(refund.asset, sharesIn(refund));
  return sums.lists();
}

/** Adds sales and refunds up, one after the other. */
export class TaxSums {
  readonly #taxes: Map<string, ClosingTax>;
  readonly #tips: Map<string, ClosingTip>;

  constructor(taxes = new Map<string, ClosingTax>(), tips = new Map<string, ClosingTip>()) {
    this.#taxes = taxes;
    this.#tips = tips;
  }

  /** The same sums. What is added to them is not added to these. */
  copy(): TaxSums {
    return new TaxSums(new Map(this.#taxes), new Map(this.#tips));
  }

  addCame(asset: Asset, { rates, tip }: Shares, sign: Sign = 1n): void {
    for (const { net, tax, ...rate } of rates)
      this.#tax(asset, rate, (sum) => ({ ...sum, net: sum.net + sign * net, tax: sum.tax + sign * tax }));
    if (tip !== 0n) this.#tip(asset, (sum) => ({ ...sum, value: sum.value + sign * tip }));
  }

  addBack(asset: Asset, { rates, tip }: Shares, sign: Sign = 1n): void {
    for (const { net, tax, ...rate } of rates) {
      if (net === 0n && tax === 0n) continue;
      this.#tax(asset, rate, ({ refundedNet = 0n, refundedTax = 0n, ...sum }) => ({
        ...sum,
        ...{ refundedNet: refundedNet + sign * net, refundedTax: refundedTax + sign * tax },
      }));
    }
    if (tip !== 0n) this.#tip(asset, (sum) => ({ ...sum, refunded: (sum.refunded ?? 0n) + sign * tip }));
  }

  /** Adds other sums to these. */
  addAll(others: TaxSums): void {
    for (const { assetCode, assetScale, net, tax, refundedNet = 0n, refundedTax = 0n, ...rate } of others.#taxes.values()) {
      this.addCame({ assetCode, assetScale }, { rates: [{ ...rate, net, tax }], tip: 0n });
      this.addBack({ assetCode, assetScale }, { rates: [{ ...rate, net: refundedNet, tax: refundedTax }], tip: 0n });
    }
    for (const { assetCode, assetScale, value, refunded = 0n } of others.#tips.values()) {
      this.addCame({ assetCode, assetScale }, { rates: [], tip: value });
      this.addBack({ assetCode, assetScale }, { rates: [], tip: refunded });
    }
  }

  lists(): { taxes: ClosingTax[]; tips: ClosingTip[] } {
    return { taxes: inOrder(this.#taxes), tips: inOrder(this.#tips) };
  }

  #tax(asset: Asset, { name, rate }: Pick<ClosingTax, 'name' | 'rate'>, change: (sum: ClosingTax) => ClosingTax): void {
    const { assetCode, assetScale } = asset;
    const key = `${assetKey(asset)} ${rate} ${name}`;
    this.#taxes.set(key, change(this.#taxes.get(key) ?? { assetCode, assetScale, name, rate, net: 0n, tax: 0n }));
  }

  #tip(asset: Asset, change: (sum: ClosingTip) => ClosingTip): void {
    const { assetCode, assetScale } = asset;
    const key = assetKey(asset);
    this.#tips.set(key, change(this.#tips.get(key) ?? { assetCode, assetScale, value: 0n }));
  }
}

const inOrder = <T>(sums: ReadonlyMap<string, T>): T[] => [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
