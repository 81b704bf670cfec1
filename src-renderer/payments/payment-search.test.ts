import { expect, test } from 'vitest';
import { isFiltered } from '../components/filters/search-params.ts';
import { parsePaymentSearch } from './payment-search.ts';

test('known filters are kept', () => {
  const filter = { direction: 'in', status: 'failed', accountId: '00000000-0000-4000-8000-000000000001', text: 'bread' };
  expect(parsePaymentSearch(filter)).toEqual(filter);
  expect(isFiltered(parsePaymentSearch(filter))).toBe(true);
});

test('what is no filter is left out instead of failing', () => {
  expect(parsePaymentSearch({ direction: 'up', status: 'lost', accountId: '../x', text: { a: 1 }, other: 1 })).toEqual({});
  expect(isFiltered({})).toBe(false);
});

test('a search for digits stays a search for digits', () => {
  expect(parsePaymentSearch({ text: 1017 })).toEqual({ text: '1017' });
});
