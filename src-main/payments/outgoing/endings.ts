import { and, eq, sql } from 'drizzle-orm';
import { assetKey, sameAsset } from '../../../src-shared/amounts.ts';
import type { Failure } from '../../../src-shared/payment-failures.ts';
import { release, touchedByBudget } from '../../access/grants/spending-limits.ts';
import { appendEvent } from '../../journal/events.ts';
import { accountId, heldUnder, transfer, voidHeld } from '../../ledger/ledger.ts';
import { GIVEN_BACK } from '../../ledger/transfer-kinds.ts';
import { type Database, prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { walletAddresses } from '../../wallet-addresses/tables.ts';
import { isUnfinished, outgoingPayments } from '../tables.ts';
import { type OutgoingPayment, receiveAsset, touchedByOutgoing } from './outgoing-payment-rows.ts';

const $ = sql.placeholder;
const payerById = prepared((reader: Reader) =>
  reader
    .select()
    .from(walletAddresses)
    .where(eq(walletAddresses.id, $('id')))
    .prepare(),
);

const setCompleted = prepared((tx: Tx) =>
  tx
    .update(outgoingPayments)
    .set({ state: 'completed', failure: null, sent: sql`${$('sent')}`, updatedAt: sql`${$('at')}` })
    .where(eq(outgoingPayments.id, $('id')))
    .prepare(),
);

/** The condition that the payment still has something to do, and that nobody else has claimed it since it was read. */
export const isStill = (payment: Pick<OutgoingPayment, 'id' | 'attempt'>) =>
  and(eq(outgoingPayments.id, payment.id), eq(outgoingPayments.attempt, payment.attempt), isUnfinished);

/**
 * Ends a payment that has failed. Unspent money and unspent budget go back in the same write, the budget to the window
 * from which it came (decisions.md#D-22). While money is held in packets to peers, nothing goes back yet: the payment
 * is `settling` first, and keeps the reason.
 * @returns false when the payment has ended already, or another attempt has it.
 */
export async function giveUp(database: Database, payment: OutgoingPayment, failure: Failure, at: number): Promise<boolean> {
  return await database.write(
    async (tx) => {
      const [current] = await tx.select().from(outgoingPayments).where(isStill(payment));
      if (current === undefined) return false;
      if (current.held === 0n) await fail(tx, current, failure, at);
      else await awaitAnswers(tx, current, failure, at);
      return true;
    },
    [touchedByOutgoing(payment.id), ...(payment.grantId === null ? [] : [touchedByBudget(payment.grantId)])],
  );
}

/** Lets no new packet leave. The worker waits for the outcome of those under way. */
async function awaitAnswers(tx: Tx, payment: OutgoingPayment, failure: Failure, at: number): Promise<void> {
  await tx
    .update(outgoingPayments)
    .set({ state: 'settling', failure: payment.failure ?? failure, fruitless: 0, dueAt: at, updatedAt: at })
    .where(eq(outgoingPayments.id, payment.id));
  if (payment.state === 'settling') return;
  await appendEvent(tx, {
    type: 'outgoing_payment.settling',
    subject: payment.id,
    walletAddressId: payment.walletAddressId,
    body: { reason: failure, held: payment.held.toString() },
    at,
  });
}

/**
 * Ends a payment if nothing of it is under way and nothing is left to send. It is completed when everything that was
 * promised has been delivered, and failed otherwise. Part of the write that ends a packet.
 * @param payment the payment as it stands in this write.
 */
export async function endIfDone(tx: Tx, payment: OutgoingPayment, at: number): Promise<void> {
  if (payment.held > 0n) return;
  if (payment.delivered >= payment.receiveAmount) await complete(tx, payment, at);
  else if (payment.sent === payment.debitAmount) await fail(tx, payment, 'rate_moved', at);
}

/**
 * Completes a payment: what was promised has arrived. If the rate was better than the quoted one, the difference stays
 * with the exchange account, so that the payer has paid what was quoted. Between equal assets no exchange could keep
 * it, and it goes back to the payer (decisions.md#D-19).
 */
async function complete(tx: Tx, payment: OutgoingPayment, at: number): Promise<void> {
  const payer = await payerOf(tx, payment);
  const left = payment.debitAmount - payment.sent;
  const kept = left > 0n && !sameAsset(payer, receiveAsset(payment));
  const sent = kept ? payment.debitAmount : payment.sent;
  await setCompleted(tx).execute({ id: payment.id, sent, at: BigInt(at) });
  if (kept) await moveFromEscrow(tx, payment, { credit: accountId('exchange', assetKey(payer)), kind: 'payment', amount: left, at });
  else if (left > 0n) await giveBack(tx, payment, at);
  await appendEvent(tx, {
    type: 'outgoing_payment.completed',
    subject: payment.id,
    walletAddressId: payment.walletAddressId,
    body: { sent: sent.toString(), delivered: payment.delivered.toString() },
    at,
  });
}

/**
 * Completes a payment whose rest has arrived in a way that these books have not seen, because they were put back from a
 * copy. The rest leaves the books for the money outside. The operators settle what the peer is owed for it. Only for a
 * payment of which nothing is held.
 */
export async function completeUnseen(tx: Tx, payment: OutgoingPayment, at: number): Promise<void> {
  await voidHeld(tx, payment.id);
  const payer = await payerOf(tx, payment);
  const left = payment.debitAmount - payment.sent;
  const { debitAmount: sent, receiveAmount: delivered } = payment;
  await tx
    .update(outgoingPayments)
    .set({ state: 'completed', failure: null, sent, delivered, updatedAt: at })
    .where(eq(outgoingPayments.id, payment.id));
  if (left > 0n) await moveFromEscrow(tx, payment, { credit: accountId('external', assetKey(payer)), kind: 'payment', amount: left, at });
  await appendEvent(tx, {
    type: 'outgoing_payment.completed',
    subject: payment.id,
    walletAddressId: payment.walletAddressId,
    body: { sent: sent.toString(), delivered: delivered.toString() },
    at,
  });
}

/**
 * Marks a payment as failed for good and gives back what was not spent (decisions.md#D-22). Only for a payment of which
 * nothing is held.
 */
export async function fail(tx: Tx, payment: OutgoingPayment, failure: Failure, at: number): Promise<void> {
  await tx.update(outgoingPayments).set({ state: 'failed', failure, updatedAt: at }).where(eq(outgoingPayments.id, payment.id));
  await giveBack(tx, payment, at);
  await appendEvent(tx, {
    type: 'outgoing_payment.failed',
    subject: payment.id,
    walletAddressId: payment.walletAddressId,
    body: { reason: failure, sent: payment.sent.toString(), returned: (payment.debitAmount - payment.sent).toString() },
    at,
  });
}

async function giveBack(tx: Tx, payment: OutgoingPayment, at: number): Promise<void> {
  if (payment.held > 0n) throw new Error('money whose fate is not known cannot go back');
  // What is held is the money of the payer that no packet has taken. Or the exchange account has promised to pay out
  // something for the rest, and that promise ends here.
  const held = await heldUnder(tx, payment.id);
  await voidHeld(tx, payment.id);
  const unspent = payment.debitAmount - payment.sent;
  const isBack = held?.debit === accountId('customer', payment.walletAddressId);
  if (isBack && held.amount !== unspent) throw new Error('what is held for a payment is not what it has not spent');
  if (unspent > 0n && !isBack) {
    await moveFromEscrow(tx, payment, { credit: accountId('customer', payment.walletAddressId), kind: GIVEN_BACK, amount: unspent, at });
  }
  if (payment.grantId === null || payment.spendingWindow === null) return;
  const { assetCode, assetScale } = await payerOf(tx, payment);
  await release(tx, {
    grantId: payment.grantId,
    windowStart: payment.spendingWindow,
    debit: { value: unspent, assetCode, assetScale },
    receive: { value: unusedOf(payment), ...receiveAsset(payment) },
  });
}

/**
 * The part of a payment's receive budget that it has not used. The node knows only from the receiver what arrived. A
 * receiver that says less than it got would be paid from the same budget again and again. So what left counts at the
 * payment's price, rounded up, also when the receiver says less (decisions.md#D-59).
 */
function unusedOf({ sent, delivered, debitAmount, receiveAmount }: OutgoingPayment): bigint {
  const undelivered = receiveAmount - delivered;
  const unbought = ((debitAmount - sent) * receiveAmount) / debitAmount;
  const unused = undelivered < unbought ? undelivered : unbought;
  return unused > 0n ? unused : 0n;
}

interface Departure {
  credit: string;
  kind: typeof GIVEN_BACK | 'payment';
  amount: bigint;
  at: number;
}

async function moveFromEscrow(tx: Tx, payment: OutgoingPayment, departure: Departure): Promise<void> {
  const debit = accountId('escrow', payment.walletAddressId);
  const moved = await transfer(tx, { ...departure, debit, paymentId: payment.id, isEnding: true });
  if (!moved.ok) throw new Error('what is left of a payment could not leave its escrow account');
}

async function payerOf(tx: Tx, payment: OutgoingPayment) {
  const [payer] = await payerById(tx).execute({ id: payment.walletAddressId });
  if (payer === undefined) throw new Error('an outgoing payment without its wallet address');
  return payer;
}
