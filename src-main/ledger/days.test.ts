import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import { dayAt, QUARTER_MS } from '../../src-shared/calendar.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { countEarlierQuarters, daySums } from './days.ts';
import { accountId, drawHeld, heldUnder, holdTransfer, openAccounts, postHeld, type Transfer, transfer, voidHeld } from './ledger.ts';
import { ledgerQuarters } from './tables.ts';
import { GIVEN_BACK } from './transfer-kinds.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const EUR = { assetCode: 'EUR', assetScale: 2 };
const DAY_MS = 24 * 60 * 60_000;
const NOON = Date.UTC(2026, 2, 10, 12);
const [TODAY, TOMORROW] = ['2026-03-10', '2026-03-11'];
const [customer, escrow, external] = [accountId('customer', 'a'), accountId('escrow', 'a'), accountId('external', 'USD/2')];

let test: TestDatabase;
beforeEach(async () => {
  test = openTestDatabase();
  await test.database.write(async (tx) => {
    await openAccounts(tx, 'a', USD, 0);
    await openAccounts(tx, 'e', EUR, 0);
    const opening = { kind: 'deposit' as const, debit: external, amount: 10_000n, at: NOON };
    await transfer(tx, { ...opening, credit: customer });
    await transfer(tx, { ...opening, credit: escrow });
  });
});
afterEach(() => test.dispose());

const pay = (moved: Partial<Transfer>) =>
  test.database.write((tx) => transfer(tx, { kind: 'payment', debit: escrow, credit: customer, amount: 100n, at: NOON, ...moved }));
const sums = (from = '2026-03-01', timeZone = 'UTC', dayEndsAt = 0) => daySums(test.database.read, from, 30, { timeZone, dayEndsAt });

it('the ledger adds up what payments receive and send, for each day and each asset', async () => {
  expect(await sums()).toEqual([]);
  await pay({});
  await pay({ amount: 50n, at: NOON + DAY_MS / 2 - 1 });
  await pay({ amount: 7n, at: NOON + DAY_MS / 2, credit: external });
  await pay({ amount: 3n, debit: external, credit: customer, at: NOON + DAY_MS });
  await pay({ amount: 9n, debit: accountId('external', 'EUR/2'), credit: accountId('customer', 'e') });
  expect(await sums()).toEqual([
    { ...EUR, day: TODAY, received: 9n, sent: 0n },
    { ...USD, day: TODAY, received: 150n, sent: 150n },
    { ...USD, day: TOMORROW, received: 3n, sent: 7n },
  ]);
  expect(await sums(TOMORROW)).toHaveLength(1);
});

it('the ledger asks the calendar for each day, and not for each quarter of an hour of it', async () => {
  const days = { timeZone: 'Europe/Berlin', dayEndsAt: 180 };
  const first = Date.UTC(2026, 2, 27);
  const quarters = Array.from({ length: 4 * 96 }, (_, n) => first + n * QUARTER_MS);
  const row = { ...USD, receivedHigh: 0n, sentHigh: 0n, receivedLow: 1n, sentLow: 0n };
  await test.database.write(async (tx) => void (await tx.insert(ledgerQuarters).values(quarters.map((start) => ({ ...row, start })))));
  const asked = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
  const found = await daySums(test.database.read, '2026-03-26', 5, days);
  expect(asked.mock.calls.length).toBeLessThan(60);
  asked.mockRestore();
  const byDay = Map.groupBy(quarters, (start) => dayAt(start, days));
  expect(found).toEqual([...byDay].map(([day, all]) => ({ ...USD, day, received: BigInt(all.length), sent: 0n })));
  // In this night the clocks go forward, and the shop's day has 23 hours.
  expect(byDay.get('2026-03-28')).toHaveLength(92);
});

