import { afterEach, beforeEach, expect, it } from 'vitest';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { bookState, broughtBefore, tookBefore } from './account-book.ts';
import { accountId, openAccounts, transfer } from './ledger.ts';
import { openPeerAccount } from './peer-accounts.ts';

let test: TestDatabase;
beforeEach(() => {
  test = openTestDatabase();
});
afterEach(() => test.dispose());

it('sums up what any number of payments brought and took, each once', async () => {
  const [peer, shop] = [accountId('peer', 'p'), accountId('customer', 'shop')];
  await test.database.write(async (tx) => {
    const usd = { assetCode: 'USD', assetScale: 2 };
    await openAccounts(tx, 'shop', usd, 0);
    await openPeerAccount(tx, 'p', usd, MAX_MOVED, 0);
    for (const [paymentId, amount] of [
      ['first', 30n],
      ['last', 12n],
    ] as const)
      await transfer(tx, { kind: 'payment', debit: peer, credit: shop, amount, paymentId, at: 0 });
    await transfer(tx, { kind: 'payment', debit: shop, credit: peer, amount: 5n, paymentId: 'back', at: 0 });
  });
  // More than SQLite takes in one statement.
  const many = (own: readonly string[]) => [...own, ...Array.from({ length: 40_000 }, (_, nth) => `none ${nth}`), ...own];
  const { read } = test.database;
  const book = await bookState(read, 'shop');
  if (book === undefined) throw new Error('no account');
  const before = { createdAt: 1, id: '' };
  expect(await broughtBefore(read, book, [...many(['first']), 'last'], before)).toBe(42n);
  expect(await tookBefore(read, book, many(['back']), before)).toBe(5n);
});
