import { expect, test } from 'vitest';
import type { Client } from '../../access/clients/clients.ts';
import type { Tier } from '../../access/tables.ts';
import { ManualClock } from '../../platform/clock.ts';
import { readCommandLine } from '../../platform/settings/config.ts';
import { RateLimits } from './rate-limits.ts';

const SHOP: Client = { kind: 'wallet-address', id: 'https://shop.example/till', walletAddress: 'https://shop.example/till' };

test('the default limits let 10,000 signed requests a second through, and not 10,000 guesses a second', async () => {
  const read = readCommandLine([], {});
  if (!('config' in read)) throw new Error('no configuration');
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const limits = new RateLimits({ perAddress: read.config.addressRate, perClient: read.config.clientRate }, clock, async () => 'known');
  let refused = 0;
  let guesses = 0;
  for (let ms = 0; ms < 10_000; ms++) {
    for (let i = 0; i < 10; i++) {
      if (limits.refuseAddress('192.0.2.1') || (await limits.refuseClient(SHOP, '192.0.2.1', { requests: 1 }))) refused += 1;
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

test.each<[Tier, number]>([
  ['stranger', 1_000],
  ['known', 2_000],
  ['trusted', 3_000],
])('of 3,000 requests at once a client that is %s gets %i through', async (tier, through) => {
  const limits = new RateLimits({ perAddress: 0, perClient: 1_000 }, new ManualClock(0), async () => tier);
  let passed = 0;
  for (let n = 0; n < 3_000; n++) if ((await limits.refuseClient(SHOP, '192.0.2.1', { requests: 1 })) === undefined) passed += 1;
  expect(passed).toBe(through);
});

test('a stranger that has used up its own gets 429, and one that comes when the node has nothing left gets 503', async () => {
  const limits = new RateLimits({ perAddress: 0, perClient: 1_000 }, new ManualClock(0));
  for (let n = 0; n < 20; n++) while (limits.refuseUnsigned(`192.0.2.${n}`, { outbound: 1 }) === undefined);
  const answers = [limits.refuseUnsigned('192.0.2.1', { outbound: 1 }), limits.refuseUnsigned('192.0.2.99', { outbound: 1 })];
  expect(answers.map((answer) => [answer?.status, answer?.body.error.code, Number(answer?.retryAfterSeconds) > 0])).toEqual([
    [429, 'too_many_requests', true],
    [503, 'busy', true],
  ]);
});
