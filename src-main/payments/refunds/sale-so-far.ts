import { eq } from 'drizzle-orm';
import { type BookState, broughtBefore, tookBefore } from '../../ledger/account-book.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Place } from '../../platform/database/places.ts';
import { outgoingPayments } from '../tables.ts';
import { refunds } from './tables.ts';

/** What had come of a sale, and what refunds had given back of it, in smallest units. */
export interface SoFar {
  received: bigint;
  /** A refund counts when its money is set aside; what came back unspent counts against it. */
  refunded: bigint;
}

/** How far an incoming payment was before a movement of its account's book. */
export async function saleSoFar(reader: Reader, book: BookState, id: string, before: Place): Promise<SoFar> {
  const paying = await reader.select({ id: outgoingPayments.id }).from(outgoingPayments).where(eq(outgoingPayments.receiverId, id));
  const giving = await reader.select({ id: refunds.outgoingPaymentId }).from(refunds).where(eq(refunds.incomingPaymentId, id));
  return {
    received: await broughtBefore(reader, book, [id, ...paying.map((row) => row.id)], before),
    refunded: await tookBefore(
      reader,
      book,
      giving.flatMap((row) => row.id ?? []),
      before,
    ),
  };
}
