import { expect, test } from 'vitest';
import { isFiltered } from '../components/filters/search-params.ts';
import { activityFilterOf, parseActivitySearch } from './activity-search.ts';

test('the filters of an address are read, and the rest is left out', () => {
  const search = { kind: 'money', accountId: 'no id', text: 42, from: '2026-02-30', to: '2026-02-28', other: 1 };
  expect(parseActivitySearch(search)).toEqual({ kind: 'money', text: '42', to: '2026-02-28' });
  expect(parseActivitySearch({ kind: 'nothing', text: '' })).toEqual({});
  expect(isFiltered({})).toBe(false);
});

test('the last day is included to its end', () => {
  const filter = activityFilterOf({ kind: 'peers', from: '2026-02-28', to: '2026-02-28' });
  expect(filter).toEqual({ kind: 'peers', from: new Date(2026, 1, 28), before: new Date(2026, 2, 1) });
});
