import { describe, expect, test } from 'vitest';
import type { AccessRight } from './operator-contract/access.ts';
import { boundsSpending, spendingLimits, spendsUnbounded, withLimits } from './spending-right.ts';

const usd = (value: bigint) => ({ value, assetCode: 'USD', assetScale: 2 });
const reads: AccessRight = { type: 'outgoing-payment', actions: ['list'], identifier: null, limits: null };
const limits = { receiver: 'https://a.example/incoming-payments/1', interval: null, debitAmount: usd(500n), receiveAmount: usd(400n) };
const pays: AccessRight = { type: 'outgoing-payment', actions: ['create', 'read'], identifier: 'https://pay.example/main', limits };

describe('the limits an operator sets', () => {
  test('replace those that were asked for, and change nothing else', () => {
    expect(withLimits([reads, pays], { debit: usd(1n) })).toEqual([reads, { ...pays, limits: { ...limits, debitAmount: usd(1n) } }]);
    expect(withLimits([pays], { receive: usd(2n) })).toEqual([{ ...pays, limits: { ...limits, receiveAmount: usd(2n) } }]);
    expect(withLimits([reads, pays], {})).toEqual([reads, pays]);
  });

  test('are added when none were asked for', () => {
    const [right] = withLimits([{ ...pays, limits: null }], { debit: usd(7n) });
    expect(right?.limits).toEqual({ receiver: null, interval: null, debitAmount: usd(7n), receiveAmount: null });
  });
});

test('the limits of a request are the limits of the right that spends', () => {
  expect(spendingLimits([reads, pays])).toEqual(limits);
  expect(spendingLimits([reads])).toBeNull();
  expect(spendingLimits([{ ...pays, limits: null }])).toBeNull();
});

describe('what bounds spending', () => {
  const EVERY = (length: string, times = '') => `R${times}/2026-01-01T00:00:00Z/${length}`;
  const amount = (value: bigint, assetCode = 'USD', assetScale = 2) => ({ value, assetCode, assetScale });
  test.each<[string, bigint | null, string | null, boolean]>([
    ['an amount in all', 5_000n, null, true],
    ['an amount a month', 5_000n, EVERY('P1M'), true],
    ['an amount an hour', 5_000n, EVERY('PT1H'), true],
    ['an amount every second, ten times', 5_000n, EVERY('PT1S', '10'), true],
    ['a cent below a billion', 99_999_999_999n, null, true],
    ['nothing', null, null, false],
    ['an interval alone', null, EVERY('P1M'), false],
    ['an amount every second', 5_000n, EVERY('PT1S'), false],
    ['an amount every 59 minutes', 1n, EVERY('PT59M'), false],
    ['an amount every second, 25 times', 5_000n, EVERY('PT1S', '25'), false],
    ['a billion', 100_000_000_000n, null, false],
    ['a billion a day, in 24 parts', 4_166_666_667n, EVERY('PT1H'), false],
    ['more than an account can hold', 2n ** 63n - 1n, null, false],
    ['the largest amount there is', 2n ** 64n - 1n, null, false],
  ])('is decided for %s', (_, value, interval, bounds) => {
    expect(boundsSpending({ debitAmount: value === null ? null : amount(value), interval })).toBe(bounds);
  });

  test('is counted in whole units of the currency, and never more than an account can hold', () => {
    expect(boundsSpending({ debitAmount: amount(999_999_999n, 'JPY', 0), interval: null })).toBe(true);
    expect(boundsSpending({ debitAmount: amount(10n ** 9n, 'JPY', 0), interval: null })).toBe(false);
    expect(boundsSpending({ debitAmount: amount(2n ** 63n - 2n, 'ETH', 18), interval: null })).toBe(true);
    expect(boundsSpending({ debitAmount: amount(2n ** 63n - 1n, 'ETH', 18), interval: null })).toBe(false);
  });

  test('is never what arrives, and nothing bounds a right without limits', () => {
    const arriving = { ...limits, debitAmount: null };
    expect(spendsUnbounded([reads, { ...pays, limits: arriving }])).toBe(true);
    expect(spendsUnbounded([{ ...pays, limits: null }])).toBe(true);
    expect(spendsUnbounded([reads, pays])).toBe(false);
    expect(spendsUnbounded([reads])).toBe(false);
  });

  test('takes the place of limits that begin anew too often', () => {
    const asked = { ...limits, interval: EVERY('PT1S') };
    expect(withLimits([{ ...pays, limits: asked }], { debit: usd(900n) })).toEqual([
      { ...pays, limits: { ...asked, interval: null, debitAmount: usd(900n), receiveAmount: null } },
    ]);
    expect(withLimits([{ ...pays, limits: asked }], { receive: usd(9n) })).toEqual([
      { ...pays, limits: { ...asked, receiveAmount: usd(9n) } },
    ]);
  });
});
