import { expect, it } from 'vitest';
import { partAmounts } from './part-amounts.ts';

it('a part of several packets can be each sum of some of them', () => {
  expect(partAmounts([])).toEqual([]);
  expect(partAmounts([500n])).toEqual([]);
  expect(partAmounts([100n, 100n, 30n])).toEqual([30n, 100n, 130n, 200n]);
  expect(partAmounts(Array.from({ length: 16 }, () => 100n))).toHaveLength(15);
  expect(partAmounts(Array.from({ length: 16 }, (_, n) => 2n ** BigInt(n)))).toEqual([]);
});
