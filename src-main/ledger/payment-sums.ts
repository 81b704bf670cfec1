import { count, inArray } from 'drizzle-orm';
import type { Reader } from '../platform/database/database.ts';
import { exactSum } from '../platform/database/exact-sum.ts';
import { ledgerTransfers } from './tables.ts';

// What the rules of payments ask the ledger. The database adds up, because one payment can have any number of
// transfers: a payment request without an end has two more for each quarter of an hour in which a peer pays it.

const t = ledgerTransfers;

/** What the transfers of one payment in one state have moved, or hold, between two ledger accounts. */
export interface PaymentSum extends Pick<typeof t.$inferSelect, 'paymentId' | 'kind' | 'state' | 'debitAccountId' | 'creditAccountId'> {
  amount: bigint;
  /** How many transfers that are. */
  count: number;
}

/** The sums of the transfers of some payments. There is one for each kind, state and pair of ledger accounts. */
export async function paymentSums(reader: Reader, paymentIds: string[]): Promise<PaymentSum[]> {
  const { paymentId, kind, state, debitAccountId, creditAccountId, amount } = t;
  return await reader
    .select({ paymentId, kind, state, debitAccountId, creditAccountId, amount: exactSum(amount), count: count() })
    .from(t)
    .where(inArray(paymentId, paymentIds))
    .groupBy(paymentId, kind, state, debitAccountId, creditAccountId);
}
