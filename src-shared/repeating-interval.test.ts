import { describe, expect, test } from 'vitest';
import { parseInterval } from './repeating-interval.ts';

const DAY = 86_400_000;

describe('parseInterval', () => {
  test.each([
    ['R/2024-01-01T00:00:00Z/P1M', Number.POSITIVE_INFINITY],
    ['R-1/2024-01-01T00:00:00Z/P1M', Number.POSITIVE_INFINITY],
    ['R0/2024-01-01T00:00:00Z/P1M', 1],
    ['R1/2024-01-01T00:00:00Z/P1M', 1],
    ['R12/2024-01-01T00:00:00Z/P1M', 12],
  ])('reads that %s has %d windows', (text, windows) => {
    expect(parseInterval(text)?.windows).toBe(windows);
  });

  test.each([
    ['R/2024-01-01T00:00:00Z/P1Y2M3W4DT5H6M7S', '2024-01-01T00:00:00.000Z', 14, (3 * 7 + 4) * DAY + 5 * 3_600_000 + 6 * 60_000 + 7_000],
    ['R/2024-01-01T02:00:00+02:00/PT1H', '2024-01-01T00:00:00.000Z', 0, 3_600_000],
    ['R/2024-01-01T00:00:00.25-0030/PT1H', '2024-01-01T00:30:00.250Z', 0, 3_600_000],
    ['R/P1M/2024-03-31T00:00:00Z', '2024-02-29T00:00:00.000Z', 1, 0],
    ['R/PT36H/2024-03-02T12:00:00Z', '2024-03-01T00:00:00.000Z', 0, 1.5 * DAY],
    ['R/2024-01-01T00:00Z/2024-01-03T00:00Z', '2024-01-01T00:00:00.000Z', 0, 2 * DAY],
  ])('reads start and length of %s', (text, start, months, ms) => {
    expect(parseInterval(text)).toEqual({ start: Date.parse(start), months, ms, windows: Number.POSITIVE_INFINITY });
  });

  test.each([
    '',
    'R',
    'P1M',
    '2024-01-01T00:00:00Z/P1M',
    'R/2024-01-01T00:00:00Z',
    'R/2024-01-01T00:00:00Z/P1M/P1M',
    'R/2024-01-01T00:00:00/P1M',
    'R/2024-01-01/P1M',
    'R/2024-02-30T00:00:00Z/P1M',
    'R/2024-13-01T00:00:00Z/P1M',
    'R/2024-01-01T24:00:00Z/P1M',
    'R/2024-01-01T00:00:00Z/P',
    'R/2024-01-01T00:00:00Z/PT',
    'R/2024-01-01T00:00:00Z/P1DT',
    'R/2024-01-01T00:00:00Z/P0D',
    'R/2024-01-01T00:00:00Z/PT0S',
    'R/2024-01-01T00:00:00Z/P-1D',
    'R/2024-01-01T00:00:00Z/-P1D',
    'R/2024-01-01T00:00:00Z/P0.5D',
    'R/2024-01-01T00:00:00Z/P999999999Y',
    'R/2024-01-02T00:00:00Z/2024-01-01T00:00:00Z',
    'R/2024-01-01T00:00:00Z/2024-01-01T00:00:00Z',
    'R/P1D/P1D',
    'R-2/2024-01-01T00:00:00Z/P1D',
    'R1.5/2024-01-01T00:00:00Z/P1D',
    'r/2024-01-01T00:00:00Z/P1D',
  ])('refuses %j', (text) => {
    expect(parseInterval(text)).toBeUndefined();
  });
});
