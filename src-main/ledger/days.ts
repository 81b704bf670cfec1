import { and, asc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { Asset } from '../../src-shared/amounts.ts';
import { type Day, daysLater, QUARTER_MS, type ShopDays, startOfDay } from '../../src-shared/calendar.ts';
import { type Database, prepared, type Reader, type Tx } from '../platform/database/database.ts';
import { membersOf, withoutIndex } from '../platform/database/dialect.ts';
import { exactSum } from '../platform/database/exact-sum.ts';
import { placeholdersOf } from '../platform/database/placeholders.ts';
import { isExchange, ledgerAccounts, ledgerQuarters, ledgerTransfers } from './tables.ts';

/** The beginning of the quarter of an hour in which a moment lies, both in milliseconds since the Unix epoch. */
export const quarterOf = (at: number): number => at - (at % QUARTER_MS);

/** What payments received and sent on one day of the shop, in one asset. */
interface DaySum extends Asset {
  day: Day;
  received: bigint;
  sent: bigint;
}

const q = ledgerQuarters;
const LOW_BITS = 32n;
const LOW = (1n << LOW_BITS) - 1n;

const count = prepared((tx: Tx) =>
  tx
    .insert(q)
    .values(placeholdersOf(q))
    .onConflictDoUpdate({
      target: [q.assetCode, q.assetScale, q.start],
      set: {
        receivedHigh: sql`${q.receivedHigh} + excluded.received_high`,
        sentHigh: sql`${q.sentHigh} + excluded.sent_high`,
        receivedLow: sql`${q.receivedLow} + excluded.received_low`,
        sentLow: sql`${q.sentLow} + excluded.sent_low`,
      },
    })
    .prepare(),
);

// The id of a ledger account begins with its kind. What leaves an account goes through escrow, or straight to another
// account of this node.
const brings = (credit: string): boolean => credit.startsWith('customer:');
const takes = (debit: string): boolean => debit.startsWith('escrow:') || debit.startsWith('customer:');

const START_OF_DAY = sql`cast(day.key as integer)`.mapWith(Number);
const END_OF_DAY = sql`cast(day.value as integer)`;
const SUMS = {
  ...{ receivedHigh: exactSum(q.receivedHigh), receivedLow: exactSum(q.receivedLow) },
  ...{ sentHigh: exactSum(q.sentHigh), sentLow: exactSum(q.sentLow) },
};

/** Adds a payment's transfer to the sums of its quarter of an hour, within the write that posts it. */
export async function countQuarter(
  tx: Tx,
  asset: Asset,
  moved: { debit: string; credit: string; amount: bigint; at: number },
): Promise<void> {
  const received = brings(moved.credit) ? moved.amount : 0n;
  const sent = takes(moved.debit) ? moved.amount : 0n;
  if (received === 0n && sent === 0n) return;
  await count(tx).execute({
    assetCode: asset.assetCode,
    assetScale: asset.assetScale,
    start: quarterOf(moved.at),
    ...halves(received, sent),
  } satisfies typeof q.$inferSelect);
}

const halves = (received: bigint, sent: bigint) => ({
  receivedHigh: received >> LOW_BITS,
  sentHigh: sent >> LOW_BITS,
  receivedLow: received & LOW,
  sentLow: sent & LOW,
});

const { assetCode, assetScale } = ledgerAccounts;
const assets = prepared((reader: Reader) =>
  reader.select({ assetCode, assetScale }).from(ledgerAccounts).where(isExchange).orderBy(asc(assetCode), asc(assetScale)).prepare(),
);

/**
 * The sums of days that follow each other.
 * @param from the first day.
 * @param dayCount at least 1.
 * @returns the sums by asset and day. Days on which nothing moved are left out.
 */
export async function daySums(reader: Reader, from: Day, dayCount: number, days: ShopDays): Promise<DaySum[]> {
  const asked = Array.from({ length: dayCount + 1 }, (_, n) => daysLater(from, n));
  const starts = asked.map((day) => startOfDay(day, days));
  const ends = Object.fromEntries(starts.slice(0, -1).map((start, n) => [start, String(starts[n + 1])]));
  const dayOf = new Map(starts.map((start, n) => [start, asked[n] ?? '']));
  const sums: DaySum[] = [];
  // Asset by asset, so that the primary key leads to the days, however many years came before.
  for (const asset of await assets(reader).execute()) {
    // The database adds up: a month has thousands of quarters, which would keep the main thread for 20 ms.
    const rows = await reader
      .select({ start: START_OF_DAY, ...SUMS })
      .from(sql`${membersOf(ends)} as day`)
      .crossJoin(q)
      .where(
        and(
          ...[eq(q.assetCode, asset.assetCode), eq(q.assetScale, asset.assetScale)],
          // PostgreSQL does not see a range in the days, and would read the quarters of all years. SQLite does.
          ...[gte(withoutIndex(q.start), starts[0] ?? 0), lt(withoutIndex(q.start), starts.at(-1) ?? 0)],
          ...[gte(q.start, START_OF_DAY), lt(q.start, END_OF_DAY)],
        ),
      )
      .groupBy(START_OF_DAY)
      .orderBy(START_OF_DAY);
    for (const { start, receivedHigh, receivedLow, sentHigh, sentLow } of rows) {
      sums.push({
        ...{ ...asset, day: dayOf.get(start) ?? '' },
        received: (receivedHigh << LOW_BITS) + receivedLow,
        sent: (sentHigh << LOW_BITS) + sentLow,
      });
    }
  }
  return sums;
}

/**
 * Counts the quarters of books from a version that kept no such sums. It counts them once, before anything new is
 * written.
 */
export async function countEarlierQuarters(database: Database): Promise<void> {
  const [counted] = await database.read.select({ start: q.start }).from(q).limit(1);
  if (counted !== undefined) return;
  const received = await movedByQuarter(database.read, 'received');
  const sent = await movedByQuarter(database.read, 'sent');
  if (received.length === 0 && sent.length === 0) return;
  await database.write(async (tx) => {
    for (const { moved, ...at } of received) await count(tx).execute({ ...at, ...halves(moved, 0n) });
    for (const { moved, ...at } of sent) await count(tx).execute({ ...at, ...halves(0n, moved) });
  });
}

async function movedByQuarter(reader: Reader, side: 'received' | 'sent') {
  const column = side === 'received' ? ledgerTransfers.creditAccountId : ledgerTransfers.debitAccountId;
  // Each parameter is a value of its own for PostgreSQL: it would not see that rows are grouped by what is asked for.
  const start = sql`${ledgerTransfers.createdAt} - ${ledgerTransfers.createdAt} % ${sql.raw(String(QUARTER_MS))}`;
  return await reader
    .select({
      assetCode: ledgerAccounts.assetCode,
      assetScale: ledgerAccounts.assetScale,
      start: start.mapWith(Number),
      moved: exactSum(ledgerTransfers.amount),
    })
    .from(ledgerAccounts)
    .innerJoin(ledgerTransfers, eq(column, ledgerAccounts.id))
    .where(
      and(
        inArray(ledgerAccounts.kind, side === 'received' ? ['customer'] : ['escrow', 'customer']),
        eq(ledgerTransfers.kind, 'payment'),
        eq(ledgerTransfers.state, 'posted'),
      ),
    )
    .groupBy(ledgerAccounts.assetCode, ledgerAccounts.assetScale, start);
}
