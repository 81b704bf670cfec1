import { and, isNull, sql } from 'drizzle-orm';
import { sentPackets } from '../peers/tables.ts';
import type { Tx } from '../platform/database/database.ts';
import { appendEvent } from '../platform/events.ts';
import { isUnfinished, outgoingPayments } from './tables.ts';

/**
 * The books were put back from a copy: payments to other nodes that were under way in it may have gone on since, and nobody here knows how far. They
 * wait for the operator, with their money where it is. Those between accounts of this node go on: both their ends are in the copy. Part of a write.
 */
export async function doubtRemotePayments(tx: Tx, at: number): Promise<void> {
  await tx.update(sentPackets).set({ state: 'unknown' }).where(sql`${sentPackets.state} = 'held'`);
  const doubted = await tx
    .update(outgoingPayments)
    .set({ state: 'unknown', attempt: sql`${outgoingPayments.attempt} + 1`, updatedAt: at })
    .where(and(isUnfinished, isNull(outgoingPayments.receiverId)))
    .returning();
  for (const payment of doubted) {
    await appendEvent(tx, {
      type: 'outgoing_payment.unknown',
      subject: payment.id,
      walletAddressId: payment.walletAddressId,
      body: { held: payment.held.toString(), restored: 'true' },
      at,
    });
  }
}
