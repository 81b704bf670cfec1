import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPayments, type Payments } from '../payments/testing/payments.ts';
import { closeDay, currentFigures } from './closings.ts';
import { accountsOfClosing, closingNumbered } from './papers.ts';
import { dayClosings } from './tables.ts';

let test: Payments;
beforeEach(() => {
  test = openPayments();
});
afterEach(() => test.close());

const close = (last: number) => closeDay(test, { requestId: randomUUID(), last, by: null });
const isWhole = async (number: number) => (await closingNumbered(test.database.read, number))?.isWhole;
const piece = (nth: number) => accountsOfClosing(test.database.read, 1, nth);
const names = (count: number, first = 0) => Array.from({ length: count }, (_, nth) => `stand-${String(first + nth).padStart(3, '0')}`);
const change = (from: string, to: string, where: string) =>
  test.test.tamper(`update closing_accounts set accounts = replace(accounts, '${from}', '${to}') where ${where}`);

describe('a closing of 250 accounts', () => {
  beforeEach(async () => {
    await Promise.all(names(250).map((name) => test.account(name, 5n)));
  });

  it('is told in pieces of a hundred accounts, by name, and the interim report tells the first hundred', async () => {
    const { figures } = await currentFigures(test);
    expect([figures.accountCount, figures.accounts.map(({ name }) => name)]).toEqual([250, names(100)]);
    await close(0);
    const first = await closingNumbered(test.database.read, 1);
    expect(first).toMatchObject({ more: true, isWhole: true, figures: { accountCount: 250 } });
    expect(first?.figures).toEqual(figures);
    const pieces = [await piece(0), await piece(1), await piece(2)];
    expect(pieces[0]?.accounts).toEqual(first?.figures.accounts);
    expect(pieces.flatMap((one) => one?.accounts.map(({ name }) => name))).toEqual(names(250));
    expect(pieces.map((one) => [one?.more, one?.isWhole])).toEqual([
      [true, true],
      [true, true],
      [false, true],
    ]);
    expect(pieces[2]?.accounts[49]).toMatchObject({
      books: { opening: 0n, deposits: 5n, withdrawals: 0n, closing: 5n, difference: 0n },
    });
    expect([await piece(3), await accountsOfClosing(test.database.read, 2, 0)]).toEqual([undefined, undefined]);
  });

  it('says of a piece that somebody has changed, and of one that is gone, and of no other', async () => {
    await close(0);
    const pieces = async () => [(await piece(0))?.isWhole, (await piece(1))?.isWhole, (await piece(2))?.isWhole];
    await change('"closing":"5"', '"closing":"6"', 'piece = 1');
    expect([await isWhole(1), await pieces()]).toEqual([true, [true, false, true]]);
    await change('"closing":"6"', '"closing":"5"', 'piece = 1');
    expect(await pieces()).toEqual([true, true, true]);
    for (const [to, from] of [
      [9, 1],
      [1, 2],
      [2, 9],
    ])
      await test.test.tamper(`update closing_accounts set piece = ${to} where piece = ${from}`);
    expect(await pieces()).toEqual([true, false, false]);
    await test.test.tamper('delete from closing_accounts where piece = 1');
    expect(await piece(1)).toEqual({ accounts: [], more: true, isWhole: false });
    await change('"closing":"5"', '"closing":"6"', 'piece = 0');
    expect([await isWhole(1), await pieces()]).toEqual([false, [false, false, false]]);
  });

  it('does not trust a piece whose hash somebody has changed in the closing', async () => {
    await close(0);
    await test.test.tamper(`update day_closings set figures = replace(figures, '"accountCount":250', '"accountCount":251')`);
    expect([await isWhole(1), (await piece(2))?.isWhole]).toEqual([false, false]);
  });
});

describe('a closing', () => {
  beforeEach(async () => {
    await test.account('shop', 5n);
    await close(0);
    await test.account('other', 6n);
    await close(1);
  });

  it('says when somebody has changed it', async () => {
    await test.test.tamper(`update day_closings set figures = replace(figures, '"failures":0', '"failures":1') where number = 2`);
    expect(await isWhole(2)).toBe(false);
    await test.test.tamper(`update day_closings set figures = replace(figures, '"failures":1', '"failures":0') where number = 2`);
    expect(await isWhole(2)).toBe(true);
  });

  it('says when the one before it is gone', async () => {
    await test.test.tamper('delete from closing_accounts where closing = 1');
    await test.test.tamper('delete from day_closings where number = 1');
    expect(await isWhole(2)).toBe(false);
  });
});

it('a closing in which nothing has moved has no piece', async () => {
  await close(0);
  expect(await closingNumbered(test.database.read, 1)).toMatchObject({
    more: false,
    isWhole: true,
    figures: { accounts: [], accountCount: 0 },
  });
  expect(await piece(0)).toBeUndefined();
});

/** A closing as an earlier version stored it, when places and persons had neither refunds nor taxes. */
const EARLIER = {
  ...{ number: 1, requestId: 'earlier', at: 1_767_225_600_000, day: '2026-01-01', timeZone: 'UTC', dayEndsAt: 0 },
  ...{ boundary: 7n, eventBoundary: 9n, byName: 'Ann', byRole: 'owner' as const },
  figures:
    '{"sources":[{"madeBy":"till","app":null,"assetCode":"USD","assetScale":2,"value":"119","count":1}],' +
    '"people":[{"name":"Ann","assetCode":"USD","assetScale":2,"value":"119","count":1,"tip":"9"}],' +
    '"tips":[{"assetCode":"USD","assetScale":2,"value":"9","refunded":"3"}],"refundsAreSplit":true,"failures":2,' +
    '"accountCount":0,"pieces":[]}',
  hash: '9687e6fefb45d01a770db789d6a735d99093d32e0806f59c60dfd50894c3ead0',
};

it('a closing of an earlier version reads as it did, and keeps its hash', async () => {
  await test.database.write((tx) => tx.insert(dayClosings).values(EARLIER));
  expect(await closingNumbered(test.database.read, 1)).toMatchObject({
    ...{ isWhole: true, hash: EARLIER.hash },
    figures: {
      sources: [{ madeBy: 'till', app: null, assetCode: 'USD', assetScale: 2, value: 119n, count: 1 }],
      people: [{ name: 'Ann', assetCode: 'USD', assetScale: 2, value: 119n, count: 1, tip: 9n }],
      tips: [{ assetCode: 'USD', assetScale: 2, value: 9n, refunded: 3n }],
      ...{ failures: 2, accounts: [], accountCount: 0 },
    },
  });
  await close(1);
  expect(await closingNumbered(test.database.read, 2)).toMatchObject({ before: EARLIER.hash, isWhole: true });
});
