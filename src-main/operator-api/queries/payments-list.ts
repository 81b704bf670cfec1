import { and, desc, eq } from 'drizzle-orm';
import type { Payment, PaymentFilter } from '../../../src-shared/operator-contract/payments.ts';
import type { IncomingPayment } from '../../payments/incoming-payments.ts';
import type { OutgoingPayment } from '../../payments/outgoing-payment-rows.ts';
import { incomingPayments, outgoingPayments } from '../../payments/tables.ts';
import type { Reader } from '../../platform/database/database.ts';
import { olderThan, type Place } from '../../platform/database/places.ts';
import type { OperatorContext } from '../context.ts';
import { inPieces, merged } from './newest-first.ts';
import { incomingRow, incomingStatus, outgoingRow, outgoingStatus, said } from './payment-rows.ts';
import { type Part, toPart } from './places.ts';

export interface ListRequest extends PaymentFilter {
  from: Place | undefined;
  /** 1–200. */
  limit: number;
}

type Found = ({ direction: 'in' } & IncomingPayment) | ({ direction: 'out' } & OutgoingPayment);

/** How many rows a search reads at a time: a few milliseconds of work. */
const SEARCH_PIECE = 500;

/**
 * Incoming and outgoing payments as one list, newest first. Each kind comes in the order of its own index, so that a plain
 * page costs two short reads however long the list is. Status and text are compared here, row by row; a search ends early
 * when its caller has gone.
 */
export async function listPayments(context: OperatorContext, request: ListRequest, signal?: AbortSignal): Promise<Part<Payment>> {
  const now = context.clock.now();
  const found: Found[] = [];
  for await (const payment of newestFirst(context.database.read, request)) {
    signal?.throwIfAborted();
    if (matches(payment, request, now)) found.push(payment);
    if (found.length > request.limit) break;
  }
  const { items, nextCursor } = toPart(found, request.limit, (payment) => payment);
  return { items: await Promise.all(items.map((payment) => toRow(context, payment, now))), nextCursor };
}

function newestFirst(reader: Reader, request: ListRequest): AsyncGenerator<Found, void, void> {
  const { direction, accountId, from, limit } = request;
  const searching = request.status !== undefined || needleOf(request) !== undefined;
  const size = searching ? SEARCH_PIECE : limit + 1;
  const incoming = async (place: Place | undefined, count: number): Promise<Found[]> => {
    const rows = await reader
      .select()
      .from(incomingPayments)
      .where(and(accountId ? eq(incomingPayments.walletAddressId, accountId) : undefined, place && olderThan(incomingPayments, place)))
      .orderBy(desc(incomingPayments.createdAt), desc(incomingPayments.id))
      .limit(count);
    return rows.map((row) => ({ direction: 'in', ...row }));
  };
  const outgoing = async (place: Place | undefined, count: number): Promise<Found[]> => {
    const rows = await reader
      .select()
      .from(outgoingPayments)
      .where(and(accountId ? eq(outgoingPayments.walletAddressId, accountId) : undefined, place && olderThan(outgoingPayments, place)))
      .orderBy(desc(outgoingPayments.createdAt), desc(outgoingPayments.id))
      .limit(count);
    return rows.map((row) => ({ direction: 'out', ...row }));
  };
  return merged([
    ...(direction === 'out' ? [] : [inPieces(incoming, from, size)]),
    ...(direction === 'in' ? [] : [inPieces(outgoing, from, size)]),
  ]);
}

function matches(payment: Found, filter: PaymentFilter, now: number): boolean {
  const status = payment.direction === 'in' ? incomingStatus(payment, now) : outgoingStatus(payment);
  if (filter.status !== undefined && filter.status !== status) return false;
  const needle = needleOf(filter);
  if (needle === undefined) return true;
  const { description, reference } = said(payment.metadata);
  return [description, reference, payment.client, payment.id].some((text) => text?.toLowerCase().includes(needle));
}

const needleOf = ({ text }: PaymentFilter): string | undefined => text?.trim().toLowerCase() || undefined;

async function toRow(context: OperatorContext, payment: Found, now: number): Promise<Payment> {
  const account = await context.walletAddresses.byId(payment.walletAddressId);
  if (account === undefined) throw new Error('a payment without its wallet address');
  return payment.direction === 'in' ? incomingRow(payment, account, now) : outgoingRow(payment, account);
}
