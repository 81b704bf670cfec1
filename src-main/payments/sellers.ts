import { and, desc, eq } from 'drizzle-orm';
import type { ClosingSource, SellingParty } from '../../src-shared/operator-contract/shop/closings.ts';
import { activities } from '../journal/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { isOneOf } from '../platform/database/dialect.ts';
import { refunds } from './refunds/tables.ts';
import { incomingPayments, outgoingPayments, paymentRequests } from './tables.ts';

/** Who asked for an incoming payment. */
export interface Seller {
  readonly madeBy: ClosingSource['madeBy'];
  readonly app: string | null;
  /** The paired till on which it was asked for, and what the till was called then. It is null for other places. */
  readonly till: { readonly id: string; readonly name: string } | null;
  /** Who asked for it. It is undefined when nobody of the shop did. */
  readonly person: SellingParty | undefined;
}

/** What outgoing payments of this node are. */
interface PaymentsBehind {
  /** The incoming payment of this node that each one pays. */
  readonly receivers: ReadonlyMap<string, string>;
  /** The incoming payment of which each one gives money back. */
  readonly refunds: ReadonlyMap<string, string>;
  /** Why each one has failed, of those that have. */
  readonly failures: ReadonlyMap<string, string>;
}

/** Finds out what the payments of some movements of the ledger are, by the ids that the movements name. */
export async function paymentsBehind(reader: Reader, ids: readonly string[]): Promise<PaymentsBehind> {
  if (ids.length === 0) return { receivers: new Map(), refunds: new Map(), failures: new Map() };
  const { id, receiverId, state, failure } = outgoingPayments;
  const paid = await reader.select({ id, receiverId, state, failure }).from(outgoingPayments).where(isOneOf(outgoingPayments.id, ids));
  const given = await reader
    .select({ id: refunds.outgoingPaymentId, sale: refunds.incomingPaymentId })
    .from(refunds)
    .where(isOneOf(refunds.outgoingPaymentId, ids));
  return {
    receivers: new Map(paid.flatMap(({ id, receiverId }): [string, string][] => (receiverId === null ? [] : [[id, receiverId]]))),
    failures: new Map(paid.flatMap((one): [string, string][] => (one.state === 'failed' ? [[one.id, one.failure ?? '']] : []))),
    refunds: new Map(given.flatMap(({ id, sale }): [string, string][] => (id === null ? [] : [[id, sale]]))),
  };
}

/** Who asked for these incoming payments. */
export async function sellersOf(reader: Reader, ids: readonly string[]): Promise<Map<string, Seller>> {
  const { madeAt, tillId, tillName } = paymentRequests;
  const rows = await reader
    .select({ id: incomingPayments.id, client: incomingPayments.client, madeAt, tillId, tillName })
    .from(incomingPayments)
    .leftJoin(paymentRequests, eq(paymentRequests.id, incomingPayments.id))
    .where(isOneOf(incomingPayments.id, ids));
  const acts = await reader
    .select({ subject: activities.subject, kind: activities.byKind, id: activities.byId, name: activities.byName })
    .from(activities)
    .where(and(isOneOf(activities.subject, ids), eq(activities.type, 'incoming_payment.created')))
    .orderBy(desc(activities.number));
  const people = new Map(acts.map(({ subject, kind, id, name }) => [subject, partyOf(kind, id ?? '', name ?? '')]));
  return new Map(
    rows.map(({ id, client, madeAt: place, tillId: till, tillName: called }): [string, Seller] => [
      id,
      {
        ...{ madeBy: client === null ? (place ?? 'desk') : 'app', app: client, person: people.get(id) },
        till: till === null ? null : { id: till, name: called ?? '' },
      },
    ]),
  );
}

/** A script with the operator's token acts in the name of the owner, and so does whoever did something long ago. */
const partyOf = (kind: Activity['byKind'], id: string, name: string): SellingParty => ({
  ...{ kind: kind === 'key' || kind === 'till' ? kind : 'person', id, name },
});
type Activity = typeof activities.$inferSelect;
