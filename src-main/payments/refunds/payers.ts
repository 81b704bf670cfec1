import { and, asc, eq, gt, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { type Amount, MAX_MOVED } from '../../../src-shared/amounts.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { contains } from '../../platform/database/dialect.ts';
import { exactSum } from '../../platform/database/exact-sum.ts';
import type { Column } from '../../platform/database/schema.ts';
import { isId } from '../../platform/ids.ts';
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

/** A part of the payers of an incoming payment. */
interface PayersPart {
  /** The payer behind whom they come in the order. */
  after?: string | undefined;
  /** A text in small letters that their wallet addresses hold. */
  named?: string | undefined;
  /** How many at most. */
  most: number;
}

/**
 * Proven payers of an incoming payment: accounts of this node, whose payments the ledger has moved, and wallet
 * addresses elsewhere whose wallets consented at the checkout. An app that pays by a grant is no payer. Whoever has the
 * link of a payment can pay it, so there may be any number of them. Their order is that of their ids and URLs: the
 * accounts of this node come first.
 */
export async function payersOf(reader: Reader, incomingPaymentId: string, { after = '', named, most }: PayersPart): Promise<ProvenPayer[]> {
  const { receiverId, walletAddressId } = outgoingPayments;
  const { name } = walletAddresses;
  const here = await payersHere(reader, most, [
    ...[eq(receiverId, incomingPaymentId), gt(walletAddressId, after)],
    named === undefined ? undefined : contains(name, named),
  ]);
  const rows = await reader
    .select()
    .from(payers)
    .where(
      and(
        ...[eq(payers.incomingPaymentId, incomingPaymentId), gt(payers.walletAddress, after)],
        named === undefined ? undefined : contains(sql`lower(${payers.walletAddress})`, named),
      ),
    )
    .orderBy(asc(payers.walletAddress))
    .limit(most - here.length);
  return [...here, ...rows.map(elsewhere)];
}

/** One payer of an incoming payment, by the id of their account or their URL. It is undefined for others. */
export async function payerNamed(reader: Reader, incomingPaymentId: string, payer: string): Promise<ProvenPayer | undefined> {
  const { receiverId, walletAddressId } = outgoingPayments;
  if (isId(payer)) return (await payersHere(reader, 1, [eq(receiverId, incomingPaymentId), eq(walletAddressId, payer)]))[0];
  const rows = await reader
    .select()
    .from(payers)
    .where(and(eq(payers.incomingPaymentId, incomingPaymentId), eq(payers.walletAddress, payer)));
  return rows.map(elsewhere)[0];
}

/** Reads the first payers of several incoming payments, at most `most` of each, in their order. */
type FirstPayers = (reader: Reader, incomingPaymentIds: readonly string[], most: number) => Promise<ReadonlyMap<string, string[]>>;

/** The first payers from elsewhere, as their wallet addresses. */
export const firstPayers: FirstPayers = async (reader, ids, most) => await firstIn(reader, placedElsewhere(reader, ids), most);

/** The first payers that are accounts of this node, as their ids. */
export const firstPayersHere: FirstPayers = async (reader, ids, most) => await firstIn(reader, placedHere(reader, ids), most);

const placedElsewhere = (reader: Reader, ids: readonly string[]) =>
  reader
    .select(placedBy(payers.incomingPaymentId, payers.walletAddress))
    .from(payers)
    .where(inArray(payers.incomingPaymentId, [...ids]))
    .as('placed');

const placedHere = (reader: Reader, ids: readonly string[]) =>
  reader
    .select(placedBy(outgoingPayments.receiverId, outgoingPayments.walletAddressId))
    .from(outgoingPayments)
    .where(and(inArray(outgoingPayments.receiverId, [...ids]), gt(outgoingPayments.delivered, 0n)))
    .groupBy(outgoingPayments.receiverId, outgoingPayments.walletAddressId)
    .as('placed');

const placedBy = (id: Column, payer: Column) => ({
  id: sql<string>`${id}`.as('id'),
  payer: sql<string>`${payer}`.as('payer'),
  place: sql<bigint>`row_number() over (partition by ${id} order by ${payer})`.as('place'),
});

async function firstIn(reader: Reader, placed: ReturnType<typeof placedElsewhere>, most: number) {
  const rows = await reader
    .select()
    .from(placed)
    .where(lte(placed.place, BigInt(most)))
    .orderBy(asc(placed.place));
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, all]) => [id, all.map(({ payer }) => payer)]));
}

/** How much of an incoming payment is proven to have come from known payers, in smallest units of its account. */
export async function provenOf(reader: Reader, incomingPaymentId: string): Promise<bigint> {
  const rows = await reader
    .select({ amount: exactSum(payers.amount) })
    .from(payers)
    .where(eq(payers.incomingPaymentId, incomingPaymentId))
    .groupBy(payers.incomingPaymentId);
  return rows.reduce((sum, { amount }) => sum + amount, await broughtFromHere(reader, incomingPaymentId));
}

function elsewhere(row: typeof payers.$inferSelect): ProvenPayer {
  const { incomingPaymentId, walletAddress: payer, amount } = row;
  return { incomingPaymentId, payer, amount, paid: paidOf(row) };
}

function paidOf({ paidValue: value, paidAssetCode, paidAssetScale }: typeof payers.$inferSelect): Amount | null {
  if (value === null || paidAssetCode === null || paidAssetScale === null) return null;
  return { value, assetCode: paidAssetCode, assetScale: paidAssetScale };
}

/** Payers that are accounts of this node, in the order of their ids. What has left such an account is in the ledger. */
async function payersHere(reader: Reader, most: number, conditions: (SQL | undefined)[]): Promise<ProvenPayer[]> {
  const { receiverId, walletAddressId, delivered, sent } = outgoingPayments;
  const { assetCode, assetScale } = walletAddresses;
  const rows = await reader
    .select({ receiverId, payer: walletAddressId, amount: exactSum(delivered), value: exactSum(sent), assetCode, assetScale })
    .from(outgoingPayments)
    .innerJoin(walletAddresses, eq(walletAddresses.id, walletAddressId))
    .where(and(...conditions, gt(delivered, 0n)))
    .groupBy(receiverId, walletAddressId, assetCode, assetScale)
    .orderBy(asc(walletAddressId))
    .limit(most);
  return rows.flatMap(({ receiverId: id, payer, amount, ...paid }) =>
    id === null ? [] : [{ incomingPaymentId: id, payer, amount, paid }],
  );
}

/** What payments of this node have brought to an incoming payment. */
export async function broughtFromHere(reader: Reader, incomingPaymentId: string): Promise<bigint> {
  const { receiverId, delivered } = outgoingPayments;
  const [row] = await reader
    .select({ amount: exactSum(delivered) })
    .from(outgoingPayments)
    .where(eq(receiverId, incomingPaymentId))
    .groupBy(receiverId);
  return row?.amount ?? 0n;
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