it('the ledger gives a day that a time zone left out nothing, and its neighbours what is theirs', async () => {
  // Samoa had no 30 December 2011.
  const days = { timeZone: 'Pacific/Apia', dayEndsAt: 0 };
  const quarters = Array.from({ length: 3 * 96 }, (_, n) => Date.UTC(2011, 11, 29, 10) + n * QUARTER_MS);
  const row = { ...USD, receivedHigh: 0n, sentHigh: 0n, receivedLow: 0n, sentLow: 1n };
  await test.database.write(async (tx) => void (await tx.insert(ledgerQuarters).values(quarters.map((start) => ({ ...row, start })))));
  const byDay = Map.groupBy(quarters, (start) => dayAt(start, days));
  expect([...byDay.keys()]).toEqual(['2011-12-29', '2011-12-31', '2012-01-01']);
  expect(await sums('2011-12-28', days.timeZone)).toEqual(
    [...byDay].map(([day, all]) => ({ ...USD, day, received: 0n, sent: BigInt(all.length) })),
  );
});

it('the ledger counts what goes from account to account on both sides, and finds it again in books without sums', async () => {
  await pay({ amount: 900n, credit: customer });
  const other = accountId('customer', 'b');
  await test.database.write(async (tx) => {
    await openAccounts(tx, 'b', USD, 0);
    const held = await holdTransfer(tx, { id: 'held', kind: 'payment', debit: customer, credit: other, amount: 40n, at: NOON - DAY_MS });
    if (!held.ok) throw new Error(held.error);
    await drawHeld(tx, await heldUnder(tx, 'held'), { amount: 40n, at: NOON });
  });
  const counted = [{ ...USD, day: TODAY, received: 940n, sent: 940n }];
  expect(await sums()).toEqual(counted);
  await test.database.write((tx) => tx.delete(ledgerQuarters));
  await countEarlierQuarters(test.database);
  expect(await sums()).toEqual(counted);
});

it('the ledger counts a payment on the day that the shop’s calendar shows', async () => {
  await pay({ amount: 5n, at: Date.UTC(2026, 2, 10, 14, 59) });
  await pay({ amount: 7n, at: Date.UTC(2026, 2, 10, 15) });
  expect(await sums('2026-03-01', 'Asia/Tokyo')).toEqual([
    { ...USD, day: TODAY, received: 5n, sent: 5n },
    { ...USD, day: TOMORROW, received: 7n, sent: 7n },
  ]);
  expect(await sums('2026-03-01', 'America/New_York')).toEqual([{ ...USD, day: TODAY, received: 12n, sent: 12n }]);
  expect(await sums(TOMORROW, 'Asia/Tokyo')).toHaveLength(1);
});

it('the ledger counts only payments, and held payments when they are posted', async () => {
  await pay({ kind: 'reservation', debit: customer, credit: escrow });
  await pay({ kind: GIVEN_BACK });
  expect(await sums()).toEqual([]);
  const hold = () =>
    test.database.write((tx) => holdTransfer(tx, { kind: 'payment', debit: escrow, credit: external, amount: 40n, at: NOON }));
  const [kept, voided] = [await hold(), await hold()];
  if (!kept.ok || !voided.ok) throw new Error('not held');
  expect(await sums()).toEqual([]);
  await test.database.write((tx) => voidHeld(tx, voided.value.id));
  await test.database.write((tx) => postHeld(tx, kept.value.id));
  expect(await sums()).toEqual([{ ...USD, day: TODAY, received: 0n, sent: 40n }]);
});

it('the ledger adds up exactly beyond 63 bits', async () => {
  await pay({ amount: 10_000n });
  for (let n = 0; n < 3; n++) {
    await pay({ debit: external, credit: escrow, amount: MAX_MOVED - 20_000n, kind: 'deposit' });
    await pay({ debit: escrow, credit: external, amount: MAX_MOVED - 20_000n });
  }
  expect(await sums()).toEqual([{ ...USD, day: TODAY, received: 10_000n, sent: 3n * (MAX_MOVED - 20_000n) + 10_000n }]);
});

it('the ledger counts the days of books that have no sums yet, and does so once', async () => {
  await pay({});
  await pay({ amount: 3n, at: NOON - 5 * DAY_MS });
  await pay({ amount: 7n, kind: GIVEN_BACK });
  const counted = await sums();
  await test.database.write((tx) => tx.delete(ledgerQuarters));
  await countEarlierQuarters(test.database);
  expect(await sums()).toEqual(counted);
  await countEarlierQuarters(test.database);
  expect(await sums()).toEqual(counted);
  expect(counted).toHaveLength(2);
});
