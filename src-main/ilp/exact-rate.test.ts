import fc from 'fast-check';
import { longFromValue } from 'ilp-protocol-stream/dist/src/util/long.js';
import { describe, expect, it } from 'vitest';
import { MAX_STATED } from '../../src-shared/amounts.ts';
import { ExactRate } from './exact-rate.ts';

const uint64 = fc.bigInt({ min: 0n, max: MAX_STATED });
const side = fc.bigInt({ min: 1n, max: MAX_STATED });
const long = (value: bigint) => longFromValue(value.toString(), true);
const capped = (value: bigint): string => (value > MAX_STATED ? MAX_STATED : value).toString();

describe('exact rate', () => {
  it('multiplies exactly over the whole range and stops at the largest amount', () => {
    fc.assert(
      fc.property(uint64, side, side, (value, receive, debit) => {
        const rate = new ExactRate(receive, debit);
        expect(rate.multiplyByLong(long(value)).toString()).toBe(capped((value * receive) / debit));
        const rounded = (value * receive) / debit + ((value * receive) % debit === 0n ? 0n : 1n);
        expect(rate.multiplyByLongCeil(long(value)).toString()).toBe(capped(rounded));
        expect(rate.greaterThanOne()).toBe(receive > debit);
        expect(rate.reciprocal().multiplyByLong(long(value)).toString()).toBe(capped((value * debit) / receive));
      }),
    );
  });

  it('is exact where a double is not', () => {
    const rate = new ExactRate(1n, 1n);
    expect(rate.multiplyByLong(long(9_007_199_254_740_993_001n)).toString()).toBe('9007199254740993001');
  });
});
