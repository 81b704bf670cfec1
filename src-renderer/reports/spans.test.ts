import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysLater } from '../../src-shared/calendar.ts';
import { firstDayOf, SPANS, suitedTo, sumsBySpan } from './spans.ts';

test('a week begins on Monday, and a month on its first day', () => {
  expect(['2026-11-22', '2026-11-23', '2026-11-29'].map((day) => firstDayOf(day, 'week'))).toEqual([
    '2026-11-16',
    '2026-11-23',
    '2026-11-23',
  ]);
  expect(firstDayOf('2024-02-29', 'month')).toBe('2024-02-01');
  expect(firstDayOf('2024-02-29', 'day')).toBe('2024-02-29');
});

test('days add up to weeks and months, which follow each other without a gap', () => {
  const moved = fc.record({
    after: fc.nat(800),
    value: fc.bigInt({ min: 0n, max: 10n ** 17n }),
    refunded: fc.bigInt({ min: -9n, max: 9n }),
  });
  fc.assert(
    fc.property(fc.array(moved), fc.nat(800), (story, length) => {
      const [from, to] = ['2023-12-28', daysLater('2023-12-28', length)];
      const days = story
        .filter(({ after }) => after <= length)
        .map(({ after, value, refunded }) => ({ day: daysLater(from, after), count: 1, value, refunded }));
      for (const span of SPANS) {
        const sums = sumsBySpan(days, span, { from, to });
        expect(sums.reduce((sum, { value }) => sum + value, 0n)).toBe(days.reduce((sum, { value }) => sum + value, 0n));
        expect(sums.reduce((sum, { count }) => sum + count, 0)).toBe(days.length);
        expect(sums.map(({ first }) => first)).toEqual([
          ...new Set(Array.from({ length: length + 1 }, (_, nth) => firstDayOf(daysLater(from, nth), span))),
        ]);
      }
    }),
  );
});

test('a picture has no more columns than can be seen', () => {
  expect(suitedTo({ from: '2026-11-01', to: '2026-11-30' })).toEqual(['day', 'week', 'month']);
  expect(suitedTo({ from: '2026-01-01', to: '2026-12-31' })).toEqual(['week', 'month']);
  expect(suitedTo({ from: '2017-01-01', to: '2026-12-31' })).toEqual(['month']);
});
