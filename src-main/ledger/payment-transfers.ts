import { and, eq } from 'drizzle-orm';
import type { Reader } from '../platform/database/database.ts';
import { ledgerTransfers } from './tables.ts';

/**
 * The two ledger accounts between which money of a payment has moved, and how much, in smallest units of their asset.
 */
interface PaymentTransfer {
  debit: string;
  credit: string;
  amount: bigint;
}

/** What has moved for a payment by itself: not what was set aside for it, and not what went back of that. */
export async function transfersOf(reader: Reader, paymentId: string): Promise<PaymentTransfer[]> {
  const { debitAccountId: debit, creditAccountId: credit, amount, kind, state, paymentId: of } = ledgerTransfers;
  const isMeant = and(eq(of, paymentId), eq(kind, 'payment'), eq(state, 'posted'));
  return await reader.select({ debit, credit, amount }).from(ledgerTransfers).where(isMeant);
}
