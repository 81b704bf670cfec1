import { expect, test } from 'vitest';
import { ManualClock } from '../../platform/clock.ts';
import { readCommandLine } from '../../platform/settings/config.ts';
import { RateLimits } from './rate-limits.ts';

test('the default limits let 10,000 signed requests a second through, and not 10,000 guesses a second', () => {
  const read = readCommandLine([], {});
  if (!('config' in read)) throw new Error('no configuration');
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const limits = new RateLimits({ perAddress: read.config.addressRate, perClient: read.config.clientRate }, clock);
  let refused = 0;
  let guesses = 0;
  for (let ms = 0; ms < 10_000; ms++) {
    for (let i = 0; i < 10; i++) {
      if (limits.refuseAddress('192.0.2.1') || limits.refuseClient('https://shop.example/till')) refused += 1;
      if (limits.refuseAddress('192.0.2.2')) continue;
      limits.countFailure('192.0.2.2');
      guesses += 1;
    }
    clock.advance(1);
  }
  expect(refused).toBe(0);
  expect(guesses).toBeGreaterThan(10_000);
  expect(guesses).toBeLessThan(12_100);
});
