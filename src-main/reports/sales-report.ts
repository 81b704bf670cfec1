import type { ShopDays } from '../../src-shared/calendar.ts';
import type { SalesReport } from '../../src-shared/operator-contract/shop/reports.ts';
import type { Period } from '../../src-shared/statements/period.ts';
import { type BookLine, type BookState, bookLines, bookSums } from '../ledger/account-book.ts';
import { inParts } from '../ledger/in-parts.ts';
import type { Core } from '../platform/core.ts';
import type { Reader } from '../platform/database/database.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { bookOfDays } from '../wallet-addresses/book-of-days.ts';
import type { WalletAddresses } from '../wallet-addresses/wallet-addresses.ts';
import { Moved } from './moved.ts';
import { outcomes, type Span } from './outcomes.ts';
import { Sold } from './sold.ts';
import { Taxed } from './taxed.ts';

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
    ...(await outcomes(readAside, accountId, { span, now })),
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

const sumOf = (values: Iterable<bigint>): bigint => [...values].reduce((sum, value) => sum + value, 0n);
