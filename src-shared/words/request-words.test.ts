import { expect, test, vi } from 'vitest';
import type { AccessRight } from '../operator-contract/access.ts';
import { requestWords } from './request-words.ts';

vi.mock('./locale.ts', () => ({ locale: 'en-US' }));

const usd = (value: bigint) => ({ value, assetCode: 'USD', assetScale: 2 });
const NONE = { receiver: null, interval: null, debitAmount: null, receiveAmount: null };
const pays: AccessRight = { type: 'outgoing-payment', actions: ['create'], identifier: 'https://pay.example/main', limits: null };
const ACCOUNT = ['Wallet address', 'pay.example/main'];

test('the terms of a right are listed one by one, with their full values', () => {
  const limits = {
    receiver: `https://shop.example/incoming-payments/${'x'.repeat(300)}`,
    interval: 'R/2026-01-01T00:00:00Z/P1M',
    debitAmount: usd(5000n),
    receiveAmount: usd(4000n),
  };
  expect(requestWords.terms({ ...pays, limits })).toEqual([
    ACCOUNT,
    ['Most that leaves the account', '$50.00'],
    ['Most that arrives', '$40.00'],
    ['Repeats', 'every month, counted from January 1, 2026'],
    ['To', `shop.example/incoming-payments/${'x'.repeat(300)}`],
  ]);
});

test.each([null, NONE])('the terms of a right without limits say so: %o', (limits) => {
  expect(requestWords.terms({ ...pays, limits })).toEqual([
    ACCOUNT,
    ['Most that leaves the account', 'No limit asked for'],
    ['To', 'Anyone'],
  ]);
});

test('an amount without an interval is for all time', () => {
  expect(requestWords.terms({ ...pays, limits: { ...NONE, debitAmount: usd(1n) } })).toContainEqual([
    'Repeats',
    'No; this is the most in total',
  ]);
});

test('the terms of a right that spends nothing are its account only', () => {
  expect(requestWords.terms({ type: 'quote', actions: ['create'], identifier: null, limits: null })).toEqual([
    ['Wallet address', 'Every wallet address of this node'],
  ]);
});
