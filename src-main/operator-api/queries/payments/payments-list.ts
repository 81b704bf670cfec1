import { inArray, type SQL, sql } from 'drizzle-orm';
import type { Payment, PaymentFilter } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { keptRequests } from '../../../payments/incoming/kept-requests.ts';
import { refundedBy, refundedSoFar } from '../../../payments/refunds/refund-rows.ts';
import { incomingPayments, outgoingPayments } from '../../../payments/tables.ts';
import type { Reader } from '../../../platform/database/database.ts';
import type { Place } from '../../../platform/database/places.ts';
import type { WalletAddress } from '../../../wallet-addresses/wallet-addresses.ts';
import type { OperatorContext } from '../../context.ts';
import { toCursor } from '../places.ts';
import { conditionsOf, isSearch, knownFor, type PaymentConditions } from './payment-conditions.ts';
import { incomingRow, outgoingRow } from './payment-rows.ts';
import { spansOf, withinSpan } from './payment-spans.ts';

interface ListRequest extends PaymentFilter {
  /** The place of the row after which the list begins. */
  from?: Place | undefined;
  /** The place that no row of the list is newer than. */
  until?: Place | undefined;
  /** The number of rows to pass over first. */
  offset?: number;
  /** The number of rows, 1 or more. */
  limit: number;
}

interface PaymentPart {
  items: Payment[];
  nextCursor: string | null;
  place: string | null;
}

interface Found extends Place {
  way: string;
}

/**
 * Lists incoming and outgoing payments together, newest first. The database applies all filters, beside the main
 * thread. It reads a list at once to which an index leads. It reads one span of time after the other for a search, so
 * that the search delays no other question, and ends when its caller has gone.
 */
export async function listPayments(context: OperatorContext, request: ListRequest, signal?: AbortSignal): Promise<PaymentPart> {
  const read = context.database.readAside;
  const { limit } = request;
  const now = context.clock.now();
  const known = await knownFor(context, request);
  const conditions = conditionsOf(request, known, now);
  const whole = !isSearch(request) && (known.only?.length ?? 1) === 1;
  const wanted = limit + 1;
  const found: Found[] = [];
  let skip = request.offset ?? 0;
  for await (const span of spansOf(read, { ...request, whole })) {
    signal?.throwIfAborted();
    const within = withinSpan(conditions, span, request);
    const rows = await placesOf(read, within, wanted - found.length, skip);
    found.push(...rows);
    if (found.length === wanted) break;
    if (skip > 0) skip = rows.length > 0 ? 0 : skip - (await countOf(read, within));
  }
  const items = await rowsOf(context, found.slice(0, limit), now);
  const [first, last] = [found[0], found[limit - 1]];
  return {
    items,
    nextCursor: found.length > limit && last !== undefined ? toCursor(last) : null,
    place: first === undefined ? null : toCursor(first),
  };
}

/**
 * Finds where the rows are. It reads the indexes alone as far as the filter allows, and merges both kinds without
 * sorting.
 */
async function placesOf(reader: Reader, { incoming, outgoing }: PaymentConditions, limit: number, offset: number): Promise<Found[]> {
  const order = sql`"created_at" desc, "id" desc`;
  const ways = [
    ...(incoming === 'nothing' ? [] : [placesIn(reader, incomingPayments, 'in', incoming)]),
    ...(outgoing === 'nothing' ? [] : [placesIn(reader, outgoingPayments, 'out', outgoing)]),
  ];
  const [first, second] = ways;
  if (first === undefined) return [];
  if (second === undefined) return await first.orderBy(order).limit(limit).offset(offset);
  return await first.unionAll(second).orderBy(order).limit(limit).offset(offset);
}

const placesIn = (
  reader: Reader,
  table: typeof incomingPayments | typeof outgoingPayments,
  way: 'in' | 'out',
  condition: SQL | undefined,
) =>
  reader
    .select({ way: sql<string>`${way}`.as('way'), id: table.id, createdAt: table.createdAt })
    .from(table)
    .where(condition)
    .$dynamic();

async function countOf(reader: Reader, { incoming, outgoing }: PaymentConditions): Promise<number> {
  const counts = await Promise.all([
    incoming === 'nothing' ? [] : reader.select({ rows: sql<bigint>`count(*)` }).from(incomingPayments).where(incoming),
    outgoing === 'nothing' ? [] : reader.select({ rows: sql<bigint>`count(*)` }).from(outgoingPayments).where(outgoing),
  ]);
  return counts.flat().reduce((sum, { rows }) => sum + Number(rows), 0);
}

/** Reads the payments at these places, in this order. */
async function rowsOf(context: OperatorContext, places: readonly Found[], now: number): Promise<Payment[]> {
  const {
    database: { read, readAside },
    walletAddresses,
  } = context;
  const ids = (way: string) => places.filter((place) => place.way === way).map(({ id }) => id);
  const incoming = await read
    .select()
    .from(incomingPayments)
    .where(inArray(incomingPayments.id, ids('in')));
  const outgoing = await read
    .select()
    .from(outgoingPayments)
    .where(inArray(outgoingPayments.id, ids('out')));
  const kept = await keptRequests(read, ids('in'));
  const accounts = new Map<string, WalletAddress>();
  for (const { walletAddressId } of [...incoming, ...outgoing]) {
    const account = accounts.get(walletAddressId) ?? (await walletAddresses.byId(walletAddressId));
    if (account === undefined) throw new Error('a payment without its wallet address');
    accounts.set(walletAddressId, account);
  }
  const of = <T extends { walletAddressId: string }>(row: T, make: (row: T, account: WalletAddress) => Payment): Payment[] => {
    const account = accounts.get(row.walletAddressId);
    return account === undefined ? [] : [make(row, account)];
  };
  const givenBack = await refundedSoFar(readAside, ids('in'));
  const refundOf = await refundedBy(read, ids('out'));
  const rows = [
    ...incoming.flatMap((row) =>
      of(row, (payment, account) =>
        incomingRow(payment, account, now, { kept: kept.get(payment.id), refunded: givenBack.get(payment.id) }),
      ),
    ),
    ...outgoing.flatMap((row) => of(row, (payment, account) => outgoingRow(payment, account, refundOf.get(payment.id) ?? null))),
  ];
  const byId = new Map(rows.map((row) => [row.id, row]));
  return places.flatMap(({ id }) => byId.get(id) ?? []);
}
