import { expect, it } from 'vitest';
import { hasExpired, stateAt } from './grant-rows.ts';

it('a grant that waits has lapsed from its time on, and one that was decided never lapses', () => {
  const states = (lapsesAt: number | null, now: number) =>
    (['pending', 'approved', 'issued', 'denied'] as const).map((state) => stateAt({ state, lapsesAt }, now));
  expect(states(5, 4)).toEqual(['pending', 'approved', 'issued', 'denied']);
  expect(states(5, 5)).toEqual(['lapsed', 'lapsed', 'issued', 'denied']);
  expect(states(null, 5)).toEqual(['pending', 'approved', 'issued', 'denied']);
});

it('a grant has expired from the end on that the operator set, and never without one', () => {
  expect([4, 5, 6].map((now) => hasExpired({ expiresAt: 5 }, now))).toEqual([false, true, true]);
  expect(hasExpired({ expiresAt: null }, 5)).toBe(false);
});
