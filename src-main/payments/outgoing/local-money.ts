import { and, eq, lte, sql } from 'drizzle-orm';
import { sameAsset } from '../../../src-shared/amounts.ts';
import { exchangeAccount } from '../../exchange/exchange-accounts.ts';
import type { AcceptPacket, AcceptRefusal, LocalPacket } from '../../ilp/packets.ts';
import { appendEvent } from '../../journal/events.ts';
import { accountId, drawHeld, heldUnder, takeHeld, transfer } from '../../ledger/ledger.ts';
import type { Core } from '../../platform/core.ts';
import { prepared, type Tx } from '../../platform/database/database.ts';
import { placeholdersOf } from '../../platform/database/placeholders.ts';
import { together } from '../../platform/database/together.ts';
import { catchRefusal, ok, Refused, type Result } from '../../platform/result.ts';
import { findIncomingPayment, type IncomingPayment, receive, roomOf, statusOf, touchedByIncoming } from '../incoming/incoming-payments.ts';
import { outgoingPayments, packets } from '../tables.ts';
import { type OutgoingPayment, touchedByOutgoing } from './outgoing-payment-rows.ts';

const $ = sql.placeholder;

const insertPacket = prepared((tx: Tx) =>
  tx.insert(packets).values(placeholdersOf(packets)).onConflictDoNothing().returning({ condition: packets.condition }).prepare(),
);

/** Takes `sourceAmount` from what is left of the payment, if this attempt may still send it. */
const spend = prepared((tx: Tx) =>
  tx
    .update(outgoingPayments)
    .set({
      sent: sql`${outgoingPayments.sent} + ${$('sourceAmount')}`,
      delivered: sql`${outgoingPayments.delivered} + ${$('amount')}`,
      packets: sql`${outgoingPayments.packets} + 1`,
      fruitless: sql`0`,
      state: sql`case when ${outgoingPayments.sent} + ${$('sourceAmount')} = ${outgoingPayments.debitAmount} then 'completed' else 'sending' end`,
      updatedAt: sql`${$('at')}`,
    })
    .where(
      and(
        eq(outgoingPayments.id, $('id')),
        eq(outgoingPayments.attempt, $('attempt')),
        eq(outgoingPayments.state, 'sending'),
        lte(sql`${outgoingPayments.sent} + ${$('sourceAmount')}`, outgoingPayments.debitAmount),
      ),
    )
    .returning()
    .prepare(),
);

/**
 * Makes the write that moves the money of one packet between two wallet addresses of this node. Both payments, the
 * ledger and the packet's row change in that write, or nothing does. Whatever happens to the FULFILL afterwards, the
 * books are right (decisions.md#D-26).
 */
export function createLocalAcceptance({ database, clock }: Pick<Core, 'database' | 'clock'>): AcceptPacket {
  return async (packet) => {
    const at = clock.now();
    const touches = [touchedByIncoming(packet.incomingPaymentId), touchedByOutgoing(packet.sender.outgoingPaymentId)];
    return await catchRefusal(database.write((tx) => acceptPacket(tx, packet, at), touches));
  };
}

/**
 * Moves the money of one packet.
 * @throws Refused with an AcceptRefusal.
 */
async function acceptPacket(tx: Tx, packet: LocalPacket, at: number): Promise<Result<void, AcceptRefusal>> {
  const { sourceAmount, amount, sender, incomingPaymentId } = packet;
  const { outgoingPaymentId, attempt } = sender;
  const condition = packet.condition.toString('base64url');
  const row: typeof packets.$inferSelect = { condition, outgoingPaymentId, incomingPaymentId, amount, createdAt: at };
  // A refusal undoes what the others have written.
  const [incoming, [inserted], [outgoing]] = await together([
    openIncomingPayment(tx, incomingPaymentId, amount, at),
    insertPacket(tx).execute(row),
    spend(tx).execute({ id: outgoingPaymentId, attempt, sourceAmount, amount, at: BigInt(at) }),
  ]);
  if (inserted === undefined) throw new Refused<AcceptRefusal>('sender_stopped');
  if (outgoing?.receiverId !== incomingPaymentId) throw new Refused<AcceptRefusal>('sender_stopped');
  if (!isAtItsPrice(outgoing)) throw new Error('a packet was not converted at the price of its payment');
  // A packet can be worth less than a unit of the receiver's asset. It brings nothing by itself, and the next packet
  // brings its share along.
  if (amount > 0n) await receive(tx, incoming, amount, at);
  if (sameAsset(packet.sourceAsset, packet.asset)) await moveDirectly(tx, packet, outgoing, incoming, at);
  else await moveThroughExchange(tx, packet, outgoing, at);
  await appendEvent(tx, {
    type: outgoing.state === 'completed' ? 'outgoing_payment.completed' : 'outgoing_payment.sent',
    subject: outgoing.id,
    walletAddressId: outgoing.walletAddressId,
    body: { amount: sourceAmount.toString(), sent: outgoing.sent.toString() },
    at,
  });
  return ok(undefined);
}

