import type { Asset } from '../../src-shared/amounts.ts';
import type { ReportTax } from '../../src-shared/operator-contract/shop/reports.ts';
import { type Billed, taxesAndTipsOf } from '../closings/taxes.ts';
import type { BookState } from '../ledger/account-book.ts';
import { billSums } from '../payments/bills/bills.ts';
import { receivedBefore, refundedBefore } from '../payments/refunds/sale-before.ts';
import type { Reader } from '../platform/database/database.ts';

/** What a sale moved in the period, in smallest units. */
interface MovedOfSale {
  readonly id: string;
  readonly amount: bigint;
  /** The amount given back. It is below zero where more of a refund came back unspent. */
  readonly refunded: bigint;
}

/** Collects what was sold with tax in a period, and what was given back of it. */
export class Taxed {
  readonly #sales: Billed[] = [];
  readonly #refunds: Billed[] = [];

  /** Adds some sales, each once. @param since the beginning of the period, in milliseconds since the Unix epoch */
  async add(reader: Reader, { book, since, asset }: { book: BookState; since: number; asset: Asset }, sales: readonly MovedOfSale[]) {
    const bills = await billSums(
      reader,
      sales.map(({ id }) => id),
    );
    const begin = { createdAt: since, id: '' };
    for (const { id, amount, refunded } of sales) {
      const bill = bills.get(id);
      if (bill === undefined || bill.total === 0n || bill.rates.length === 0) continue;
      const came = amount === 0n || amount >= bill.total ? 0n : await receivedBefore(reader, book, id, begin);
      if (amount > 0n) this.#sales.push({ asset, bill, before: came, amount });
      if (refunded !== 0n) this.#refunds.push({ asset, bill, before: await refundedBefore(reader, book, id, begin), amount: refunded });
    }
  }

  list(): ReportTax[] {
    return taxesAndTipsOf(this.#sales, this.#refunds).taxes.map(({ assetCode, assetScale, ...tax }) => tax);
  }
}
