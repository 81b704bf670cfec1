import { and, count, eq, gte, sql } from 'drizzle-orm';
import { type Asset, assetKey } from '../../../src-shared/amounts.ts';
import type { Overview } from '../../../src-shared/operator-contract/node.ts';
import { type AccountKind, ledgerAccounts, ledgerTransfers } from '../../ledger/tables.ts';
import { outgoingPayments } from '../../payments/tables.ts';
import type { Reader } from '../../platform/database/database.ts';
import { exactSum } from '../../platform/database/exact-sum.ts';
import type { OperatorContext } from '../context.ts';
import { type AssetSum, healthChecks } from './health.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Longer than any outgoing payment lives: one that failed today was created after this long before midnight. */
const LONGEST_PAYMENT_MS = 60 * 60_000;
const STUCK_MS = 10 * 60_000;

// Written out, not bound: only then the engine knows that the small index on unfinished payments answers it.
const unfinished = sql`${outgoingPayments.state} in ('funded', 'sending', 'retrying', 'settling')`;

/** What the operator sees first: money, today, what waits, and whether the node is well. */
export async function overview(context: OperatorContext): Promise<Overview> {
  const { read, stopped } = context.database;
  const now = context.clock.now();
  const midnight = now - (now % DAY_MS);
  const accounts = await read.select().from(ledgerAccounts);
  const assets = new Map<string, Asset & { balance: bigint; reserved: bigint; sum: bigint }>();
  for (const { kind, balance, pending, assetCode, assetScale } of accounts) {
    const key = assetKey({ assetCode, assetScale });
    const asset = assets.get(key) ?? { assetCode, assetScale, balance: 0n, reserved: 0n, sum: 0n };
    asset.sum += balance;
    if (kind === 'customer') asset.balance += balance - pending;
    if (kind === 'customer') asset.reserved += pending;
    if (kind === 'escrow') asset.reserved += balance;
    assets.set(key, asset);
  }
  const received = await movedSince(read, 'customer', midnight);
  const sent = await movedSince(read, 'escrow', midnight);
  const underWay = await payments(read, now);
  const each = [...assets.values()].sort((a, b) => (assetKey(a) < assetKey(b) ? -1 : 1));
  return {
    now: new Date(now),
    balances: each.map(({ assetCode, assetScale, balance, reserved }) => ({ assetCode, assetScale, value: balance, reserved })),
    today: each.map(({ assetCode, assetScale }) => {
      const key = assetKey({ assetCode, assetScale });
      return { assetCode, assetScale, received: received.get(key) ?? 0n, sent: sent.get(key) ?? 0n };
    }),
    waitingApprovals: (await context.access.listApprovals()).length,
    paymentsUnderWay: underWay.all,
    failedToday: await failedSince(read, midnight),
    health: healthChecks({ stopped, sums: each satisfies AssetSum[], stuck: underWay.stuck, reachable: context.about.reachableByOthers }),
  };
}

/** What payments brought to customer accounts, or took out of escrow, per asset. */
async function movedSince(reader: Reader, kind: AccountKind & ('customer' | 'escrow'), since: number): Promise<Map<string, bigint>> {
  const column = kind === 'customer' ? ledgerTransfers.creditAccountId : ledgerTransfers.debitAccountId;
  const rows = await reader
    .select({ assetCode: ledgerAccounts.assetCode, assetScale: ledgerAccounts.assetScale, moved: exactSum(ledgerTransfers.amount) })
    .from(ledgerAccounts)
    .innerJoin(ledgerTransfers, and(eq(column, ledgerAccounts.id), gte(ledgerTransfers.createdAt, since)))
    .where(and(eq(ledgerAccounts.kind, kind), eq(ledgerTransfers.kind, 'payment'), eq(ledgerTransfers.state, 'posted')))
    .groupBy(ledgerAccounts.assetCode, ledgerAccounts.assetScale);
  return new Map(rows.map((row) => [assetKey(row), row.moved]));
}

async function payments(reader: Reader, now: number): Promise<{ all: number; stuck: number }> {
  const rows = await reader.select({ createdAt: outgoingPayments.createdAt }).from(outgoingPayments).where(unfinished);
  return { all: rows.length, stuck: rows.filter(({ createdAt }) => now - createdAt > STUCK_MS).length };
}

async function failedSince(reader: Reader, since: number): Promise<number> {
  const [row] = await reader
    .select({ failed: count() })
    .from(outgoingPayments)
    .where(
      and(
        gte(outgoingPayments.createdAt, since - LONGEST_PAYMENT_MS),
        eq(outgoingPayments.state, 'failed'),
        gte(outgoingPayments.updatedAt, since),
      ),
    );
  return Number(row?.failed ?? 0);
}
