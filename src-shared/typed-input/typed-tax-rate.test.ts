import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MOST_TAX } from '../shop/shop-limits.ts';
import { taxRateInputText } from '../words/sales/tax-rate-text.ts';
import { typedTaxRate } from './typed-tax-rate.ts';

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
