import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { parseInterval } from '../repeating-interval.ts';
import { interval } from './interval-text.ts';

// The words are in American English on every machine that runs the tests.
vi.mock('./language/locale.ts', () => ({ locale: () => 'en-US' }));

const UNITS: Readonly<Record<string, { months: number; ms: number }>> = {
  year: { months: 12, ms: 0 },
  month: { months: 1, ms: 0 },
  week: { months: 0, ms: 7 * 86_400_000 },
  day: { months: 0, ms: 86_400_000 },
  hour: { months: 0, ms: 3_600_000 },
  minute: { months: 0, ms: 60_000 },
  second: { months: 0, ms: 1_000 },
};

/** What a person understands from the words: how many windows there are, and how long each window is. */
function understood(words: string): { windows: number; months: number; ms: number } {
  const once = /^once, for (.+) from [A-Z]/.exec(words)?.[1];
  const every = /^every (.+), counted from [A-Z]/.exec(words)?.[1];
  const times = /, ([\d,]+) times?$/.exec(words)?.[1]?.replaceAll(',', '');
  let [months, ms] = [0, 0];
  for (const part of (once ?? every ?? '').split(/,? and |, /)) {
    const [, count = '', unit = ''] = /^(?:([\d,.]+|one) )?([a-z]+?)s?$/.exec(part) ?? [];
    const one = UNITS[unit];
    if (one === undefined) throw new Error(`no length is told in: ${words}`);
    const number = count === '' || count === 'one' ? 1 : Number(count.replaceAll(',', ''));
    months += number * one.months;
    ms += Math.round(number * one.ms);
  }
  return { windows: once === undefined ? Number(times ?? Number.POSITIVE_INFINITY) : 1, months, ms };
}

const agree = (text: string): void => {
  const enforced = parseInterval(text);
  if (enforced === undefined) expect(interval(text)).toBe(`repeating as ${text}`);
  else expect(understood(interval(text))).toEqual({ windows: enforced.windows, months: enforced.months, ms: enforced.ms });
};

const digits = (max: number) => fc.integer({ min: 0, max }).map(String);
const moments = fc
  .record({
    at: fc.integer({ min: Date.UTC(1000, 0), max: Date.UTC(2999, 0) }),
    zone: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('Z', '+02', '-0330', '+05:45') }, fc.constant('')),
    cut: fc.constantFrom('seconds', 'fraction', 'comma', 'minutes'),
  })
  .map(({ at, zone, cut }) => {
    const iso = new Date(at).toISOString();
    const text = {
      seconds: iso.slice(0, 19),
      fraction: iso.slice(0, 23),
      comma: iso.slice(0, 23).replace('.', ','),
      minutes: iso.slice(0, 16),
    };
    return text[cut] + zone;
  });
const durations = fc
  .tuple(
    ...'YMWD'.split('').map((unit) =>
      fc.option(
        digits(20_000).map((count) => count + unit),
        { nil: '' },
      ),
    ),
  )
  .chain((days) =>
    fc
      .tuple(
        ...'HMS'.split('').map((unit) =>
          fc.option(
            digits(200_000).map((count) => count + unit),
            { nil: '' },
          ),
        ),
      )
      .map((time) => `P${days.join('')}${time.join('') === '' ? '' : `T${time.join('')}`}`),
  );
const repetitions = fc.oneof(fc.constantFrom('', '-1', '0', '1', '007'), digits(10_000), fc.bigInt(0n, 10n ** 15n).map(String));
const texts = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(repetitions, moments, durations) },
  { weight: 3, arbitrary: fc.tuple(repetitions, durations, moments) },
  fc.tuple(repetitions, moments, moments),
);

test('the words of any interval give the number and the length of the windows that the node enforces', () => {
  let accepted = 0;
  fc.assert(
    fc.property(texts, ([repeat, first, second]) => {
      const text = `R${repeat}/${first}/${second}`;
      if (parseInterval(text) !== undefined) accepted += 1;
      agree(text);
    }),
    { numRuns: 6_000 },
  );
  // Enough texts are intervals for the comparison to be meaningful.
  expect(accepted).toBeGreaterThan(3_000);
});

describe('what two grammars once read differently', () => {
  test.each([
    ['a duration before its end', 'R/P1M/2024-03-31T00:00:00Z', 'every month, counted from February 29, 2024'],
    ['a fraction after a comma', 'R/2024-01-01T00:00:00,5Z/P1D', 'every day, counted from January 1, 2024'],
    ['a zone of whole hours', 'R/2024-01-01T02:00+02/P1D', 'every day, counted from January 1, 2024'],
    ['ten digits of repetitions', 'R1000000000/2024-01-01T00:00:00Z/P1D', 'every day, counted from January 1, 2024, 1,000,000,000 times'],
    ['seven digits of days', 'R/2024-01-01T00:00:00Z/P1000000D', 'every 1,000,000 days, counted from January 1, 2024'],
    ['a start and an end', 'R/2024-01-01T00:00:00Z/2024-02-01T00:00:00Z', 'every 31 days, counted from January 1, 2024'],
    ['part of a second', 'R/2024-01-01T00:00:00Z/2024-01-01T00:00:00.25Z', 'every 0.25 seconds, counted from January 1, 2024'],
  ])('%s is taken', (_what, text, words) => {
    agree(text);
    expect(interval(text)).toBe(words);
  });

  test.each([
    ['a day that its month does not have', 'R/2024-02-30T00:00:00Z/P1M'],
    ['the hour 24', 'R/2024-01-01T24:00:00Z/P1M'],
    ['a length of nothing', 'R/2024-01-01T00:00:00Z/P0D'],
    ['an end before its start', 'R/2024-01-02T00:00:00Z/2024-01-01T00:00:00Z'],
    ['an end that is its start', 'R/2024-01-01T00:00:00Z/2024-01-01T00:00:00Z'],
    ['a length of more than ten thousand years', 'R/2024-01-01T00:00:00Z/P10001Y'],
  ])('%s is refused, and no words are made of it', (_what, text) => {
    expect(parseInterval(text)).toBeUndefined();
    expect(interval(text)).toBe(`repeating as ${text}`);
  });
});
