import { and, desc, eq, inArray } from 'drizzle-orm';
import type { ClosingSource } from '../../src-shared/operator-contract/shop/closings.ts';
import { activities } from '../journal/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { refunds } from './refunds/tables.ts';
import { incomingPayments, outgoingPayments, paymentRequests } from './tables.ts';

/** Who asked for an incoming payment. */
export interface Seller {
  readonly madeBy: ClosingSource['madeBy'];
  readonly app: string | null;
  /** What the person was called who asked for it. It is undefined when no person did. */
  readonly person: string | undefined;
}

/** What outgoing payments of this node are. */
interface PaymentsBehind {
  /** The incoming payment of this node that each one pays. */
  readonly receivers: ReadonlyMap<string, string>;
  /** The incoming payment of which each one gives money back. */
  readonly refunds: ReadonlyMap<string, string>;
}

/** Finds out what the payments of some movements of the ledger are, by the ids that the movements name. */
export async function paymentsBehind(reader: Reader, ids: readonly string[]): Promise<PaymentsBehind> {
  if (ids.length === 0) return { receivers: new Map<string, string>(), refunds: new Map<string, string>() };
  const paid = await reader
    .select({ id: outgoingPayments.id, receiverId: outgoingPayments.receiverId })
    .from(outgoingPayments)
    .where(inArray(outgoingPayments.id, [...ids]));
  const given = await reader
    .select({ id: refunds.outgoingPaymentId, sale: refunds.incomingPaymentId })
    .from(refunds)
    .where(inArray(refunds.outgoingPaymentId, [...ids]));
  return {
    receivers: new Map(paid.flatMap(({ id, receiverId }): [string, string][] => (receiverId === null ? [] : [[id, receiverId]]))),
    refunds: new Map(given.flatMap(({ id, sale }): [string, string][] => (id === null ? [] : [[id, sale]]))),
  };
}

/** Who asked for these incoming payments. */
export async function sellersOf(reader: Reader, ids: readonly string[]): Promise<Map<string, Seller>> {
  const rows = await reader
    .select({ id: incomingPayments.id, client: incomingPayments.client, madeAt: paymentRequests.madeAt })
    .from(incomingPayments)
    .leftJoin(paymentRequests, eq(paymentRequests.id, incomingPayments.id))
    .where(inArray(incomingPayments.id, [...ids]));
  const acts = await reader
    .select({ id: activities.subject, name: activities.byName, kind: activities.byKind })
    .from(activities)
    .where(and(inArray(activities.subject, [...ids]), eq(activities.type, 'incoming_payment.created')))
    .orderBy(desc(activities.number));
  const people = new Map(acts.map(({ id, name }) => [id, name ?? '']));
  return new Map(
    rows.map(({ id, client, madeAt }): [string, Seller] => [
      id,
      { madeBy: client === null ? (madeAt ?? 'desk') : 'app', app: client, person: people.get(id) },
    ]),
  );
}
