import { int64, table, text } from '../../platform/database/schema.ts';

/**
 * What packets that are in the archive brought to payments: one sum for each payment to another node. The audit counts
 * it with the packets that are still in the books.
 */
export const archivedPackets = table('archived_packets', {
  outgoingPaymentId: text('outgoing_payment_id').primaryKey(),
  /** The amount that arrived, in smallest units of the receiver's asset. */
  delivered: int64('delivered').notNull(),
});
