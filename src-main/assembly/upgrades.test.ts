import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { getTableName, gt, is, ne, sql } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { damagesIn } from '../audit/whole-books.ts';
import { ActivityCheck } from '../journal/activity-log.ts';
import { numberEarlierTransfers } from '../ledger/audit/pieces.ts';
import { ledgerAccounts } from '../ledger/tables.ts';
import { brokenInvariants } from '../ledger/testing/invariants.ts';
import { incomingPayments } from '../payments/tables.ts';
import { peers } from '../peers/tables.ts';
import { Archive } from '../platform/archive/archive.ts';
import { ManualClock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { migrate } from '../platform/database/migrate.ts';
import { SqliteDatabase } from '../platform/database/sqlite.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { Retention } from '../platform/retention/retention.ts';
import { walletAddresses } from '../wallet-addresses/tables.ts';
import { rulesKeeping } from './retention.ts';

const SOURCES = resolve(import.meta.dirname, '..');
const MIGRATIONS = resolve(SOURCES, '../drizzle');
const FIXTURES = join(import.meta.dirname, 'testing/fixtures');

interface Content {
  /** How many rows each table has. Tables without rows are left out. */
  rows: Record<string, number>;
  /** The balance of every ledger account that is not 0, by its kind and the name of its owner or its asset. */
  balances: Record<string, bigint>;
}

/** What the fixture of each released version holds. Every later version must keep it. */
const CONTENTS: Record<string, Content> = {
  '0.1.0': {
    rows: {
      ...{ wallet_addresses: 3, ledger_accounts: 11, ledger_transfers: 6, rates: 1, peers: 1 },
      ...{ grants: 1, access_tokens: 1, incoming_payments: 1, quotes: 2, outgoing_payments: 1, packets: 1 },
      ...{ events: 14, activities: 6, activity_head: 1 },
    },
    balances: {
      ...{ 'customer:alice': 98_750n, 'customer:bob': 500n, 'customer:carol': 1_250n, 'peer:Bakery': 300n },
      ...{ 'exchange:EUR/2': 7_000n, 'external:EUR/2': -7_500n, 'external:USD/2': -100_300n },
    },
  },
};

/** Every table that the present version declares. */
async function declaredTables(): Promise<SQLiteTable[]> {
  const modules = globSync('**/tables.ts', { cwd: SOURCES }).map((path): Promise<object> => import(join(SOURCES, path)));
  return (await Promise.all(modules)).flatMap((module) => Object.values(module).filter((value) => is(value, SQLiteTable)));
}

/** Reads every row of every table, and counts them. */
async function countRows({ read }: Database): Promise<Map<string, number>> {
  const rows = new Map<string, number>();
  for (const table of await declaredTables()) rows.set(getTableName(table), (await read.select().from(table)).length);
  return rows;
}

async function readBalances({ read }: Database): Promise<Content['balances']> {
  const owners = [...(await read.select().from(walletAddresses)), ...(await read.select().from(peers))];
  const nameOf = new Map(owners.map(({ id, name }) => [id, name]));
  const accounts = await read.select().from(ledgerAccounts).where(ne(ledgerAccounts.balance, 0n));
  return Object.fromEntries(
    accounts.map(({ id, kind, balance }) => {
      const owner = id.slice(kind.length + 1);
      return [`${kind}:${nameOf.get(owner) ?? owner}`, balance];
    }),
  );
}

const fixtures = readdirSync(FIXTURES);

it('this test describes the fixture of each released version', () => {
  expect(fixtures.map((file) => basename(file, '.db.gz')).sort()).toEqual(Object.keys(CONTENTS).sort());
});

describe.each(Object.entries(CONTENTS))('a database of version %s', (version, content) => {
  let folder: string;
  let database: SqliteDatabase;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'paydesk-fixture-'));
    const file = join(folder, 'paydesk.db');
    writeFileSync(file, gunzipSync(readFileSync(join(FIXTURES, `${version}.db.gz`))));
    database = new SqliteDatabase(file);
    migrate(database.connection, MIGRATIONS);
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  it('is sound after its migration', () => {
    expect(database.connection.pragma('foreign_key_check')).toEqual([]);
    expect(database.connection.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  it('has every table of the present version, and each row can be read', async () => {
    const rows = await countRows(database);
    const stored = database.connection.prepare("select name from sqlite_master where type = 'table' and name <> '__drizzle_migrations'");
    expect([...rows.keys()].sort()).toEqual(stored.pluck().all().sort());
    expect(Object.fromEntries(rows)).toMatchObject(content.rows);
  });

  it('has the same money as before, and its books are in order', async () => {
    expect(await readBalances(database)).toEqual(content.balances);
    expect(await brokenInvariants(database.read)).toEqual([]);
  });

  it('is not taken for damaged by the audit', async () => {
    await numberEarlierTransfers(database);
    expect(await damagesIn(database.connection.name)).toEqual([]);
    await database.write((tx) =>
      tx.update(incomingPayments).set({ incomingAmount: sql`received - 1` }).where(gt(incomingPayments.received, 0n)),
    );
    expect(await damagesIn(database.connection.name), 'version 0.1.0 took up to a hundredth too much').toEqual([]);
  });

  it('forgets in time what a newer one would, with the quotes of its payments', async () => {
    const archive = new Archive({ database, folder: join(folder, 'archive') });
    const rules = rulesKeeping(archive, { keepDays: 30, archiveDays: 90 });
    const years = new ManualClock(Date.UTC(2030, 0, 1));
    await new Retention({ database, clock: years, log: createLogger('silent'), rules, pause: async () => undefined }).runOnce();
    const left = await countRows(database);
    expect([left.get('quotes'), left.get('packets')]).toEqual([0, 0]);
    // The newest event of all stays.
    expect(left.get('events')).toBe(1);
    for (const kept of ['outgoing_payments', 'incoming_payments', 'ledger_transfers', 'activities'])
      expect(left.get(kept), kept).toBe(content.rows[kept]);
    expect(await readBalances(database)).toEqual(content.balances);
  });

  it('has its whole activity log', async () => {
    const entries = content.rows.activities;
    expect(await new ActivityCheck(database).lookAtAll()).toEqual({ whole: true, entries, checked: entries });
  });
});