/** Whether what has arrived is what is due for all that was sent, rounded down once, however many packets it took. */
const isAtItsPrice = ({ sent, delivered, debitAmount, receiveAmount }: OutgoingPayment): boolean =>
  delivered === (sent * receiveAmount) / debitAmount;

async function moveDirectly(tx: Tx, packet: LocalPacket, outgoing: OutgoingPayment, incoming: IncomingPayment, at: number): Promise<void> {
  const { amount } = packet;
  const credit = accountId('customer', incoming.walletAddressId);
  const held = outgoing.packets === 1 ? await heldUnder(tx, outgoing.id) : undefined;
  const isWhole = held?.amount === outgoing.debitAmount && held.debit === accountId('customer', outgoing.walletAddressId);
  if (held !== undefined && !(isWhole && held.credit === credit)) throw new Error('what is held for a payment is not its money');
  const takesAll = held?.amount === amount;
  if (held !== undefined && !takesAll) await bringToEscrow(tx, outgoing, at);
  const moved = takesAll
    ? await drawHeld(tx, held, { amount, at })
    : await transfer(tx, {
        kind: 'payment',
        debit: accountId('escrow', outgoing.walletAddressId),
        credit,
        amount,
        paymentId: outgoing.id,
        isFurther: outgoing.packets > 1,
        at,
      });
  if (!moved.ok) throw new Refused<AcceptRefusal>(moved.error === 'too_large' ? 'over_amount' : 'insufficient');
}

/**
 * The first packet of a payment does not take everything that is held for it. So the payment needs more than one
 * transfer, and goes on as if its money had been in escrow from the beginning.
 */
async function bringToEscrow(tx: Tx, { id, walletAddressId, debitAmount: amount }: OutgoingPayment, at: number): Promise<void> {
  await takeHeld(tx, id);
  const [debit, credit] = [accountId('customer', walletAddressId), accountId('escrow', walletAddressId)];
  const moved = await transfer(tx, { kind: 'reservation', debit, credit, amount, paymentId: id, at });
  if (!moved.ok) throw new Refused<AcceptRefusal>('insufficient');
}

/**
 * The payer's asset goes to the exchange account. The receiver's asset comes out of what was set aside for this payment
 * when it was funded.
 */
async function moveThroughExchange(tx: Tx, packet: LocalPacket, outgoing: OutgoingPayment, at: number): Promise<void> {
  const isFurther = outgoing.packets > 1;
  const given = await transfer(tx, {
    kind: 'payment',
    debit: accountId('escrow', outgoing.walletAddressId),
    credit: exchangeAccount(packet.sourceAsset),
    amount: packet.sourceAmount,
    paymentId: outgoing.id,
    isFurther,
    at,
  });
  if (!given.ok) throw new Refused<AcceptRefusal>('insufficient');
  if (packet.amount === 0n) return;
  const paidOut = await drawHeld(tx, await heldUnder(tx, outgoing.id), { amount: packet.amount, at, isFurther });
  if (!paidOut.ok) throw new Refused<AcceptRefusal>(paidOut.error === 'too_large' ? 'over_amount' : 'insufficient');
}

async function openIncomingPayment(tx: Tx, id: string, amount: bigint, at: number): Promise<IncomingPayment> {
  const incoming = await findIncomingPayment(tx, id);
  if (incoming === undefined) throw new Refused<AcceptRefusal>('unknown_payment');
  if (statusOf(incoming, at) !== 'open') throw new Refused<AcceptRefusal>('receiver_closed');
  // A payer on this node never overpays: equal assets are exact, and an exchange is quoted in the receiver's units.
  if (amount > roomOf(incoming)) throw new Refused<AcceptRefusal>('over_amount');
  return incoming;
}
