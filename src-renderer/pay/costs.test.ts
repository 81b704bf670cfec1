import { expect, it } from 'vitest';
import { costsOf } from './costs.ts';

const usd = (value: bigint) => ({ value, assetCode: 'USD', assetScale: 2 });

it('costs are what leaves less what arrives, in one currency', () => {
  expect(costsOf({ debitAmount: usd(1_005n), receiveAmount: usd(1_000n) })).toEqual(usd(5n));
  expect(costsOf({ debitAmount: usd(1_000n), receiveAmount: usd(1_000n) })).toEqual(usd(0n));
});

it('between two currencies, and between two ways to write one, there is no such difference', () => {
  const receiveAmount = { value: 900n, assetCode: 'EUR', assetScale: 2 };
  expect(costsOf({ debitAmount: usd(1_000n), receiveAmount })).toBeUndefined();
  expect(costsOf({ debitAmount: usd(1_000n), receiveAmount: { ...usd(10_000n), assetScale: 3 } })).toBeUndefined();
});
