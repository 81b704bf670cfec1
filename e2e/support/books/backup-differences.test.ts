import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPayments, type Payments } from '../../../src-main/payments/testing/payments.ts';
import { sqliteOf } from '../../../src-main/platform/database/testing/sqlite-test.ts';
import type { WalletAddress } from '../../../src-main/wallet-addresses/wallet-addresses.ts';
import { backupDifferences } from './backup-differences.ts';

const USD = { assetCode: 'USD', assetScale: 2 };

let folder: string;
let node: Payments;
let accounts: { shop: WalletAddress; buyer: WalletAddress };
/** The data folders of a backup, and of the node that has gone on since. */
let backup: string;
let source: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-differences-'));
  node = openPayments();
  accounts = { shop: await node.account('shop', 0n), buyer: await node.account('buyer', 10_000n) };
  // An activity, as the operator API notes them.
  sqliteOf(node)
    .connection.prepare(
      "insert into activities (number, at, operation, type, subject, body, hash) values (1, 1, 'shop.set', 'shop.changed', 'x', '{}', '')",
    )
    .run();
  await pay(700n);
  backup = copyOf(books());
  await pay(100n);
  source = copyOf(books());
});
afterAll(async () => {
  await node.close();
  rmSync(folder, { recursive: true, force: true });
});

async function pay(amount: bigint): Promise<void> {
  const value = { value: amount, ...USD };
  const made = await node.incomingPayments.create({ walletAddress: accounts.shop, client: null, incomingAmount: value });
  if (!made.ok) throw new Error(made.error);
  const incomingPayment = node.urls.incomingPayment(made.value.id);
  const wanted = { walletAddress: accounts.buyer, right: null, incomingPayment, debitAmount: value };
  const paid = await node.outgoingPayments.createFromIncomingPayment(wanted);
  if (!paid.ok) throw new Error(paid.error.code);
  await node.finished(paid.value.id);
}

/** @returns the file of the node's books as they are now. */
function books(): string {
  const { connection } = sqliteOf(node);
  connection.pragma('wal_checkpoint(truncate)');
  return connection.name;
}

/** Copies a file of books. @returns the data folder of the copy. */
function copyOf(file: string): string {
  const dataDir = mkdtempSync(join(folder, 'copy-'));
  copyFileSync(file, join(dataDir, 'paydesk.db'));
  return dataDir;
}

/** What is found in the backup after somebody has changed it. */
function planted(statement: string): readonly string[] {
  const dataDir = copyOf(join(backup, 'paydesk.db'));
  const database = new Sqlite(join(dataDir, 'paydesk.db'));
  database.pragma('foreign_keys = off');
  const { changes } = database.prepare(statement).run();
  database.close();
  expect(changes, statement).toBeGreaterThan(0);
  return backupDifferences(dataDir, source).differences;
}

describe('a backup and the books it was made of', () => {
  it('have no differences, though the node has gone on', () => {
    expect(backupDifferences(backup, source)).toEqual({ differences: [], payments: 1, underWay: 0 });
    expect(backupDifferences(source, source)).toMatchObject({ differences: [], payments: 2 });
  });

  it('have differences when the backup is newer', () => {
    expect(backupDifferences(source, backup).differences).not.toEqual([]);
  });

  it.each([
    ['update events set at = at + 1 where rowid = 1', '1 rows of events that the node does not have'],
    ["update activities set subject = 'y'", '1 rows of activities that the node does not have'],
    ['update packets set created_at = created_at + 1', '1 rows of packets that the backup does not have'],
    ["update ledger_transfers set note = 'another' where rowid = 1", '1 transfers that have changed'],
    ['update ledger_transfers set amount = amount + 1 where number = 1', '1 final transfers that have changed'],
    ['update outgoing_payments set created_at = created_at - 1', '1 ended payments that have changed'],
  ])('differ after "%s"', (statement, difference) => {
    expect(planted(statement)).toContain(difference);
  });

  it.each(['events', 'activities', 'packets'])('differ when there is nothing in %s', (table) => {
    expect(planted(`delete from ${table}`)).toContain(`no rows in ${table}`);
  });
});
