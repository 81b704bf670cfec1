import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainNumberText } from '../words/amount-text.ts';
import { typedDecimal, typedPercentage } from './typed-decimal.ts';

describe('a typed rate', () => {
  it.each([
    ['1.085', '1.085'],
    ['1,085', '1.085'],
    [' 0,918 ', '0.918'],
    ['١٫٠٨٥', '1.085'],
    ['١٢', '12'],
    ['007.5', '7.5'],
    ['0', '0'],
  ])('%s is %s', (text, decimal) => {
    expect(typedDecimal(text)).toBe(decimal);
  });

  it.each(['', '1.234,5', '1,234.5', '1 234', '.5', '5.', '-1', '1e3', '0x1', '1.2.3', '1'.repeat(19)])('%j is none', (text) => {
    expect(typedDecimal(text)).toBeUndefined();
  });

  it('is read as it is shown, in each language', () => {
    fc.assert(
      fc.property(
        fc.nat(10 ** 9),
        fc.nat(999_999),
        fc.constantFrom('en', 'de', 'fr', 'es', 'pt-BR', 'ar', 'ar-EG', 'fa'),
        (whole, part, tag) => {
          const decimal = `${whole}.${String(part).padStart(6, '0')}`;
          expect(typedDecimal(plainNumberText(decimal, tag))).toBe(decimal);
        },
      ),
    );
  });
});

describe('a typed percentage', () => {
  it.each([
    ['5,5', 2, 550],
    ['5.5 %', 2, 550],
    ['0', 2, 0],
    ['99.99', 2, 9_999],
    ['٥٫٥٪', 3, 5_500],
    ['19', 3, 19_000],
  ])('%s with %i decimal places is %i', (text, places, value) => {
    expect(typedPercentage(text, places)).toBe(value);
  });

  it.each(['5.555', '1000', '', '%', '5,5,5', 'five'])('%j is none', (text) => {
    expect(typedPercentage(text, 2)).toBeUndefined();
  });
});
