import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../clock.ts';
import { FadingSums } from './fading-sums.ts';

const started = (most = 100) => {
  const clock = new ManualClock(0);
  return { clock, sums: new FadingSums(clock, { fadesMs: 1_000, most: () => most }) };
};

test('a sum fades, and the sums of other keys are their own', () => {
  const { clock, sums } = started();
  sums.add('a', 10);
  expect([sums.of('a'), sums.of('b')]).toEqual([10, 0]);
  clock.advance(1_000);
  expect(sums.of('a')).toBeCloseTo(10 / Math.E, 9);
  sums.add('a', 5);
  expect(sums.of('a')).toBeCloseTo(5 + 10 / Math.E, 9);
});

test('a clock that somebody sets changes no sum', () => {
  const { clock, sums } = started();
  sums.add('a', 10);
  clock.jump(-3_600_000);
  expect(sums.of('a')).toBe(10);
  clock.jump(7_200_000);
  expect(sums.of('a')).toBe(10);
});

test('no sum exceeds the largest one, and one that is added to without a pause never shrinks', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ units: fc.nat(50), pause: fc.nat(3_000) })), (additions) => {
      const { clock, sums } = started();
      for (const { units, pause } of additions) {
        const before = sums.of('a');
        sums.add('a', units);
        expect(sums.of('a')).toBeGreaterThanOrEqual(before);
        expect(sums.of('a')).toBeLessThanOrEqual(100);
        clock.advance(pause);
      }
    }),
  );
});
