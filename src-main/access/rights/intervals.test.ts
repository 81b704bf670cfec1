import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseInterval } from '../../../src-shared/repeating-interval.ts';
import { nextWindows, type Window, windowAt } from './intervals.ts';

const DAY = 86_400_000;

/** Counts windows one after the other with calendar arithmetic on the parts of a date (decisions.md#D-28). */
function naiveWindowAt(start: number, months: number, ms: number, windows: number, now: number): Window | undefined {
  let from = start;
  for (let k = 1; k <= windows; k++) {
    const end = naiveBoundary(start, months * k, ms * k);
    if (now < from) return undefined;
    if (now < end) return { start: from, end };
    from = end;
  }
  return undefined;
}

function naiveBoundary(start: number, months: number, ms: number): number {
  const date = new Date(start);
  let [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  while (month > 11) {
    month -= 12;
    year += 1;
  }
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const day = Math.min(date.getUTCDate(), days[month] ?? 0);
  return Date.UTC(year, month, day) + (start % DAY) + ms;
}

const starts = fc.integer({ min: 0, max: 86_400 * 365 * 60 }).map((seconds) => seconds * 1000);
const lengths = fc.oneof(
  fc.record({ months: fc.integer({ min: 1, max: 40 }), ms: fc.constant(0) }),
  fc.record({ months: fc.constant(0), ms: fc.integer({ min: 1, max: 10_000 }).map((hours) => hours * 3_600_000) }),
  fc.record({ months: fc.integer({ min: 1, max: 3 }), ms: fc.integer({ min: 1, max: 60 * 24 }).map((hours) => hours * 3_600_000) }),
);

/** Durations as clients write them. */
const durationText = (months: number, hours: number): string =>
  `P${months > 0 ? `${Math.floor(months / 12)}Y${months % 12}M` : ''}${hours > 0 ? `${Math.floor(hours / 24)}DT${hours % 24}H` : ''}`;

test('the search finds the same window as counting one by one, in 100,000 intervals', () => {
  const cases = fc.record({
    start: starts,
    length: lengths,
    repetitions: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.constant(undefined)),
    at: fc.integer({ min: -5, max: 30_000 }),
    edge: fc.constantFrom(-1, 0, 1, 12_345_678),
    step: fc.integer({ min: 0, max: 199 }),
    onEdge: fc.boolean(),
  });
  let held = 0;
  fc.assert(
    fc.property(cases, ({ start, length: { months, ms }, repetitions, at, edge, step, onEdge }) => {
      const now = onEdge ? naiveBoundary(start, months * step, ms * step) + edge : start + at * 3_600_000 + edge;
      const interval = parseInterval(`R${repetitions ?? ''}/${new Date(start).toISOString()}/${durationText(months, ms / 3_600_000)}`);
      const found = interval && windowAt(interval, now);
      // The count of an endless interval stops at the moment in question. That is at most 30,000 hours and 199 steps
      // away, and a window has at least an hour.
      const expected = naiveWindowAt(start, months, ms, repetitions === undefined ? 35_000 : Math.max(1, repetitions), now);
      if (expected !== undefined) held += 1;
      // The test calls `expect` only for a difference, because `expect` takes longer than everything else here.
      if (interval === undefined || found?.start !== expected?.start || found?.end !== expected?.end) {
        expect(found).toEqual(expected);
        throw new Error('an interval was not understood');
      }
    }),
    { numRuns: 100_000 },
  );
  // Enough moments lie in a window for the comparison to be meaningful.
  expect(held).toBeGreaterThan(50_000);
});

test('every moment belongs to exactly one window, and windows meet', () => {
  fc.assert(
    fc.property(starts, lengths, fc.integer({ min: 0, max: 3_000 }), (start, { months, ms }, days) => {
      const interval = { start, months, ms, windows: Number.POSITIVE_INFINITY };
      const now = start + days * DAY;
      const [first, second] = nextWindows(interval, now, 2);
      expect(first && first.start <= now && now < first.end).toBe(true);
      expect(second?.start).toBe(first?.end);
      expect(windowAt(interval, (first?.end ?? 0) - 1)).toEqual(first);
      expect(windowAt(interval, first?.end ?? 0)).toEqual(second);
    }),
    { numRuns: 5_000 },
  );
});

describe('an interval from the end of a month', () => {
  const interval = parseInterval('R/2024-01-31T10:00:00Z/P1M');
  test.each([
    ['2024-02-15T00:00:00Z', '2024-01-31T10:00:00.000Z', '2024-02-29T10:00:00.000Z'],
    ['2024-02-29T10:00:00Z', '2024-02-29T10:00:00.000Z', '2024-03-31T10:00:00.000Z'],
    ['2024-04-30T09:59:59Z', '2024-03-31T10:00:00.000Z', '2024-04-30T10:00:00.000Z'],
    ['2025-03-01T00:00:00Z', '2025-02-28T10:00:00.000Z', '2025-03-31T10:00:00.000Z'],
  ])('has at %s the window from %s to %s', (now, start, end) => {
    const window = interval && windowAt(interval, Date.parse(now));
    expect(window && [new Date(window.start).toISOString(), new Date(window.end).toISOString()]).toEqual([start, end]);
  });
});

describe('at the edges of an interval', () => {
  const interval = parseInterval('R2/2024-01-01T00:00:00Z/P1D');
  if (interval === undefined) throw new Error('not parsed');
  const start = Date.UTC(2024, 0, 1);

  test('there is no window before the start and after the last window', () => {
    expect(windowAt(interval, start - 1)).toBeUndefined();
    expect(windowAt(interval, start + 2 * DAY - 1)).toEqual({ start: start + DAY, end: start + 2 * DAY });
    expect(windowAt(interval, start + 2 * DAY)).toBeUndefined();
  });

  test('the next windows begin with the current one and end with the last', () => {
    expect(nextWindows(interval, start - DAY, 3)).toHaveLength(2);
    expect(nextWindows(interval, start + DAY, 3)).toEqual([{ start: start + DAY, end: start + 2 * DAY }]);
    expect(nextWindows(interval, start + 5 * DAY, 3)).toEqual([]);
  });

  test('the window of a very old interval is found as fast as that of a new one', () => {
    const old = parseInterval('R/0001-01-01T00:00:00Z/PT1S');
    expect(old && windowAt(old, start)).toEqual({ start, end: start + 1000 });
  });
});
