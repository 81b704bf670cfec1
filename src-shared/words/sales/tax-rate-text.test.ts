import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MOST_TAX } from '../../shop/shop-limits.ts';
import { taxRateInputText, taxRateText, typedTaxRate } from './tax-rate-text.ts';

it.each([
  ['19', 19_000],
  ['5,5', 5_500],
  ['8.875 %', 8_875],
  ['0', 0],
  ['100', 100_000],
  ['100.001', undefined],
  ['-1', undefined],
  ['1.2345', undefined],
  ['', undefined],
  ['1e2', undefined],
])('reads the percentage %s', (text, rate) => {
  expect(typedTaxRate(text)).toBe(rate);
});

it('every rate is read as it was written', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: MOST_TAX }), (rate) => typedTaxRate(taxRateInputText(rate)) === rate));
});

it('is written as the language does', () => {
  expect(taxRateText(5_500, 'en')).toBe('5.5%');
  expect(taxRateText(5_500, 'de')).toBe('5,5\u00a0%');
});
