import { eq } from 'drizzle-orm';
import { type BookState, broughtBefore, tookBefore } from '../../ledger/account-book.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Place } from '../../platform/database/places.ts';
import { outgoingPayments } from '../tables.ts';
import { refunds } from './tables.ts';

/** The amount that had come of an incoming payment before a movement of its account's book, in smallest units. */
export async function receivedBefore(reader: Reader, book: BookState, id: string, before: Place): Promise<bigint> {
  const paying = await reader.select({ id: outgoingPayments.id }).from(outgoingPayments).where(eq(outgoingPayments.receiverId, id));
  return await broughtBefore(reader, book, [id, ...paying.map((row) => row.id)], before);
}

/**
 * The amount that refunds had given back of it, in smallest units. A refund counts when its money is set aside, and
 * what came back unspent counts against it.
 */
export async function refundedBefore(reader: Reader, book: BookState, id: string, before: Place): Promise<bigint> {
  const giving = await reader.select({ id: refunds.outgoingPaymentId }).from(refunds).where(eq(refunds.incomingPaymentId, id));
  const payments = giving.flatMap((row) => row.id ?? []);
  return await tookBefore(reader, book, payments, before);
}
