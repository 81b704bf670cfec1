import type { Asset } from '../../src-shared/amounts.ts';
import type { BillSums } from '../payments/bills/bills.ts';
import type { Seller } from '../payments/sellers.ts';

/** A received payment, and who asked for it. */
export interface Sale extends Seller {
  accountId: string;
  asset: Asset;
  amount: bigint;
  /** The sums of its bill. They are undefined for a plain amount. */
  bill: BillSums | undefined;
}

/** What was given back of a received payment: the amount, and the payments that took it. */
export interface GivenBackSale extends Sale {
  readonly refunds: Set<string>;
}

/**
 * How far sales with a bill are at the end of a period, in smallest units, by the id of the incoming payment. It has
 * those of which more than one movement tells.
 */
export interface Until {
  /** What has come of each so far. */
  readonly received: ReadonlyMap<string, bigint>;
  /** What was given back of each so far. */
  readonly refunded: ReadonlyMap<string, bigint>;
}

export const NOTHING_YET: Until = { received: new Map(), refunded: new Map() };
