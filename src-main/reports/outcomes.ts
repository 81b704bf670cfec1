import { and, asc, count, eq, gte, inArray, lt } from 'drizzle-orm';
import { INCOMING_STATUSES, type IncomingStatus, incomingStatus } from '../../src-shared/incoming-status.ts';
import type { SalesReport } from '../../src-shared/operator-contract/shop/reports.ts';
import { checkouts } from '../checkout/tables.ts';
import { Reasons } from '../closings/reasons.ts';
import { incomingFacts } from '../payments/incoming/incoming-payments.ts';
import { incomingPayments, isBusiness, outgoingPayments, paymentRequests } from '../payments/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { newerThan, type Place } from '../platform/database/places.ts';

/** Moments in milliseconds since the Unix epoch: `from` is in the span, and `before` is not. */
export interface Span {
  readonly from: number;
  readonly before: number;
}

/** How many rows one look reads. */
const ROWS_AT_ONCE = 500;

type Outcomes = Pick<SalesReport, 'requests' | 'attempts' | 'cancellations' | 'sent'>;

/**
 * Counts what became of the requests that were made in the period, by status; those without any are left out. A
 * stranger's request that nobody pays changes no number here. With it come the reasons: why customers could not pay,
 * why the shop cancelled, and why payments that were sent failed.
 */
export async function outcomes(reader: Reader, accountId: string, { span, now }: { span: Span; now: number }): Promise<Outcomes> {
  const counts = new Map<IncomingStatus, number>();
  const [attempts, cancellations] = [new Reasons(), new Reasons()];
  for await (const rows of requestsIn(reader, accountId, span)) {
    const cancelled: string[] = [];
    for (const row of rows) {
      const status = incomingStatus(incomingFacts(row), now);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (status === 'cancelled') cancelled.push(row.id);
    }
    const ids = rows.map(({ id }) => id);
    for (const one of await failedAttempts(reader, ids)) attempts.add(one.reason ?? '', one.count);
    for (const reason of await cancelReasons(reader, cancelled)) cancellations.add(reason);
  }
  return {
    requests: INCOMING_STATUSES.flatMap((status) => {
      const found = counts.get(status);
      return found === undefined ? [] : [{ status, count: found }];
    }),
    ...{ attempts: attempts.list(), cancellations: cancellations.list(), sent: await sentIn(reader, accountId, span) },
  };
}

/** The operator's business among the requests, the oldest first, some at a time. */
async function* requestsIn(reader: Reader, accountId: string, span: Span) {
  const t = incomingPayments;
  for (let place: Place | undefined; ; ) {
    const since = place === undefined ? gte(t.createdAt, span.from) : newerThan(t, place);
    const rows = await reader
      .select()
      .from(t)
      .where(and(eq(t.walletAddressId, accountId), isBusiness, since, lt(t.createdAt, span.before)))
      .orderBy(asc(t.createdAt), asc(t.id))
      .limit(ROWS_AT_ONCE);
    if (rows.length > 0) yield rows;
    place = rows.at(-1);
    if (place === undefined || rows.length < ROWS_AT_ONCE) return;
  }
}

async function failedAttempts(reader: Reader, ids: string[]) {
  const { reason, incomingPaymentId, state } = checkouts;
  return await reader
    .select({ reason, count: count() })
    .from(checkouts)
    .where(and(inArray(incomingPaymentId, ids), eq(state, 'failed')))
    .groupBy(reason);
}

/** The reason of each one; it is empty where the shop gave none. */
async function cancelReasons(reader: Reader, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { id, cancelReason } = paymentRequests;
  const rows = await reader.select({ id, cancelReason }).from(paymentRequests).where(inArray(id, ids));
  const reasons = new Map(rows.map((row) => [row.id, row.cancelReason ?? '']));
  return ids.map((one) => reasons.get(one) ?? '');
}

/** The payments that the account began to send in the period. */
async function sentIn(reader: Reader, accountId: string, span: Span): Promise<SalesReport['sent']> {
  const t = outgoingPayments;
  const failures = new Reasons();
  let all = 0;
  for (let place: Place | undefined; ; ) {
    const since = place === undefined ? gte(t.createdAt, span.from) : newerThan(t, place);
    const rows = await reader
      .select({ id: t.id, createdAt: t.createdAt, state: t.state, failure: t.failure })
      .from(t)
      .where(and(eq(t.walletAddressId, accountId), since, lt(t.createdAt, span.before)))
      .orderBy(asc(t.createdAt), asc(t.id))
      .limit(ROWS_AT_ONCE);
    all += rows.length;
    for (const { state, failure } of rows) if (state === 'failed') failures.add(failure ?? '');
    place = rows.at(-1);
    if (place === undefined || rows.length < ROWS_AT_ONCE) return { count: all, failures: failures.list() };
  }
}
