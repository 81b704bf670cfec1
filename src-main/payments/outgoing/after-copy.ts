import { and, isNull, sql } from 'drizzle-orm';
import { appendEvent } from '../../journal/events.ts';
import { sentPackets } from '../../peers/tables.ts';
import type { Tx } from '../../platform/database/database.ts';
import { isUnfinished, outgoingPayments } from '../tables.ts';
import { openPackets, voidPacket } from './sent-packets.ts';

/**
 * Called when the books were put back from a copy. Payments to other nodes that were under way in the copy may have
 * gone on since, and nobody here knows how far. They wait for the operator, and their money stays where it is. Payments
 * between wallet addresses of this node go on, because both their ends are in the copy. Part of a write.
 */
export async function doubtRemotePayments(tx: Tx, at: number): Promise<void> {
  const remote = and(isUnfinished, isNull(outgoingPayments.receiverId));
  for (const { id, state } of await tx.select().from(outgoingPayments).where(remote)) {
    // A payment that is `settling` sends nothing more. Only the outcome of its packets is unknown.
    if (state === 'settling') continue;
    // Of the other payments, any part of what was left may have been sent since. If a packet were asked about by
    // itself, the rest would be given back as if it had not been sent.
    for (const { condition } of await openPackets(tx, id)) await voidPacket(tx, condition, 'restored', at);
  }
  await tx.update(sentPackets).set({ state: 'unknown' }).where(sql`${sentPackets.state} = 'held'`);
  const doubted = await tx
    .update(outgoingPayments)
    .set({ state: 'unknown', attempt: sql`${outgoingPayments.attempt} + 1`, updatedAt: at })
    .where(remote)
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
