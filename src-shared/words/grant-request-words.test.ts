import { expect, test, vi } from 'vitest';
import type { AccessRight } from '../operator-contract/access.ts';
import { requestWords } from './grant-request-words.ts';

vi.mock('./language/locale.ts', () => ({ locale: () => 'en-US' }));

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

test.each([
  ['what arrives alone', { receiveAmount: usd(1n) }, 'No limit asked for'],
  ['the largest amount there is', { debitAmount: usd(2n ** 64n - 1n) }, '$184,467,440,737,095,516.15, which counts as no limit'],
  ['an amount every second', { debitAmount: usd(5000n), interval: 'R/2026-01-01T00:00:00Z/PT1S' }, '$50.00, which counts as no limit'],
])('the terms of %s say that nothing bounds what leaves', (_, limits, most) => {
  expect(requestWords.terms({ ...pays, limits: { ...NONE, ...limits } })).toContainEqual(['Most that leaves the account', most]);
});

test.each([
  ['no amount', {}, 'It asks for any amount', 'This app did not say how much it wants to spend.'],
  ['an amount that arrives', { receiveAmount: usd(1n) }, 'It limits only what arrives', 'whoever is paid says how much has arrived'],
  [
    'an amount that arrives at one receiver',
    { receiveAmount: usd(1n), receiver: 'https://shop.example/incoming-payments/1' },
    'It limits only what arrives',
    'Only shop.example says how much has arrived',
  ],
  [
    'an amount that arrives on this node',
    { receiveAmount: usd(1n), receiver: 'https://pay.example/incoming-payments/1' },
    'It limits only what arrives',
    'This node itself counts what arrives there.',
  ],
  [
    'an amount beyond any account',
    { debitAmount: usd(2n ** 64n - 1n) },
    'Its limit is no limit',
    '$184,467,440,737,095,516.15 is too much to be a limit',
  ],
  [
    'an amount every second',
    { debitAmount: usd(5000n), interval: 'R/2026-01-01T00:00:00Z/PT1S' },
    'Its limit is no limit',
    'It begins anew every second',
  ],
])('the warning about %s says what can happen', (_, limits, title, why) => {
  const account = { id: '', name: 'main', publicName: '', walletAddress: 'https://pay.example/main' };
  const request = { access: [{ ...pays, limits: { ...NONE, ...limits } }], account };
  expect(requestWords.unlimitedTitle(request)).toBe(title);
  expect(requestWords.unlimitedWords(request)).toContain(why);
});

test.each([
  [null, 'In total.'],
  ['R/2026-01-01T00:00:00Z/P1M', 'It begins anew every month, counted from January 1, 2026.'],
  ['R/2026-01-01T00:00:00Z/PT1S', 'In total.'],
])('the operator’s own limit says when it begins anew: %s', (interval, words) => {
  expect(requestWords.limitRepeats({ access: [{ ...pays, limits: { ...NONE, interval } }] })).toBe(words);
});

test('the terms of a right that spends nothing are its account only', () => {
  expect(requestWords.terms({ type: 'quote', actions: ['create'], identifier: null, limits: null })).toEqual([
    ['Wallet address', 'Every wallet address of this node'],
  ]);
});
