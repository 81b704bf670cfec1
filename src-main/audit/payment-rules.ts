import { and, asc, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import { type Asset, sameAsset } from '../../src-shared/amounts.ts';
import { type Finding, ownerNamedIn } from '../ledger/audit/damages.ts';
import { accountId } from '../ledger/ledger.ts';
import { isOfWalletAddress, type PaymentSum, paymentSums, paymentsNamedAfter } from '../ledger/payment-sums.ts';
import { GIVEN_BACK } from '../ledger/transfer-kinds.ts';
import { archivedPackets } from '../payments/archive/tables.ts';
import { receiveAsset } from '../payments/outgoing/outgoing-payment-rows.ts';
import { incomingPayments, outgoingPayments } from '../payments/tables.ts';
import { isOpenPacket, sentPackets } from '../peers/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { exactSum } from '../platform/database/exact-sum.ts';
import { walletAddresses } from '../wallet-addresses/tables.ts';

/** The number of payments that one step compares. */
export const PAYMENTS = 50;

type Outgoing = typeof outgoingPayments.$inferSelect;

/** What packets to peers hold, and what they have delivered. */
interface PacketSums {
  held: bigint;
  delivered: bigint;
}

/** The books' word on one outgoing payment beside its own row. */
interface Evidence {
  transfers: readonly PaymentSum[];
  packets: PacketSums;
  /** The asset of the payer. It is null when nobody knows the payer. */
  payer: Asset | null;
  /** The ledger account of its receiver. It is undefined when the receiver is at another node. */
  receiver: string | undefined;
}

/** What a step has found among payments. */
export interface Compared {
  findings: Finding[];
  /** The last payment compared. It is undefined when all were compared. */
  last: string | undefined;
}

/** What all these transfers have moved, or hold. */
export const amountsOf = (transfers: readonly PaymentSum[]): bigint => transfers.reduce((sum, { amount }) => sum + amount, 0n);

const hasEnded = ({ state }: Outgoing): boolean => state === 'completed' || state === 'failed';

/**
 * Tells whether an outgoing payment agrees with its transfers and with its packets to peers. The amount set aside is
 * what it may cost, the amount that left escrow is what it has sent, and the rest has gone back when it has ended. A
 * payment from one account of this node to another can be one transfer instead; see {@link isOneTransfer}.
 */
function isRightOutgoing(payment: Outgoing, evidence: Evidence): boolean {
  const { transfers, packets, receiver } = evidence;
  const { receiveAmount, delivered, walletAddressId, receiverId, state } = payment;
  const escrow = accountId('escrow', walletAddressId);
  const paid = transfers.filter((sum) => sum.state === 'posted' && sum.kind === 'payment');
  const left = paid.filter(({ debitAccountId }) => debitAccountId === escrow);
  const given = paid.filter(({ creditAccountId }) => creditAccountId === receiver);
  const arrived = receiverId === null ? packets.delivered : amountsOf(given);
  // The operator can say that the rest of a payment to another node arrived, when the books were put back from a copy.
  // That rest has left for the money outside.
  const hasLeftUnseen = receiverId === null && left.some(({ creditAccountId }) => creditAccountId.startsWith('external:'));
  const isUnseen = hasLeftUnseen && state === 'completed' && delivered === receiveAmount && arrived < delivered;
  return (
    (isOneTransfer(payment, transfers, receiver) || isSetAside(payment, evidence, amountsOf(left))) &&
    packets.held === payment.held &&
    (arrived === delivered || isUnseen) &&
    (state !== 'completed' || delivered >= receiveAmount) &&
    (state !== 'failed' || delivered < receiveAmount)
  );
}

/**
 * Tells whether the money of a payment that goes by way of escrow is where the payment says. The packets under way hold
 * their part in escrow. When the payment stays on this node and changes the currency, the exchange account holds what
 * it will still bring. What the exchange account holds for a peer is compared with that peer; see `checkPeers`.
 * @param left what has left escrow for good.
 */
function isSetAside(payment: Outgoing, { transfers, payer }: Evidence, left: bigint): boolean {
  const { sent, held, debitAmount, receiveAmount, delivered, receiverId, walletAddressId } = payment;
  const escrow = accountId('escrow', walletAddressId);
  const sumOf = (state: PaymentSum['state'], of: (sum: PaymentSum) => boolean) =>
    amountsOf(transfers.filter((sum) => sum.state === state && of(sum)));
  const isExchanged = receiverId !== null && payer !== null && !sameAsset(payer, receiveAsset(payment));
  const isPromise = ({ debitAccountId, creditAccountId }: PaymentSum) => debitAccountId !== escrow && !creditAccountId.startsWith('peer:');
  return (
    sumOf('posted', ({ kind }) => kind === 'reservation') === debitAmount &&
    left === sent &&
    sumOf('posted', ({ kind }) => kind === GIVEN_BACK) === (hasEnded(payment) ? debitAmount - sent : 0n) &&
    sumOf('pending', ({ debitAccountId }) => debitAccountId === escrow) === held &&
    sumOf('pending', isPromise) === (isExchanged && !hasEnded(payment) ? receiveAmount - delivered : 0n)
  );
}

/**
 * Tells whether an outgoing payment and its one transfer, from the payer's account to another one of this node, say the
 * same: everything is held, or was sent, or went back.
 */
function isOneTransfer(payment: Outgoing, transfers: readonly PaymentSum[], receiver: string | undefined): boolean {
  const { walletAddressId, debitAmount, sent, state } = payment;
  const [one, ...others] = transfers;
  if (one?.count !== 1 || others.length > 0) return false;
  const expected = state === 'completed' ? 'posted' : state === 'failed' ? 'voided' : 'pending';
  return (
    one.kind === 'payment' &&
    one.debitAccountId === accountId('customer', walletAddressId) &&
    one.creditAccountId === receiver &&
    one.amount === debitAmount &&
    one.state === expected &&
    sent === (expected === 'posted' ? debitAmount : 0n)
  );
}

/** The finding that a payment contradicts what was moved for it. */
export const wrong = ({ id, walletAddressId }: { id: string; walletAddressId: string }): Finding => ({
  owner: walletAddressId,
  finding: 'payment',
  place: id,
});

/** The last of these payments, when there may be more. */
export const lastOf = (rows: readonly { id: string }[]): string | undefined => (rows.length === PAYMENTS ? rows.at(-1)?.id : undefined);

/** Compares the outgoing payments after `after`. The reader must see one state of the books. */
export async function checkOutgoing(reader: Reader, after: string): Promise<Compared> {
  const { assetCode, assetScale } = walletAddresses;
  const rows = await reader
    .select({ payment: outgoingPayments, payer: { assetCode, assetScale } })
    .from(outgoingPayments)
    .leftJoin(walletAddresses, eq(walletAddresses.id, outgoingPayments.walletAddressId))
    .where(gt(outgoingPayments.id, after))
    .orderBy(asc(outgoingPayments.id))
    .limit(PAYMENTS);
  const payments = rows.map(({ payment }) => payment);
  const ids = payments.map(({ id }) => id);
  const transfers = Map.groupBy(await paymentSums(reader, ids), ({ paymentId }) => paymentId ?? '');
  const packets = await packetSums(reader, ids);
  const receivers = await receiversOf(reader, payments);
  const isRight = ({ payment, payer }: (typeof rows)[number]): boolean =>
    isRightOutgoing(payment, {
      transfers: transfers.get(payment.id) ?? [],
      packets: packets.get(payment.id) ?? { held: 0n, delivered: 0n },
      payer,
      receiver: receivers.get(payment.receiverId ?? ''),
    });
  return { findings: rows.filter((row) => !isRight(row)).map(({ payment }) => wrong(payment)), last: lastOf(payments) };
}

/** What the packets of outgoing payments to peers hold and have delivered, with those that are in the archive. */
async function packetSums(reader: Reader, ids: string[]): Promise<Map<string, PacketSums>> {
  const { outgoingPaymentId, state, sourceAmount, delivered } = sentPackets;
  const held = sql<bigint>`case when ${isOpenPacket} then ${sourceAmount} else 0 end`;
  const sent = await reader
    .select({ id: outgoingPaymentId, held: exactSum(held), delivered: exactSum(sql`coalesce(${delivered}, 0)`) })
    .from(sentPackets)
    .where(and(inArray(outgoingPaymentId, ids), ne(state, 'rejected')))
    .groupBy(outgoingPaymentId);
  const sums = new Map<string, PacketSums>(sent.map(({ id, ...sum }) => [id, sum]));
  for (const archived of await reader.select().from(archivedPackets).where(inArray(archivedPackets.outgoingPaymentId, ids))) {
    const there = sums.get(archived.outgoingPaymentId) ?? { held: 0n, delivered: 0n };
    sums.set(archived.outgoingPaymentId, { ...there, delivered: there.delivered + archived.delivered });
  }
  return sums;
}

/** The ledger accounts of the receivers on this node, by the ids of their incoming payments. */
async function receiversOf(reader: Reader, payments: readonly Outgoing[]): Promise<Map<string, string>> {
  const { id, walletAddressId } = incomingPayments;
  const ids = payments.flatMap(({ receiverId }) => receiverId ?? []);
  const receivers = await reader.select({ id, walletAddressId }).from(incomingPayments).where(inArray(id, ids));
  return new Map(receivers.map((receiver) => [receiver.id, accountId('customer', receiver.walletAddressId)]));
}

/**
 * Looks for the payments that the final transfers after `after` name and that are gone. The accounts between which such
 * a transfer moved money are damaged. The reader must see one state of the books.
 */
export async function checkNamed(reader: Reader, after: string): Promise<Compared> {
  const { named, last } = await paymentsNamedAfter(reader, after);
  const gone = new Set(named.map(({ paymentId }) => paymentId));
  for (const payments of [outgoingPayments, incomingPayments]) {
    const known = await reader
      .select({ id: payments.id })
      .from(payments)
      .where(inArray(payments.id, [...gone]));
    for (const { id } of known) gone.delete(id);
  }
  const findings = named.flatMap(({ paymentId, accounts }) =>
    accounts
      .filter((account) => gone.has(paymentId) && isOfWalletAddress(account))
      .map((account) => ({ owner: ownerNamedIn(account), finding: 'payment_missing' as const, place: paymentId })),
  );
  return { findings, last };
}
