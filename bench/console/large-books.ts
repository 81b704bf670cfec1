import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { storeManyPayments } from '../../e2e/support/books/many-payments.ts';
import { Act } from '../../src-main/journal/acting.ts';
import { appendActivity } from '../../src-main/journal/activity-log.ts';
import { SqliteDatabase } from '../../src-main/platform/database/sqlite.ts';
import { createLogger } from '../../src-main/platform/logs/logger.ts';
import { readCommandLine } from '../../src-main/platform/settings/config.ts';
import { startWalletNode, type WalletNode } from '../../src-main/wallet-node.ts';

/** How much the books of a large node hold. Half of the payments are incoming. */
const LARGE = { accounts: 100_000, payments: 1_000_000, grants: 100_000, peers: 10_000, activities: 100_000, packets: 100_000 } as const;

/** An open payment with that many packets. Its description was changed after half of them. */
export const STREAMED = 'ffffffff-0000-4000-8000-000000000001';
/** The permission, used last of all, with which as many payments were made. */
export const BUSY_GRANT = 'bbbbbbbb-0000-4000-8000-000000000003';

const RENDERER = resolve(import.meta.dirname, '../../out/renderer');

const id = (kind: string): string => `${kind}-0000-4000-8000-' || printf('%012x', n)`;
const COUNTED = 'with recursive counted(n) as (select 1 union all select n + 1 from counted where n < :count)';

/** What fills each table. `:base` is the time of the first row, in milliseconds since the Unix epoch. */
const FILLING: readonly (readonly [keyof typeof LARGE, string])[] = [
  [
    'accounts',
    `insert into wallet_addresses (id, name, public_name, asset_code, asset_scale, created_at)
     ${COUNTED} select '${id('aaaaaaaa')}, 'shop-' || n, 'Corner shop ' || n, iif(n % 3, 'USD', 'EUR'), 2, :base + n * 1000 from counted`,
  ],
  ...(['customer', 'escrow'] as const).map(
    (kind) =>
      [
        'accounts',
        `insert into ledger_accounts (id, kind, asset_code, asset_scale, balance, pending, created_at)
         ${COUNTED} select '${kind}:${id('aaaaaaaa')}, '${kind}', iif(n % 3, 'USD', 'EUR'), 2, ${kind === 'customer' ? 'n' : '0'}, 0, :base + n * 1000 from counted`,
      ] as const,
  ),
  [
    'accounts',
    `insert into ledger_accounts (id, kind, asset_code, asset_scale, balance, pending, created_at)
     select 'external:' || asset_code || '/2', 'external', asset_code, 2, -sum(balance), 0, :base from ledger_accounts where :count > 0 group by asset_code`,
  ],
  [
    'accounts',
    `insert into ledger_transfers (id, number, kind, state, debit_account_id, credit_account_id, amount, created_at)
     ${COUNTED} select '${id('aaaaaaaa')}, n, 'deposit', 'posted', 'external:' || iif(n % 3, 'USD', 'EUR') || '/2',
       'customer:${id('aaaaaaaa')}, n, :base + n * 1000 from counted`,
  ],
  [
    'accounts',
    `insert into ledger_accounts (id, kind, asset_code, asset_scale, balance, pending, created_at)
     select distinct 'exchange:' || asset_code || '/2', 'exchange', asset_code, 2, 0, 0, :base from ledger_accounts where :count > 0`,
  ],
  [
    'grants',
    `insert into grants (id, state, client_kind, client_id, client_name, requested, granted, interactive, endpoint, continuation_id,
       continuation_hash, wrong_codes, created_at, opened_at, decided_at, last_used_at)
     ${COUNTED} select '${id('bbbbbbbb')}, case n % 10 when 0 then 'frozen' when 1 then 'denied' else 'issued' end, 'wallet-address',
       'https://wallet.example/app-' || (n % 30011), 'App ' || (n % 30011), '[{"type":"quote","actions":["create"]}]',
       '[{"type":"quote","actions":["create"]}]', n % 5 <> 2, 'https://pay.example/auth', '${id('cccccccc')}, 'hash-' || n, 0,
       :base + n * 1000, :base + n * 1000, :base + n * 1000, iif(n % 2, :base + (n * 7919 % :count) * 1000, null) from counted`,
  ],
  [
    'grants',
    `insert into access_tokens (id, grant_id, token_hash, state, awaits_rotation, created_at, expires_at)
     ${COUNTED} select '${id('dddddddd')}, '${id('bbbbbbbb')}, 'token-' || n, 'active', 0, :base + n * 1000, :base + n * 1000 + 600000 from counted`,
  ],
  [
    'peers',
    `insert into peers (id, name, state, asset_code, asset_scale, ilp_address, routes, endpoint, outgoing_token, incoming_token_hash,
       debt_limit, in_flight, deduplicates, created_at, updated_at)
     ${COUNTED} select '${id('eeeeeeee')}, 'Peer ' || n, iif(n % 100, 'active', 'paused'), 'USD', 2, 'test.peer' || n, '[]',
       'https://peer' || n || '.example/ilp', '', 'peer-token-' || n, 1000, 0, 1, :base + n * 1000, :base + n * 1000 from counted`,
  ],
  [
    'peers',
    `insert into ledger_accounts (id, kind, asset_code, asset_scale, balance, pending, overdraft, created_at)
     ${COUNTED} select 'peer:${id('eeeeeeee')}, 'peer', 'USD', 2, 0, 0, 1000, :base from counted`,
  ],
];

