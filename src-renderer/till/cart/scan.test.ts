import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { isGtin, scanInField, scanOf, type TypedKey } from './scan.ts';

/** Keys that are typed with so much time between two of them, in milliseconds. */
const keys = (text: string, gap: number, begin = 0): TypedKey[] =>
  [...text].map((key, nth) => ({ key, at: begin + nth * gap, before: text.slice(0, nth) }));

describe('a scanner', () => {
  test.each([
    ['an EAN-13', '4006381333931', 5],
    ['an EAN-8', '96385074', 5],
    ['an EAN-13, by a slow scanner', '4006381333931', 400],
    ['a code of the shop with letters, slowly', 'TEA-7', 400],
    ['a short number of the shop', '1001', 20],
  ])('has typed %s', (_, code, gap) => {
    expect(scanOf(keys(code, gap))).toEqual({ code, before: '' });
  });

  it('is told from what a person has typed just before', () => {
    const typed = keys('45', 200);
    const scan = keys('4006381333931', 8, 900).map((key) => ({ ...key, before: `45${key.before}` }));
    expect(scanOf([...typed, ...scan])).toEqual({ code: '4006381333931', before: '45' });
  });
});

test.each([
  ['4006381333931', 9],
  ['4006381333931', 1],
  ['TEA-1', 3],
])('a busy computer that parts %s after %i keys loses nothing of it', (code, after) => {
  const parted = keys(code, 5).map((key, nth) => ({ ...key, at: key.at + (nth < after ? 0 : 300) }));
  expect(scanOf(parted)).toEqual({ code, before: '' });
});

test('a code with letters is told from the amount before it', () => {
  const scan = keys('TEA-7', 8, 900).map((key) => ({ ...key, before: `45${key.before}` }));
  expect(scanOf([...keys('45', 200), ...scan])).toMatchObject({ code: 'TEA-7' });
});

it('is told by its pace and by a check digit in a field, where a person writes words, too', () => {
  expect(scanInField(keys('TEA-7', 8))).toEqual({ code: 'TEA-7', before: '' });
  expect(scanInField(keys('4006381333931', 300))).toEqual({ code: '4006381333931', before: '' });
  expect(scanInField(keys('The last one is sold', 90))).toBeUndefined();
  expect(scanInField(keys('12.50', 0))).toBeUndefined();
});

describe('a person', () => {
  test.each([
    ['an amount', '450', 180],
    ['a large amount', '12500000', 180],
    ['an amount with a point, as quickly as a program', '12.5', 0],
    ['an amount with a comma, as quickly as a program', '1234,50', 0],
    ['three digits, as quickly as a program', '450', 0],
    ['a slip', 'x', 180],
    ['nothing', '', 0],
  ])('has typed %s', (_, text, gap) => {
    expect(scanOf(keys(text, gap))).toBeUndefined();
  });
});

test('the check digit decides what is the number of a product', () => {
  for (const code of ['036000291452', '4006381333931', '10614141000415']) expect(isGtin(code)).toBe(true);
  for (const code of ['96385074', '4006381333932', '400638133393', '', '40063813339310']) expect(isGtin(code)).toBe(false);
});

test('whoever types an amount at the pace of a hand is never taken for a scanner, unless it is the number of a product', () => {
  const gaps = fc.integer({ min: 60, max: 600 });
  const amounts = fc.stringMatching(/^\d{1,15}([.,]\d{0,2})?$/);
  fc.assert(
    fc.property(amounts, gaps, (text, gap) => {
      fc.pre(!isGtin(text));
      expect(scanOf(keys(text, gap))).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
});
