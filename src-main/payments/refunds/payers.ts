import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import { type Amount, MAX_MOVED } from '../../../src-shared/amounts.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { exactSum } from '../../platform/database/exact-sum.ts';
import { walletAddresses } from '../../wallet-addresses/tables.ts';
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
  /** What their wallet took for exactly that, in its own currency. It is null where that is not known. */
  paid: Amount | null;
}

/**
 * The proven payers of incoming payments: accounts of this node, whose payments the ledger has moved, and wallet
 * addresses elsewhere whose wallets consented at the checkout. An app that pays by a grant is no payer.
 */
export async function provenPayers(reader: Reader, incomingPaymentIds: readonly string[]): Promise<ProvenPayer[]> {
  if (incomingPaymentIds.length === 0) return [];
  const rows = await reader
    .select()
    .from(payers)
    .where(inArray(payers.incomingPaymentId, [...incomingPaymentIds]));
  const elsewhere = rows.map((row) => {
    const { incomingPaymentId, walletAddress: payer, amount } = row;
    return { incomingPaymentId, payer, amount, paid: paidOf(row) };
  });
  return [...elsewhere, ...(await payersHere(reader, incomingPaymentIds))];
}

function paidOf({ paidValue: value, paidAssetCode, paidAssetScale }: typeof payers.$inferSelect): Amount | null {
  if (value === null || paidAssetCode === null || paidAssetScale === null) return null;
  return { value, assetCode: paidAssetCode, assetScale: paidAssetScale };
}

/** Those of them that are accounts of this node. What has left such an account is in the ledger. */
async function payersHere(reader: Reader, incomingPaymentIds: readonly string[]): Promise<ProvenPayer[]> {
  const { receiverId, walletAddressId, delivered, sent } = outgoingPayments;
  const { assetCode, assetScale } = walletAddresses;
  const rows = await reader
    .select({ receiverId, payer: walletAddressId, amount: exactSum(delivered), value: exactSum(sent), assetCode, assetScale })
    .from(outgoingPayments)
    .innerJoin(walletAddresses, eq(walletAddresses.id, walletAddressId))
    .where(and(inArray(receiverId, [...incomingPaymentIds]), gt(delivered, 0n)))
    .groupBy(receiverId, walletAddressId, assetCode, assetScale);
  return rows.flatMap(({ receiverId: id, payer, amount, ...paid }) =>
    id === null ? [] : [{ incomingPaymentId: id, payer, amount, paid }],
  );
}

/** What payments of this node have brought to an incoming payment. */
export async function broughtFromHere(reader: Reader, incomingPaymentId: string): Promise<bigint> {
  return (await payersHere(reader, [incomingPaymentId])).reduce((sum, { amount }) => sum + amount, 0n);
}

/**
 * Notes that so much of an incoming payment came from a wallet address elsewhere. Part of the write in which that
 * becomes true. What the wallet took in all stays known only while each of its payments says so, in one currency.
 */
export async function notePayer(
  tx: Tx,
  { incomingPaymentId, payer, amount, paid = null }: Omit<ProvenPayer, 'paid'> & Partial<Pick<ProvenPayer, 'paid'>>,
  at: number,
): Promise<void> {
  const noted = { paidValue: paid?.value ?? null, paidAssetCode: paid?.assetCode ?? null, paidAssetScale: paid?.assetScale ?? null };
  const sum =
    paid === null
      ? null
      : sql`case when ${and(
          ...[eq(payers.paidAssetCode, paid.assetCode), eq(payers.paidAssetScale, paid.assetScale)],
          lte(payers.paidValue, MAX_MOVED - paid.value),
        )} then ${payers.paidValue} + ${paid.value} end`;
  await tx
    .insert(payers)
    .values({ incomingPaymentId, walletAddress: payer, amount, ...noted, createdAt: at })
    .onConflictDoUpdate({
      target: [payers.incomingPaymentId, payers.walletAddress],
      set: { amount: sql`${payers.amount} + ${amount}`, paidValue: sum },
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
