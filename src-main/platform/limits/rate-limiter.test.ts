import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../clock.ts';
import { RateLimiter } from './rate-limiter.ts';

const started = (perSecond: number, burst: number) => {
  const clock = new ManualClock(1_000_000);
  return { clock, limiter: new RateLimiter({ perSecond, burst }, clock) };
};

test('a key that was quiet may use its burst at once, and then its rate', () => {
  const { clock, limiter } = started(10, 3);
  expect([1, 2, 3].map(() => limiter.take('a'))).toEqual([0, 0, 0]);
  expect(limiter.take('a')).toBe(100);
  expect(limiter.take('b')).toBe(0);
  clock.advance(99);
  expect(limiter.take('a')).toBe(1);
  clock.advance(1);
  expect(limiter.take('a')).toBe(0);
  expect(limiter.take('a')).toBe(100);
});

test('a charge takes units out of the bucket, and never more than it holds', () => {
  const { clock, limiter } = started(10, 20);
  expect(limiter.take('a')).toBe(0);
  limiter.charge('a', 19);
  expect(limiter.take('a')).toBe(100);
  for (let i = 0; i < 1_000; i++) limiter.charge('a', 19);
  expect(limiter.take('a')).toBe(100);
  clock.advance(2_000);
  expect(Array.from({ length: 21 }, () => limiter.take('a')).filter((wait) => wait === 0)).toHaveLength(20);
});

test('a clock that is put back locks no key out for longer than a bucket takes to fill', () => {
  const { clock, limiter } = started(10, 3);
  for (let i = 0; i < 3; i++) limiter.take('a');
  clock.jump(-3_600_000);
  expect(limiter.take('a')).toBe(100);
});

test('the limiter never lets through more than burst + rate × time, and lets a key through that has waited as told', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 50 }), fc.array(fc.nat(400)), (perSecond, burst, pauses) => {
      const { clock, limiter } = started(perSecond, burst);
      const start = clock.now();
      let taken = 0;
      for (const pause of pauses) {
        clock.advance(pause);
        if (limiter.take('a') === 0) taken += 1;
        expect(taken).toBeLessThanOrEqual(burst + ((clock.now() - start) * perSecond) / 1_000 + 1e-6);
        const wait = limiter.take('a');
        if (wait === 0) taken += 1;
        else {
          clock.advance(Math.ceil(wait));
          expect(limiter.take('a')).toBe(0);
          taken += 1;
        }
      }
    }),
  );
});

test('the limiter remembers a bounded number of keys, and does not forget an active one', () => {
  const { limiter } = started(1, 2);
  limiter.charge('active', 2);
  for (let i = 0; i < 100_000; i++) {
    limiter.take(`address ${i}`);
    if (i % 5_000 === 0) limiter.charge('active', 1);
  }
  expect(limiter.size).toBeLessThanOrEqual(20_000);
  expect(limiter.take('active')).toBeGreaterThan(0);
});

test('several processes that count the same keys give no more together than one', () => {
  const clock = new ManualClock(1_000_000);
  let living = 1;
  const limiter = new RateLimiter({ perSecond: 10, burst: 4 }, clock, () => living);
  expect([1, 2, 3, 4].map(() => limiter.take('a'))).toEqual([0, 0, 0, 0]);
  living = 2;
  clock.advance(10_000);
  expect([limiter.take('a'), limiter.take('a'), limiter.take('a')]).toEqual([0, 0, 200]);
  // One unit always fits, however many there are.
  living = 100;
  clock.advance(100_000);
  expect([limiter.take('a'), limiter.take('a')]).toEqual([0, 10_000]);
});
