import { eq } from 'drizzle-orm';
import { appendEvent } from '../../journal/events.ts';
import type { Database } from '../../platform/database/database.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { searchTextOf, searchTextWithPayers } from '../search-text.ts';
import { incomingPayments } from '../tables.ts';
import { findIncomingPayment, type IncomingPayment, touchedByIncoming } from './incoming-payments.ts';
import { changeKept, type PrivateNotes } from './kept-requests.ts';

/**
 * Changes what the operator has noted about a request of their own, at any time. What the payer and clients see stays
 * as it is, and so does the moment of its last change.
 * @param at milliseconds since the Unix epoch.
 */
export async function changeNotes(
  database: Database,
  id: string,
  notes: PrivateNotes,
  at: number,
): Promise<Result<IncomingPayment, 'not_found'>> {
  return await database.write(
    async (tx): Promise<Result<IncomingPayment, 'not_found'>> => {
      const payment = await findIncomingPayment(tx, id);
      if (payment === undefined || payment.client !== null) return refuse('not_found');
      await changeKept(tx, payment, notes);
      const search = searchTextWithPayers(searchTextOf(payment.metadata, notes), payment.search);
      await tx.update(incomingPayments).set({ search }).where(eq(incomingPayments.id, id));
      await appendEvent(tx, { type: 'incoming_payment.noted', subject: id, walletAddressId: payment.walletAddressId, at });
      return ok({ ...payment, search });
    },
    [touchedByIncoming(id)],
  );
}