const WITH_INDEXES = "type = 'index' and sql is not null";

/**
 * The data folder of a node with {@link LARGE} books. They are filled once and kept in the system's folder for
 * temporary files, because filling them takes minutes. Each account has its money from one deposit.
 */
export async function largeBooks(): Promise<string> {
  const folder = join(tmpdir(), 'paydesk-large-books');
  if (existsSync(folder)) return folder;
  const growing = `${folder}-growing`;
  rmSync(growing, { recursive: true, force: true });
  mkdirSync(growing, { mode: 0o700 });
  const node = await startLarge(growing);
  await node.close();
  fill(join(growing, 'paydesk.db'));
  await act(join(growing, 'paydesk.db'));
  // A node of this size has closed a day before. What moves later moves on a thousandth of its accounts.
  const closing = await startLarge(growing);
  await closing.operator.calls.closings.close({ requestId: randomUUID(), last: 0 });
  await closing.close();
  const accountIds = Array.from({ length: 1_000 }, (_, n) => `aaaaaaaa-0000-4000-8000-${(n + 1).toString(16).padStart(12, '0')}`);
  storeManyPayments(growing, { accountIds, count: LARGE.payments, until: Date.now() });
  crowd(join(growing, 'paydesk.db'));
  renameSync(growing, folder);
  return folder;
}

function fill(file: string): void {
  const database = new Sqlite(file);
  try {
    for (const pragma of ['synchronous = off', 'cache_size = -500000', 'temp_store = memory']) database.pragma(pragma);
    const indexes = database.prepare<[], { name: string; sql: string }>(`select name, sql from sqlite_schema where ${WITH_INDEXES}`).all();
    database.transaction(() => {
      for (const { name } of indexes) database.exec(`drop index ${name}`);
      for (const [what, statement] of FILLING) database.prepare(statement).run({ count: LARGE[what], base: Date.now() - 10 ** 9 });
      for (const { sql } of indexes) database.exec(sql);
    })();
  } finally {
    database.close();
  }
}

/** Gives one payment very many packets, and one permission very many payments. */
function crowd(file: string): void {
  const database = new Sqlite(file);
  const [count, at] = [LARGE.packets, Date.now()];
  try {
    database
      .prepare(
        `insert into incoming_payments (id, wallet_address_id, received, completed, search, created_at, updated_at)
         values ('${STREAMED}', 'aaaaaaaa-0000-4000-8000-000000000001', 0, 0, '', :base, :base)`,
      )
      .run({ base: at - 10 ** 9 });
    database
      .prepare(
        `insert into events (position, type, subject, wallet_address_id, body, at)
         ${COUNTED} select (select max(position) from events) + n,
           'incoming_payment.' || case n when 1 then 'created' when :count / 2 then 'noted' else 'received' end, '${STREAMED}',
           'aaaaaaaa-0000-4000-8000-000000000001', '{"amount":"1","received":"' || n || '"}', :at + n from counted`,
      )
      .run({ count, at: at - 10 ** 9 });
    database
      .prepare(
        `update outgoing_payments set grant_id = '${BUSY_GRANT}'
         where id in (select id from outgoing_payments order by created_at desc limit :count)`,
      )
      .run({ count });
    database.prepare(`update grants set last_used_at = :at where id = '${BUSY_GRANT}'`).run({ at });
  } finally {
    database.close();
  }
}

/** Enters what the operator did into the activity log, whose entries depend on each other. */
async function act(file: string): Promise<void> {
  const database = new SqliteDatabase(file);
  await database.write(async (tx) => {
    for (let n = 1; n <= LARGE.activities; n += 1) {
      const event = { type: 'account.deposited', subject: `aaaaaaaa-0000-4000-8000-${'1'.padStart(12, '0')}`, at: n * 1_000 } as const;
      await appendActivity(tx, new Act('accounts.deposit', 'account.deposited'), { ...event, body: { amount: String(n), note: 'Cash' } });
    }
  });
  await database.close();
}

/** Starts a node in this process on the books in the folder. */
export async function startLarge(dataDir: string): Promise<WalletNode> {
  const line = readCommandLine(['--data-dir', dataDir, '--listen', '127.0.0.1:0', '--console', '127.0.0.1:0'], {});
  if (line.command !== 'run') throw new Error('the command line of the bench starts no node');
  return await startWalletNode(line.config, createLogger('silent'), { rendererDir: RENDERER });
}
