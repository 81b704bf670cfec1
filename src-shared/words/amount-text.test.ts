import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CURRENCIES } from '../currencies.ts';
import { amountText, changeText, codedAmountText, currencyName, lengthOf, percent } from './amount-text.ts';

const text = (value: bigint, assetCode: string, assetScale: number) => amountText({ value, assetCode, assetScale }, 'en-US');

describe('the text of an amount', () => {
  test.each([
    [1999n, 'USD', 2, '$19.99'],
    [0n, 'USD', 2, '$0.00'],
    [-5n, 'USD', 2, '-$0.05'],
    [123456n, 'JPY', 0, '¥123,456'],
    [1n, 'KWD', 3, 'KWD\u00a00.001'],
    [18_446_744_073_709_551_615n, 'EUR', 2, '€184,467,440,737,095,516.15'],
    [9_007_199_254_740_993n, 'USD', 2, '$90,071,992,547,409.93'],
  ])('says %s %s at scale %s as %s', (value, code, scale, expected) => {
    expect(text(value, code, scale)).toBe(expected);
  });

  test('is a plain number with the code when the scale is not that of the currency', () => {
    expect(text(1_234_567n, 'USD', 6)).toBe('1.234567\u00a0USD');
    expect(text(5n, 'USD', 0)).toBe('5\u00a0USD');
  });

  test('is a plain number with the code when the currency is not of ISO 4217', () => {
    expect(text(12_000n, 'PTS', 0)).toBe('12,000\u00a0PTS');
    expect(text(1n, 'XRP', 9)).toBe('0.000000001\u00a0XRP');
    expect(text(1n, 'TOOLONGCODE', 18)).toBe('0.000000000000000001\u00a0TOOLONGCODE');
  });

  test('is a plain number with the code when the currency was replaced', () => {
    expect(text(1250n, 'BGN', 2)).toBe('12.50\u00a0BGN');
    expect(text(1250n, 'ANG', 2)).toBe('12.50\u00a0ANG');
  });

  test('has all decimal places, even more than any currency has', () => {
    expect(text(5n, 'Miles', 255)).toBe(`0.${'0'.repeat(254)}5\u00a0Miles`);
    expect(text(5n, 'Miles', 100)).toBe(`0.${'0'.repeat(99)}5\u00a0Miles`);
  });

  test('never loses or changes a digit, in any currency and precision', () => {
    const asset = fc.oneof(
      fc.constantFrom(...CURRENCIES),
      fc.record({ assetCode: fc.constantFrom('PTS', 'USD'), assetScale: fc.integer({ min: 0, max: 18 }) }),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), asset, (value, { assetCode, assetScale }) => {
        const digits = text(value, assetCode, assetScale).replace(assetCode, '').replace(/\D/g, '');
        expect(BigInt(digits)).toBe(value);
      }),
    );
  });
});

test('from right to left, the number with its sign and the currency with its letters stay whole', () => {
  const of = (value: bigint, assetCode = 'USD') => amountText({ value, assetCode, assetScale: 2 }, 'ar');
  expect(of(236_470n)).toBe('\u200f2,364.70\u200f\u00a0\u200eUS$\u200e');
  expect(of(-480n)).toBe('\u200f\u200e-4.80\u200f\u00a0\u200eUS$\u200e');
  expect(of(100n, 'EUR')).toBe('\u200f1.00\u200f\u00a0\u20ac');
  const change = (value: bigint) => changeText({ value, assetCode: 'USD', assetScale: 2 }, 'ar');
  expect([change(480n), change(-480n)]).toEqual(['+', '\u2212'].map((sign) => `\u200f\u200e${sign}4.80\u200f\u00a0\u200eUS$\u200e`));
  expect(lengthOf(change(480n))).toBe('+4.80 US$'.length);
});

test('the text of a change carries its sign', () => {
  const usd = { assetCode: 'USD', assetScale: 2 };
  expect(changeText({ ...usd, value: 100n }, 'en-US')).toBe('+$1.00');
  expect(changeText({ ...usd, value: -100n }, 'en-US')).toBe('\u2212$1.00');
  expect(changeText({ ...usd, value: 0n }, 'en-US')).toBe('$0.00');
});

test('percentages stay between 0 and 100 at any size', () => {
  expect(percent(1n, 3n)).toBe(33);
  expect(percent(2n ** 64n, 2n ** 63n)).toBe(100);
  expect(percent(5n, 0n)).toBe(0);
});

test('only ISO currencies have a name', () => {
  expect(currencyName('EUR', 'en')).toBe('Euro');
  expect(currencyName('PTS', 'en')).toBeUndefined();
  expect(currencyName('TOOLONG', 'en')).toBeUndefined();
});

describe('an amount with the code of its currency', () => {
  test.each([
    [{ value: 123_456_789n, assetCode: 'EUR', assetScale: 2 }, 'en', '1,234,567.89 EUR'],
    [{ value: 123_456_789n, assetCode: 'EUR', assetScale: 2 }, 'de', '1.234.567,89 EUR'],
    [{ value: 5_000n, assetCode: 'JPY', assetScale: 0 }, 'en', '5,000 JPY'],
    [{ value: 2n ** 64n - 1n, assetCode: 'XRP', assetScale: 9 }, 'en', '18,446,744,073.709551615 XRP'],
  ])('reads %o in %s as %s', (amount, tag, text) => {
    expect(codedAmountText(amount, tag)).toBe(text);
  });
});
