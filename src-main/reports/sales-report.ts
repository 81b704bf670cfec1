import { and, asc, eq, gte, lt } from 'drizzle-orm';
import type { ShopDays } from '../../src-shared/calendar.ts';
import { INCOMING_STATUSES, type IncomingStatus, incomingStatus } from '../../src-shared/incoming-status.ts';
import type { SalesReport } from '../../src-shared/operator-contract/shop/reports.ts';
import type { Period } from '../../src-shared/statements/period.ts';
import { inParts } from '../closings/steps.ts';
import { type BookLine, type BookState, bookLines, bookSums } from '../ledger/account-book.ts';
import { incomingFacts } from '../payments/incoming/incoming-payments.ts';
import { incomingPayments, isBusiness } from '../payments/tables.ts';
import type { Core } from '../platform/core.ts';
import type { Reader } from '../platform/database/database.ts';
import { newerThan, type Place } from '../platform/database/places.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { bookOfDays } from '../wallet-addresses/book-of-days.ts';
import type { WalletAddresses } from '../wallet-addresses/wallet-addresses.ts';
import { Moved } from './moved.ts';
import { Sold } from './sold.ts';
import { Taxed } from './taxed.ts';

/** Moments in milliseconds since the Unix epoch: `from` is in the span, and `before` is not. */
interface Span {
  readonly from: number;
  readonly before: number;
}

interface Parts extends Pick<Core, 'database' | 'clock'> {
  walletAddresses: Pick<WalletAddresses, 'byId'>;
}

/**
 * Why there is no report. `bad_period`: the days are none, or lie ahead. `too_many`: more moved than a report adds up.
 */
export type ReportRefusal = 'not_found' | 'bad_period' | 'too_many';

/** The most movements that one report adds up. They take a few seconds, beside other work. */
const MOST_MOVEMENTS = 200_000;
/** How many rows one look reads. */
const ROWS_AT_ONCE = 500;

/**
 * Adds up what an account received between two days. Days that have not begun are left out. The thread of readers adds
 * up, and other work gets its turn between its looks.
 * @param most how many movements it adds up at most
 */
export async function salesReport(
  parts: Parts,
  { accountId, from, to }: Period & { accountId: string },
  most = MOST_MOVEMENTS,
): Promise<Result<SalesReport, ReportRefusal>> {
  const found = await bookOfDays(parts, { accountId, from, to });
  if (!found.ok) return found;
  const { account, book, days, last, start, end, isEnded, now } = found.value;
  const { readAside } = parts.database;
  const span = { from: start, before: end };
  const { credits, debits } = await bookSums(readAside, book, span);
  if (credits.count + debits.count > most) return refuse('too_many');
  const moved = await addUp(readAside, book, { days, span });
  const sold = new Sold();
  for (const sales of inParts(moved.sales, ROWS_AT_ONCE)) await sold.add(readAside, { book, since: span.from }, sales);
  const taxed = new Taxed();
  for (const some of inParts(new Set([...moved.sales.keys(), ...moved.givenBack.keys()]), ROWS_AT_ONCE)) {
    const sales = some.map((id) => ({ id, amount: moved.sales.get(id) ?? 0n, refunded: moved.givenBack.get(id) ?? 0n }));
    await taxed.add(readAside, { book, since: span.from, asset: account }, sales);
  }
  return ok({
    ...{ assetCode: account.assetCode, assetScale: account.assetScale },
    ...{ from, to: last, isEnded, at: new Date(now) },
    received: { value: sumOf(moved.sales.values()), count: moved.sales.size },
    refunded: { value: sumOf([...moved.days.values()].map(({ refunded }) => refunded)), count: moved.refunds.size },
    days: [...moved.days].map(([day, sums]) => ({ day, ...sums })).sort((one, other) => (one.day < other.day ? -1 : 1)),
    taxes: taxed.list(),
    ...sold.lists(),
    requests: await asked(readAside, accountId, { span, now }),
  });
}

/** Adds up the movements of payments and refunds. */
async function addUp(reader: Reader, book: BookState, { days, span }: { days: ShopDays; span: Span }): Promise<Moved> {
  const moved = new Moved(book, days);
  let part: BookLine[] = [];
  for await (const line of bookLines(reader, book, span)) {
    part.push(line);
    if (part.length < ROWS_AT_ONCE) continue;
    await moved.add(reader, part);
    part = [];
  }
  await moved.add(reader, part);
  return moved;
}

/**
 * What became of the requests that were made in the period, by status; those without any are left out. A stranger's
 * request that nobody pays changes no number here.
 */
async function asked(reader: Reader, accountId: string, { span, now }: { span: Span; now: number }): Promise<SalesReport['requests']> {
  const counts = new Map<IncomingStatus, number>();
  const t = incomingPayments;
  for (let place: Place | undefined; ; ) {
    const rows = await reader
      .select()
      .from(t)
      .where(
        and(
          eq(t.walletAddressId, accountId),
          isBusiness,
          place === undefined ? gte(t.createdAt, span.from) : newerThan(t, place),
          lt(t.createdAt, span.before),
        ),
      )
      .orderBy(asc(t.createdAt), asc(t.id))
      .limit(ROWS_AT_ONCE);
    for (const row of rows) {
      const status = incomingStatus(incomingFacts(row), now);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    place = rows.at(-1);
    if (place === undefined || rows.length < ROWS_AT_ONCE) break;
  }
  return INCOMING_STATUSES.flatMap((status) => {
    const count = counts.get(status);
    return count === undefined ? [] : [{ status, count }];
  });
}

const sumOf = (values: Iterable<bigint>): bigint => [...values].reduce((sum, value) => sum + value, 0n);
