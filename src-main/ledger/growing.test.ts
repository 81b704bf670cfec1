import { asc, isNotNull } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import { QUARTER_MS } from '../../src-shared/calendar.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { Refused } from '../platform/result.ts';
import { numberEarlierTransfers } from './audit/pieces.ts';
import { quarterOf } from './days.ts';
import { accountId, holdTransfer, openAccounts, postHeld, transfer, voidHeld } from './ledger.ts';
import { openPeerAccount } from './peer-accounts.ts';
import { ledgerQuarters, ledgerTransfers } from './tables.ts';
import { brokenInvariants } from './testing/invariants.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const [peer, shop, escrow] = [accountId('peer', 'p'), accountId('customer', 'shop'), accountId('escrow', 'payer')];

let test: TestDatabase;
beforeEach(async () => {
  test = openTestDatabase();
  await test.database.write(async (tx) => {
    for (const owner of ['shop', 'payer']) await openAccounts(tx, owner, USD, 0);
    await openPeerAccount(tx, 'p', USD, MAX_MOVED, 0);
    await transfer(tx, { kind: 'deposit', debit: accountId('external', 'USD/2'), credit: escrow, amount: 10n ** 9n, at: 0 });
  });
});
afterEach(() => test.dispose());

const rows = () => test.database.read.select().from(ledgerTransfers);
const packetsOf = async (paymentId: string) => (await rows()).filter((row) => row.paymentId === paymentId);
const bring = (paymentId: string, at: number, amount: bigint, isFurther: boolean) =>
  test.database.write(async (tx) => {
    const moved = await transfer(tx, { kind: 'payment', debit: peer, credit: shop, amount, paymentId, isFurther, at });
    if (!moved.ok) throw new Refused(moved.error);
  });

it('a thousand packets of one payment in a quarter of an hour leave two rows', async () => {
  await test.database.write(async (tx) => {
    for (let n = 0; n < 1_000; n += 1)
      await transfer(tx, { kind: 'payment', debit: peer, credit: shop, amount: 3n, paymentId: 'i', isFurther: n > 0, at: n });
  });
  expect((await packetsOf('i')).map(({ amount, number }) => [amount, number])).toEqual([
    [3n, 2n],
    [2_997n, null],
  ]);
  expect(await brokenInvariants(test.database.read)).toEqual([]);
});

it('a packet that was held leaves no row of its own either', async () => {
  for (const [n, isFurther] of [false, true, true].entries()) {
    const wanted = { id: `held-${n}`, kind: 'payment', debit: escrow, credit: peer, amount: 5n, paymentId: 'o', at: n } as const;
    await test.database.write((tx) => holdTransfer(tx, wanted));
    expect(await test.database.write((tx) => postHeld(tx, wanted.id, isFurther))).toBe(wanted.credit);
    expect(await test.database.write((tx) => postHeld(tx, wanted.id, isFurther))).toBeUndefined();
  }
  // Rows of one millisecond are in no order.
  expect((await packetsOf('o')).map(({ amount }) => amount).sort()).toEqual([10n, 5n]);
});

it('a row that is full lets another one begin', async () => {
  await test.database.write((tx) => openPeerAccount(tx, 'rich', USD, MAX_MOVED, 0));
  const rich = accountId('peer', 'rich');
  const move = (debit: string, credit: string, amount: bigint) =>
    test.database.write((tx) => transfer(tx, { kind: 'payment', debit, credit, amount, paymentId: 'i', isFurther: true, at: 0 }));
  expect((await move(rich, shop, MAX_MOVED)).ok).toBe(true);
  expect((await move(shop, rich, MAX_MOVED)).ok).toBe(true);
  expect((await move(rich, shop, 7n)).ok).toBe(true);
  expect((await packetsOf('i')).map(({ amount }) => amount)).toEqual([MAX_MOVED, MAX_MOVED, 7n]);
});

it('a row that grows changes no balance, no sum of a payment or of a quarter of an hour, and no row that has a number', async () => {
  const step = fc.record({
    payment: fc.constantFrom('a', 'b', 'c'),
    way: fc.constantFrom('bring', 'send', 'reject'),
    amount: fc.bigInt(1n, 1_000n),
    minutes: fc.integer({ min: -3, max: 20 }),
    numbers: fc.nat(20),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const before = new Map<string, string>();
      const sums = new Map<string, bigint>();
      const add = (key: string, amount: bigint) => sums.set(key, (sums.get(key) ?? 0n) + amount);
      const prefix = `${Math.random()}`;
      let at = 10 * QUARTER_MS;
      for (const [n, { payment, way, amount, minutes, numbers }] of steps.entries()) {
        at += minutes * 60_000;
        const paymentId = `${prefix}:${payment}:${way === 'bring' ? 'in' : 'out'}`;
        const isFurther = sums.has(paymentId);
        if (way === 'bring') await bring(paymentId, at, amount, isFurther);
        else {
          const id = `${prefix}:${n}`;
          const held = await test.database.write((tx) =>
            holdTransfer(tx, { id, kind: 'payment', debit: escrow, credit: peer, amount, paymentId, at }),
          );
          if (!held.ok) continue;
          await test.database.write((tx) => (way === 'send' ? postHeld(tx, id, isFurther) : voidHeld(tx, id)));
        }
        if (way !== 'reject') {
          add(paymentId, amount);
          add(`${paymentId} ${quarterOf(at)}`, amount);
        }
        if (numbers === 0) await numberEarlierTransfers(test.database);
        for (const row of await test.database.read.select().from(ledgerTransfers).where(isNotNull(ledgerTransfers.number))) {
          const text = JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
          expect(before.get(row.id) ?? text).toBe(text);
          before.set(row.id, text);
        }
      }
      expect(await brokenInvariants(test.database.read)).toEqual([]);
      const found = new Map<string, bigint>();
      for (const { paymentId, state, amount, createdAt } of await rows()) {
        if (state !== 'posted' || paymentId?.startsWith(prefix) !== true) continue;
        for (const key of [paymentId, `${paymentId} ${quarterOf(createdAt)}`]) found.set(key, (found.get(key) ?? 0n) + amount);
      }
      expect(found).toEqual(sums);
    }),
    { numRuns: 12 },
  );
  const numbers = await test.database.read
    .select({ number: ledgerTransfers.number })
    .from(ledgerTransfers)
    .where(isNotNull(ledgerTransfers.number))
    .orderBy(asc(ledgerTransfers.number));
  expect(numbers.map(({ number }) => Number(number))).toEqual(numbers.map((_, n) => n + 1));
  // The sums of the quarters are what the transfers of each quarter moved.
  const quarters = new Map<number, bigint>();
  for (const { kind, state, amount, createdAt } of await rows()) {
    if (kind !== 'payment' || state !== 'posted') continue;
    quarters.set(quarterOf(createdAt), (quarters.get(quarterOf(createdAt)) ?? 0n) + amount);
  }
  for (const row of await test.database.read.select().from(ledgerQuarters))
    expect(row.receivedLow + row.sentLow).toBe(quarters.get(row.start));
});

it('the ledger numbers the rows of ended streams while others begin, so that few have no number', async () => {
  for (let n = 0; n < 40; n += 1) {
    await bring(`stream-${n}`, n * QUARTER_MS, 1n, false);
    await bring(`stream-${n}`, n * QUARTER_MS, 1n, true);
  }
  expect((await rows()).filter(({ number }) => number === null)).toHaveLength(1);
});
