import { describe, expect, test } from 'vitest';
import type { AccessRight } from './operator-contract/access.ts';
import { spendingLimits, withLimits } from './spending-right.ts';

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
