import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { retryDelayMs } from './attempt-outcomes.ts';

it('the worker waits 1, 2, 4 … 60 seconds between attempts, a fifth less or more', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.nat(1_000), (id, fruitless) => {
      const seconds = Math.min(60, 2 ** fruitless);
      const delay = retryDelayMs({ id, fruitless });
      expect(delay).toBeGreaterThanOrEqual(800 * seconds);
      expect(delay).toBeLessThanOrEqual(1_200 * seconds);
    }),
  );
});

it('payments that were made at the same moment are not tried again at the same moment', () => {
  const delays = new Set(Array.from({ length: 100 }, () => retryDelayMs({ id: newId(), fruitless: 0 })));
  expect(delays.size).toBeGreaterThan(50);
});
