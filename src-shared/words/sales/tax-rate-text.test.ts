import { expect, it } from 'vitest';
import { taxRateText } from './tax-rate-text.ts';

it('is written as the language does', () => {
  expect(taxRateText(5_500, 'en')).toBe('5.5%');
  expect(taxRateText(5_500, 'de')).toBe('5,5\u00a0%');
});
