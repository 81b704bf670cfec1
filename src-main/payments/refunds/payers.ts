import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { appendEvent } from '../../journal/events.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { exactSum } from '../../platform/database/exact-sum.ts';
import { payerSearchText } from '../search-text.ts';
import { incomingPayments, outgoingPayments } from '../tables.ts';
import { payers } from './tables.ts';

/** A payer of an incoming payment, where it is proven who paid. */
export interface ProvenPayer {
  incomingPaymentId: string;
  /** The id of the payer's account on this node, or the URL of the payer's wallet address elsewhere. */
  payer: string;
  /** How much is proven to have come from there, above 0, in smallest units of the incoming payment's account. */
  amount: bigint;
}

/**
 * The proven payers of incoming payments: accounts of this node, whose payments the ledger has moved, and wallet
 * addresses elsewhere whose wallets consented at the checkout. An app that pays by a grant is no payer.
 */
export async function provenPayers(reader: Reader, incomingPaymentIds: readonly string[]): Promise<ProvenPayer[]> {
  if (incomingPaymentIds.length === 0) return [];
  const elsewhere = await reader
    .select({ incomingPaymentId: payers.incomingPaymentId, payer: payers.walletAddress, amount: payers.amount })
    .from(payers)
    .where(inArray(payers.incomingPaymentId, [...incomingPaymentIds]));
  return [...elsewhere, ...(await payersHere(reader, incomingPaymentIds))];
}

/** Those of them that are accounts of this node. */
async function payersHere(reader: Reader, incomingPaymentIds: readonly string[]): Promise<ProvenPayer[]> {
  const { receiverId, walletAddressId, delivered } = outgoingPayments;
  const rows = await reader
    .select({ receiverId, payer: walletAddressId, amount: exactSum(delivered) })
    .from(outgoingPayments)
    .where(and(inArray(receiverId, [...incomingPaymentIds]), gt(delivered, 0n)))
    .groupBy(receiverId, walletAddressId);
  return rows.flatMap(({ receiverId: id, ...row }) => (id === null ? [] : [{ incomingPaymentId: id, ...row }]));
}

/** What payments of this node have brought to an incoming payment. */
export async function broughtFromHere(reader: Reader, incomingPaymentId: string): Promise<bigint> {
  return (await payersHere(reader, [incomingPaymentId])).reduce((sum, { amount }) => sum + amount, 0n);
}

/**
 * Notes that so much of an incoming payment came from a wallet address elsewhere. Part of the write in which that
 * becomes true.
 */
export async function notePayer(tx: Tx, { incomingPaymentId, payer, amount }: ProvenPayer, at: number): Promise<void> {
  await tx
    .insert(payers)
    .values({ incomingPaymentId, walletAddress: payer, amount, createdAt: at })
    .onConflictDoUpdate({
      target: [payers.incomingPaymentId, payers.walletAddress],
      set: { amount: sql`${payers.amount} + ${amount}` },
    });
  const [payment] = await tx.select().from(incomingPayments).where(eq(incomingPayments.id, incomingPaymentId));
  if (payment === undefined) throw new Error('a payer of an incoming payment that does not exist');
  await tx
    .update(incomingPayments)
    .set({ search: payerSearchText(payment.search, payer) })
    .where(eq(incomingPayments.id, incomingPaymentId));
  await appendEvent(tx, {
    type: 'incoming_payment.payer_proven',
    subject: incomingPaymentId,
    walletAddressId: payment.walletAddressId,
    body: { amount: amount.toString(), payer },
    at,
  });
}
