import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Tx } from '../../platform/database/database.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing/test-database.ts';
import { accountId, openAccounts, transfer } from '../ledger.ts';
import { ledgerClosings } from '../tables.ts';
import { closePiece, duePieces, PIECE, readPiece } from './pieces.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const AT = Date.UTC(2026, 2, 10, 12);
const bank = accountId('external', 'USD/2');
const shops = Array.from({ length: PIECE }, (_, n) => `shop-${n}`);

let test: TestDatabase;
beforeEach(async () => {
  test = openTestDatabase();
  await test.database.write(async (tx) => {
    for (const shop of shops) await openAccounts(tx, shop, USD, 0);
  });
});
afterEach(() => test.dispose());

/** Brings 5 to each of many accounts, in as many final transfers as make a piece, and closes it. */
async function closeNext(number: number, seen: (tx: Tx) => Tx = (tx) => tx): Promise<boolean> {
  await test.database.write(async (tx) => {
    for (const shop of shops) await transfer(tx, { kind: 'deposit', debit: bank, credit: accountId('customer', shop), amount: 5n, at: AT });
  });
  const { piece, isWhole } = await readPiece(test.database.read, number);
  expect(isWhole).toBe(true);
  return await test.database.write((tx) => closePiece(seen(tx), piece));
}

const sums = async () =>
  new Map((await test.database.read.select().from(ledgerClosings)).map(({ accountId: account, sum }) => [account, BigInt(sum)]));

it('a closed piece adds what it moved to the sums of its accounts, once and in its order', async () => {
  expect(await closeNext(1)).toBe(true);
  expect(await closeNext(2)).toBe(true);
  const expected = new Map(shops.map((shop) => [accountId('customer', shop), 10n]));
  expect(await sums()).toEqual(expected.set(bank, -10n * BigInt(PIECE)));
  expect(await duePieces(test.database.read)).toBe(0);
  const { piece } = await readPiece(test.database.read, 2);
  expect(await test.database.write((tx) => closePiece(tx, piece))).toBe(false);
  expect(await test.database.write((tx) => closePiece(tx, { ...piece, number: 4 }))).toBe(false);
  expect(await sums()).toEqual(expected);
});

it('a piece takes as many statements whatever the number of its accounts, because each one keeps the main thread', async () => {
  let statements = 0;
  const counted = (tx: Tx): Tx =>
    new Proxy(tx, {
      get(target, name) {
        if (name === 'select' || name === 'insert' || name === 'update') statements += 1;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  expect(await closeNext(1, counted)).toBe(true);
  // In tests a write is rehearsed first, so all of them are counted twice.
  expect(statements).toBe(8);
  expect((await sums()).size).toBe(PIECE + 1);
});
