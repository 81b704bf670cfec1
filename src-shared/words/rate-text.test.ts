import { expect, test } from 'vitest';
import { rateText } from './rate-text.ts';

const amount = (value: bigint, assetCode: string, assetScale: number) => ({ value, assetCode, assetScale });

test.each([
  [amount(10_000n, 'USD', 2), amount(9_180n, 'EUR', 2), '1 USD = 0.918 EUR'],
  [amount(100n, 'USD', 2), amount(151n, 'JPY', 0), '1 USD = 151 JPY'],
  [amount(100n, 'JPY', 0), amount(66n, 'USD', 2), '1 JPY = 0.0066 USD'],
  [amount(3n, 'USD', 2), amount(1n, 'EUR', 2), '1 USD = 0.333333 EUR'],
  [amount(1n, 'BTC', 0), amount(9_223_372_036_854_775_807n, 'USD', 2), '1 BTC = 92,233,700,000,000,000 USD'],
])('%o for %o is %s', (from, to, text) => {
  expect(rateText(from, to, 'en')).toBe(text);
});
