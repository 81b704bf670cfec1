import { createHash } from 'node:crypto';
import type Sqlite from 'better-sqlite3';

/** A summary of the books. Two copies of the same books have the same summary. */
interface LedgerSummary {
  readonly accounts: number;
  readonly transfers: number;
  /** The position of the last event in the journal. */
  readonly lastEvent: number;
  /** The SHA-256 (base64url) over the balance and the pending sum of every ledger account. */
  readonly hash: string;
}

interface AccountRow {
  id: string;
  asset: string;
  balance: bigint;
  pending: bigint;
}

/**
 * Reads the whole database and checks its structure and its references. It does not look each row up in each index. See
 * decisions.md#D-76.
 * @throws Error when it is damaged.
 */
export function checkStructure(connection: Sqlite.Database): void {
  const damage = connection.pragma('quick_check', { simple: true });
  if (damage !== 'ok') throw new Error(`the database is damaged: ${String(damage)}`);
  if ((connection.pragma('foreign_key_check') as unknown[]).length > 0) throw new Error('the database has broken references');
}

/**
 * Reads the summary from a database that does not change meanwhile.
 * @throws Error when its books do not balance.
 */
export function summarize(connection: Sqlite.Database): LedgerSummary {
  const hash = createHash('sha256');
  const sums = new Map<string, bigint>();
  let accounts = 0;
  const rows = connection.prepare(
    "select id, asset_code || '/' || asset_scale as asset, balance, pending from ledger_accounts order by id",
  );
  for (const { id, asset, balance, pending } of rows.safeIntegers().iterate() as IterableIterator<AccountRow>) {
    hash.update(`${id} ${balance} ${pending}\n`);
    sums.set(asset, (sums.get(asset) ?? 0n) + balance);
    accounts += 1;
  }
  for (const [asset, sum] of sums) if (sum !== 0n) throw new Error(`the books of ${asset} do not balance`);
  const count = (query: string): number => Number(connection.prepare(query).pluck().get());
  return {
    accounts,
    transfers: count('select count(*) from ledger_transfers'),
    lastEvent: count('select coalesce(max(position), 0) from events'),
    hash: hash.digest('base64url'),
  };
}

export const sameLedger = (a: LedgerSummary, b: LedgerSummary): boolean =>
  a.accounts === b.accounts && a.transfers === b.transfers && a.lastEvent === b.lastEvent && a.hash === b.hash;
