import { and, desc, eq, inArray, type SQL } from 'drizzle-orm';
import type { Reader } from '../../platform/database/database.ts';
import { exactSum } from '../../platform/database/exact-sum.ts';
import { olderThan, type Place } from '../../platform/database/places.ts';
import { walletAddresses } from '../../wallet-addresses/tables.ts';
import { incomingPayments, outgoingPayments } from '../tables.ts';
import type { RefundFacts } from './refund-rule.ts';
import { type ClaimedBy, refunds } from './tables.ts';

/** The type of the event that a refund failed before any money left. */
export const REFUND_FAILED = 'incoming_payment.refund_failed';

type StoredRefund = typeof refunds.$inferSelect;

/** A refund as the database has it, with what its outgoing payment says. */
export interface Refund extends StoredRefund, Pick<RefundFacts, 'payment'> {
  /** Why the outgoing payment failed. It is null while it has not. */
  paymentFailure: string | null;
}

/** A part of the refunds of an incoming payment. */
interface RefundsPart {
  /** The refund before which they were made. */
  before?: Place | undefined;
  /** How many at most. */
  most: number;
}

/** Reads refunds of an incoming payment, the newest first. */
export async function refundsOf(reader: Reader, incomingPaymentId: string, { before, most }: RefundsPart): Promise<Refund[]> {
  const rows = rowsWhere(reader, and(eq(refunds.incomingPaymentId, incomingPaymentId), before && olderThan(refunds, before)));
  return shaped(await rows.orderBy(desc(refunds.createdAt), desc(refunds.id)).limit(most));
}

/** Reads all refunds of an incoming payment to these of its payers, by their ids and URLs. */
export async function refundsTo(reader: Reader, incomingPaymentId: string, payers: readonly string[]): Promise<Refund[]> {
  if (payers.length === 0) return [];
  return shaped(await rowsWhere(reader, and(eq(refunds.incomingPaymentId, incomingPaymentId), inArray(refunds.payer, [...payers]))));
}

/** Finds refunds by their ids. */
export const refundsNamed = async (reader: Reader, ids: readonly string[]): Promise<Refund[]> =>
  ids.length === 0 ? [] : shaped(await rowsWhere(reader, inArray(refunds.id, [...ids])));

/** Finds one refund by its id. */
export const findRefund = async (reader: Reader, id: string): Promise<Refund | undefined> => (await refundsNamed(reader, [id]))[0];

const { state: paymentState, debitAmount, sent, failure } = outgoingPayments;

const rowsWhere = (reader: Reader, condition: SQL | undefined) =>
  reader
    .select({ refund: refunds, payment: { state: paymentState, debitAmount, sent, failure } })
    .from(refunds)
    .leftJoin(outgoingPayments, eq(outgoingPayments.id, refunds.outgoingPaymentId))
    .where(condition);

const shaped = (rows: Awaited<ReturnType<typeof rowsWhere>>): Refund[] =>
  rows.map(({ refund, payment }) => ({
    ...refund,
    payment: payment ?? undefined,
    paymentFailure: payment?.state === 'failed' ? payment.failure : null,
  }));

/** Refunds that stand alike, as one refund with the sums of their amounts. */
interface RefundSum extends RefundFacts {
  claimed: ClaimedBy | null;
}

/**
 * Adds up the refunds for which a condition holds. What can have left by a refund depends on how it stands, and grows
 * with its amounts alone, so the rule for one refund holds for each sum.
 * @param condition it may name the incoming payments and their wallet addresses.
 */
export async function refundSums(reader: Reader, condition: SQL | undefined): Promise<RefundSum[]> {
  const { state, claimed, amount } = refunds;
  const rows = await reader
    .select({ state, claimed, amount: exactSum(amount), paymentState, debitAmount: exactSum(debitAmount), sent: exactSum(sent) })
    .from(refunds)
    .innerJoin(incomingPayments, eq(incomingPayments.id, refunds.incomingPaymentId))
    .innerJoin(walletAddresses, eq(walletAddresses.id, incomingPayments.walletAddressId))
    .leftJoin(outgoingPayments, eq(outgoingPayments.id, refunds.outgoingPaymentId))
    .where(condition)
    .groupBy(state, claimed, paymentState);
  return rows.map(({ paymentState: of, debitAmount: debit, sent: left, ...refund }) => ({
    ...refund,
    payment: of === null ? undefined : { state: of, debitAmount: debit, sent: left },
  }));
}

/**
 * What refunds have taken so far for each of these incoming payments, in smallest units of its account.
 * @param before counts only the refunds that come before this one
 */
export async function refundedSoFar(
  reader: Reader,
  incomingPaymentIds: readonly string[],
  before?: Place,
): Promise<ReadonlyMap<string, bigint>> {
  if (incomingPaymentIds.length === 0) return new Map();
  const { incomingPaymentId: id } = refunds;
  const rows = await reader
    .select({ id, sent: exactSum(sent) })
    .from(refunds)
    .innerJoin(outgoingPayments, eq(outgoingPayments.id, refunds.outgoingPaymentId))
    .where(and(inArray(id, [...incomingPaymentIds]), before && olderThan(refunds, before)))
    .groupBy(id);
  return new Map(rows.map((row) => [row.id, row.sent]));
}

/** Finds what outgoing payments refund that carry out refunds, by the id of the outgoing payment. */
export async function refundedBy(reader: Reader, outgoingPaymentIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { outgoingPaymentId, incomingPaymentId } = refunds;
  const rows = await reader
    .select({ outgoingPaymentId, incomingPaymentId })
    .from(refunds)
    .where(inArray(outgoingPaymentId, [...outgoingPaymentIds]));
  return new Map(rows.map((row) => [row.outgoingPaymentId ?? '', row.incomingPaymentId]));
}
