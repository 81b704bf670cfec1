import { asc, eq, inArray } from 'drizzle-orm';
import type { Reader } from '../../platform/database/database.ts';
import { outgoingPayments } from '../tables.ts';
import type { RefundFacts } from './refund-rule.ts';
import { refunds } from './tables.ts';

type StoredRefund = typeof refunds.$inferSelect;

/** A refund as the database has it, with what its outgoing payment says. */
export interface Refund extends StoredRefund, Pick<RefundFacts, 'payment'> {
  /** Why the outgoing payment failed. It is null while it has not. */
  paymentFailure: string | null;
}

/** Reads all refunds of incoming payments, the first ones first. */
export async function refundsOf(reader: Reader, incomingPaymentIds: readonly string[]): Promise<Refund[]> {
  if (incomingPaymentIds.length === 0) return [];
  const { state, debitAmount, sent, failure } = outgoingPayments;
  const rows = await reader
    .select({ refund: refunds, payment: { state, debitAmount, sent, failure } })
    .from(refunds)
    .leftJoin(outgoingPayments, eq(outgoingPayments.id, refunds.outgoingPaymentId))
    .where(inArray(refunds.incomingPaymentId, [...incomingPaymentIds]))
    .orderBy(asc(refunds.createdAt), asc(refunds.id));
  return rows.map(({ refund, payment }) => ({
    ...refund,
    payment: payment ?? undefined,
    paymentFailure: payment?.state === 'failed' ? payment.failure : null,
  }));
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
