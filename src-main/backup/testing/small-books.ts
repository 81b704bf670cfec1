import { accountId, openAccounts, transfer } from '../../ledger/ledger.ts';
import { openSqliteTest, type SqliteTest } from '../../platform/database/testing/sqlite-test.ts';

export const PASSPHRASE = 'correct horse battery staple';
const USD = { assetCode: 'USD', assetScale: 2 };

/** What a backup says of itself, without the sums of its books. */
export const head = {
  createdAt: '2026-01-01T00:00:00.000Z',
  version: '0.1.0',
  secrets: { version: 1 as const, node: Buffer.alloc(32, 5).toString('base64url'), stream: Buffer.alloc(32, 6).toString('base64url') },
};

/** Opens the books of one account, into which 5 dollars were paid. */
export async function openSmallBooks(): Promise<SqliteTest> {
  const test = openSqliteTest();
  await test.database.write(async (tx) => {
    await openAccounts(tx, 'a', USD, 0);
    await transfer(tx, { kind: 'deposit', debit: accountId('external', 'USD/2'), credit: accountId('customer', 'a'), amount: 500n, at: 0 });
  });
  return test;
}
