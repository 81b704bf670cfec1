import { describe, expect, it } from 'vitest';
import { spendingLimits } from '../../../src-shared/spending-right.ts';
import { askedRequest, unlimitedRequest } from '../testing/typed-terminal.ts';
import { onTerms, readTerms } from './approval-terms.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const now = new Date(2026, 2, 14, 12);
const read = (options: Record<string, string>, request = askedRequest()) =>
  readTerms(request, options, request.account === null ? undefined : USD, now);
const eur = { value: 4_000n, assetCode: 'EUR', assetScale: 2 };
const arriving = () => {
  const asked = askedRequest();
  return { ...asked, access: asked.access.map((one) => ({ ...one, limits: one.limits && { ...one.limits, receiveAmount: eur } })) };
};
/** Requests whose limits bound nothing: the amount is beyond any account, or it begins anew every second. */
const boundless = (value: bigint, interval: string | null) => {
  const asked = askedRequest({ unlimited: true });
  const debitAmount = { ...USD, value };
  return { ...asked, access: asked.access.map((one) => ({ ...one, limits: one.limits && { ...one.limits, debitAmount, interval } })) };
};
const endless = boundless(2n ** 64n - 1n, null);
const frequent = boundless(5_000n, 'R/2026-01-01T00:00:00Z/PT1S');
const readsOnly = askedRequest({
  access: [{ type: 'outgoing-payment', actions: ['list'], identifier: 'https://pay.example/main', limits: null }],
});

describe('the terms of an approval', () => {
  it('are those of the request when the operator types none', () => {
    expect(read({})).toEqual({});
    expect(onTerms(askedRequest(), {})).toBeUndefined();
  });

  it('can lower what leaves the account and what arrives', () => {
    expect(read({ limit: '12.5' })).toEqual({ debit: { ...USD, value: 1_250n } });
    expect(read({ limit: '50' })).toEqual({ debit: { ...USD, value: 5_000n } });
    expect(read({ 'limit-arriving': '0.01' }, arriving())).toEqual({ receive: { ...eur, value: 1n } });
  });

  it('can have a last day, at whose end everything expires', () => {
    expect(read({ 'last-day': '2026-03-14' })).toEqual({ expiresAt: new Date(2026, 2, 15) });
  });

  it('must say how much when the request does not', () => {
    expect(read({ limit: '7' }, unlimitedRequest())).toEqual({ debit: { ...USD, value: 700n } });
    expect(read({ 'any-amount-from': 'main' }, unlimitedRequest())).toEqual({ anyAmountFrom: 'main' });
  });

  it('must say how much when what the request says is no limit', () => {
    for (const request of [endless, frequent]) {
      expect(read({ limit: '700' }, request)).toEqual({ debit: { ...USD, value: 70_000n } });
      expect(read({ 'any-amount-from': 'main' }, request)).toEqual({ anyAmountFrom: 'main' });
    }
    const granted = onTerms(frequent, { debit: { ...USD, value: 70_000n } });
    expect(granted && spendingLimits(granted.access)).toMatchObject({ debitAmount: { value: 70_000n }, interval: null });
  });

  it('are shown as the app would get them', () => {
    const granted = onTerms(unlimitedRequest(), { debit: { ...USD, value: 700n } });
    expect(granted && spendingLimits(granted.access)?.debitAmount).toEqual({ ...USD, value: 700n });
    expect(onTerms(unlimitedRequest(), { anyAmountFrom: 'main' })).toEqual(unlimitedRequest());
  });
});

describe('the terms are refused when they hold', () => {
  it.each<[string, Record<string, string>, ReturnType<typeof askedRequest>, string]>([
    ['more than was asked for', { limit: '50.01' }, askedRequest(), 'you cannot allow more than that'],
    ['more to arrive than was asked for', { 'limit-arriving': '41' }, arriving(), 'you cannot allow more than that'],
    ['a limit of zero', { limit: '0' }, askedRequest(), 'above zero'],
    ['a limit below zero', { limit: '-1' }, askedRequest(), 'above zero'],
    ['a limit that is not an amount', { limit: 'much' }, askedRequest(), 'not "much"'],
    ['an empty amount', { limit: '' }, unlimitedRequest(), 'above zero'],
    ['too many decimal places', { limit: '1.005' }, askedRequest(), 'at most 2 decimal places'],
    ['a limit on an amount that was not asked for', { 'limit-arriving': '1' }, askedRequest(), 'nothing to lower'],
    ['a limit where the request spends nothing', { limit: '1' }, readsOnly, 'nothing to lower'],
    ['any amount where the request names one', { 'any-amount-from': 'main' }, askedRequest(), 'nothing to allow'],
    ['no limit where the request names none', {}, unlimitedRequest(), '--any-amount-from main'],
    ['no limit where the request names one beyond any account', {}, endless, '--any-amount-from main'],
    ['no limit where the request names one that begins every second', {}, frequent, '--any-amount-from main'],
    ['a limit that is none', { limit: '1000000000' }, unlimitedRequest(), 'so much that it is no limit'],
    ['the name of another account', { 'any-amount-from': 'shop' }, unlimitedRequest(), 'not the name of the account'],
    ['an empty name', { 'any-amount-from': '' }, unlimitedRequest(), 'not the name of the account'],
    ['both a limit and none', { limit: '1', 'any-amount-from': 'main' }, unlimitedRequest(), 'Choose one'],
    ['any amount where the request names no account', { 'any-amount-from': 'main' }, unlimitedRequest({ account: null }), 'Deny it.'],
    ['a limit where the request names no account', { limit: '1' }, unlimitedRequest({ account: null }), 'nothing to lower'],
    ['no limit where the request names no account', {}, unlimitedRequest({ account: null }), 'Deny it.'],
    ['a day that is over', { 'last-day': '2026-03-13' }, askedRequest(), 'This day is over.'],
    ['a last day that is not a day', { 'last-day': 'soon' }, askedRequest(), 'such as 2030-12-31'],
    ['an empty last day', { 'last-day': '' }, askedRequest(), 'such as 2030-12-31'],
  ])('%s', (_what, options, request, words) => {
    expect(() => read(options, request)).toThrow(words);
  });
});
