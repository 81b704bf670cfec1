import { and, asc, eq, gte, sql } from 'drizzle-orm';
import type { Asset } from '../../src-shared/amounts.ts';
import { type Database, prepared, type Reader, type Tx } from '../platform/database/database.ts';
import { exactSum } from '../platform/database/exact-sum.ts';
import { placeholdersOf } from '../platform/database/placeholders.ts';
import { ledgerAccounts, ledgerDays, ledgerTransfers } from './tables.ts';

export const DAY_MS = 24 * 60 * 60_000;

/** @returns the midnight (UTC) at which the day of a moment began, in milliseconds since the Unix epoch. */
export const dayOf = (at: number): number => at - (at % DAY_MS);

/** What payments received and sent on one day, in one asset. */
interface DaySum extends Asset {
  /** The midnight at which the day began, in milliseconds since the Unix epoch. */
  day: number;
  received: bigint;
  sent: bigint;
}

const $ = sql.placeholder;
const d = ledgerDays;
const LOW_BITS = 32n;
const LOW = (1n << LOW_BITS) - 1n;

const count = prepared((tx: Tx) =>
  tx
    .insert(d)
    .values(placeholdersOf(d))
    .onConflictDoUpdate({
      target: [d.assetCode, d.assetScale, d.day],
      set: {
        receivedHigh: sql`${d.receivedHigh} + excluded.received_high`,
        sentHigh: sql`${d.sentHigh} + excluded.sent_high`,
        receivedLow: sql`${d.receivedLow} + excluded.received_low`,
        sentLow: sql`${d.sentLow} + excluded.sent_low`,
      },
    })
    .prepare(),
);

// The id of a ledger account begins with its kind.
const brings = (credit: string): boolean => credit.startsWith('customer:');
const takes = (debit: string): boolean => debit.startsWith('escrow:');

/** Adds a payment's transfer to the sums of its day, within the write that posts it. */
export async function countDay(tx: Tx, asset: Asset, moved: { debit: string; credit: string; amount: bigint; at: number }): Promise<void> {
  const received = brings(moved.credit) ? moved.amount : 0n;
  const sent = takes(moved.debit) ? moved.amount : 0n;
  if (received === 0n && sent === 0n) return;
  await count(tx).execute({
    assetCode: asset.assetCode,
    assetScale: asset.assetScale,
    day: dayOf(moved.at),
    ...halves(received, sent),
  } satisfies typeof d.$inferSelect);
}

const halves = (received: bigint, sent: bigint) => ({
  receivedHigh: received >> LOW_BITS,
  sentHigh: sent >> LOW_BITS,
  receivedLow: received & LOW,
  sentLow: sent & LOW,
});

const since = prepared((reader: Reader) =>
  reader
    .select()
    .from(d)
    .where(gte(d.day, $('since')))
    .orderBy(asc(d.assetCode), asc(d.assetScale), asc(d.day))
    .prepare(),
);

/** @returns the sums of every day since the midnight `from`. Days on which nothing moved are left out. */
export async function daySums(reader: Reader, from: number): Promise<DaySum[]> {
  const rows = await since(reader).execute({ since: from });
  return rows.map(({ assetCode, assetScale, day, receivedHigh, sentHigh, receivedLow, sentLow }) => ({
    assetCode,
    assetScale,
    day,
    received: (receivedHigh << LOW_BITS) + receivedLow,
    sent: (sentHigh << LOW_BITS) + sentLow,
  }));
}

/**
 * Counts the days of books from a version that kept no such sums. It counts them once, before anything new is written.
 */
export async function countEarlierDays(database: Database): Promise<void> {
  const [counted] = await database.read.select({ day: d.day }).from(d).limit(1);
  if (counted !== undefined) return;
  const sums = new Map<string, DaySum>();
  for (const side of ['received', 'sent'] as const) {
    for (const { day, moved, ...asset } of await movedByDay(database.read, side)) {
      const key = `${asset.assetCode}/${asset.assetScale}/${day}`;
      const sum = sums.get(key) ?? { ...asset, day, received: 0n, sent: 0n };
      sums.set(key, { ...sum, [side]: moved });
    }
  }
  if (sums.size === 0) return;
  await database.write(async (tx) => {
    for (const { received, sent, ...at } of sums.values()) await count(tx).execute({ ...at, ...halves(received, sent) });
  });
}

async function movedByDay(reader: Reader, side: 'received' | 'sent') {
  const column = side === 'received' ? ledgerTransfers.creditAccountId : ledgerTransfers.debitAccountId;
  const day = sql`${ledgerTransfers.createdAt} - ${ledgerTransfers.createdAt} % ${BigInt(DAY_MS)}`;
  return await reader
    .select({
      assetCode: ledgerAccounts.assetCode,
      assetScale: ledgerAccounts.assetScale,
      day: day.mapWith(Number),
      moved: exactSum(ledgerTransfers.amount),
    })
    .from(ledgerAccounts)
    .innerJoin(ledgerTransfers, eq(column, ledgerAccounts.id))
    .where(
      and(
        eq(ledgerAccounts.kind, side === 'received' ? 'customer' : 'escrow'),
        eq(ledgerTransfers.kind, 'payment'),
        eq(ledgerTransfers.state, 'posted'),
      ),
    )
    .groupBy(ledgerAccounts.assetCode, ledgerAccounts.assetScale, day);
}
