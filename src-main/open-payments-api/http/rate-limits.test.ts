import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Client } from '../../access/clients/clients.ts';
import type { Tier } from '../../access/tables.ts';
import { ManualClock } from '../../platform/clock.ts';
import { readCommandLine } from '../../platform/settings/config.ts';
import { isFailure, RateLimits } from './rate-limits.ts';

const from = (ip: string) => ({ ip, headers: {}, paidBy: undefined, processor: undefined, routeOptions: { config: {} } });
const clientAt = (url: string): Client => ({ kind: 'wallet-address', id: url, walletAddress: url });
const SHOP = clientAt('https://shop.example/till');

test('the default limits let 10,000 signed requests a second through, and not 10,000 guesses a second', async () => {
  const read = readCommandLine([], {});
  if (!('config' in read)) throw new Error('no configuration');
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const limits = new RateLimits(
    { perAddress: read.config.addressRate, perClient: read.config.clientRate },
    { clock, tierOf: async () => 'known' },
  );
  let refused = 0;
  let guesses = 0;
  for (let ms = 0; ms < 10_000; ms++) {
    for (let i = 0; i < 10; i++) {
      const request = from('192.0.2.1');
      if (limits.refuseUnread(request) || (await limits.refuseClient(request, SHOP, 0))) refused += 1;
      const guess = from('192.0.2.2');
      if (limits.refuseUnread(guess)) continue;
      limits.countFailure(guess);
      guesses += 1;
    }
    clock.advance(1);
  }
  expect(refused).toBe(0);
  expect(guesses).toBeGreaterThan(200);
  expect(guesses).toBeLessThanOrEqual(220);
});

test.each<[Tier, number]>([
  ['stranger', 1_000],
  ['known', 2_000],
  ['trusted', 3_000],
])('of 3,000 requests at once a client that is %s gets %i through', async (tier, through) => {
  const limits = new RateLimits({ perAddress: 0, perClient: 1_000 }, { clock: new ManualClock(0), tierOf: async () => tier });
  let passed = 0;
  for (let n = 0; n < 3_000; n++) if ((await limits.refuseClient(from('192.0.2.1'), SHOP, 0)) === undefined) passed += 1;
  expect(passed).toBe(through);
});

test('what a stranger stores is taken from its budget of bytes, and an app that the operator allowed stores what it wants', async () => {
  const conditions = async (tier: Tier) => {
    const limits = new RateLimits({ perAddress: 0, perClient: 1_000 }, { clock: new ManualClock(0), tierOf: async () => tier });
    const ask = async (bytes: number) => (await limits.refuseClient(from('192.0.2.1'), SHOP, bytes))?.condition;
    return [await ask(5_000_000), await ask(5_000_000), await ask(0)];
  };
  expect(await conditions('stranger')).toEqual([undefined, 'rate_limited', undefined]);
  expect(await conditions('known')).toEqual([undefined, undefined, undefined]);
});

test('a stranger that has used up its own gets 429, and one that comes when the node has nothing left gets 503', async () => {
  const limits = new RateLimits({ perAddress: 0, perClient: 1_000 }, { clock: new ManualClock(0) });
  const ask = (ip: string) => limits.refuseCost({ paidBy: { network: ip } }, { outbound: 1 });
  for (let n = 0; n < 20; n++) while (ask(`192.0.2.${n}`) === undefined);
  const answers = [ask('192.0.2.1'), ask('192.0.2.99')];
  expect(answers.map((answer) => [answer?.status, answer?.body.error.code, Number(answer?.retryAfterSeconds) > 0])).toEqual([
    [429, 'too_many_requests', true],
    [503, 'busy', true],
  ]);
});

test('a client that the node trusts pays for itself only when strangers of its network could not come in any more', async () => {
  const limits = new RateLimits({ perAddress: 0, perClient: 1_000 }, { clock: new ManualClock(0), tierOf: async () => 'known' });
  const known = { ...from('192.0.2.1'), headers: { authorization: 'GNAP s3cret' }, paidBy: undefined as unknown };
  await limits.refuseClient(known as ReturnType<typeof from>, SHOP, 0);
  expect(limits.refuseUnread(known as ReturnType<typeof from>)).toBeUndefined();
  expect(known.paidBy).toEqual({ network: '192.0.2.1' });
  while (limits.refuseUnread(from('192.0.2.1')) === undefined) limits.countFailure(from('192.0.2.1'));
  expect(limits.refuseUnread(known as ReturnType<typeof from>)).toBeUndefined();
  expect(known.paidBy).toEqual({ key: expect.stringContaining('token ') });
  expect(JSON.stringify(known.paidBy)).not.toContain('s3cret');
});

test.each([
  { full: 'node', status: 503 },
  { full: 'caller', status: 429 },
] as const)('a stranger hears $status when the things that wait are too many for the $full', async ({ full, status }) => {
  const rows = { refusalOf: async () => full, note: async () => undefined };
  const limits = new RateLimits({ perAddress: 0, perClient: 1_000 }, { clock: new ManualClock(0), rows });
  expect(await limits.refuseThing({ paidBy: { network: '192.0.2.1' } })).toMatchObject({ status, retryAfterSeconds: 3_600 });
  expect(await limits.refuseThing({ paidBy: undefined })).toBeUndefined();
});

test('a server that strangers from everywhere make the node ask has a budget of its own, and others are asked meanwhile', () => {
  const limits = new RateLimits({ perAddress: 0, perClient: 1_000 }, { clock: new ManualClock(0) });
  const ask = (n: number, url: string) => limits.refuseCost({ paidBy: { network: `192.0.2.${n}` } }, { outbound: 1 }, url)?.condition;
  for (let n = 0; n < 100; n++) ask(n, 'https://victim.example/a');
  expect([ask(101, 'https://victim.example/b'), ask(102, 'https://other.example/a')]).toEqual(['busy', undefined]);
});

test('what counts as a failure: guesses and faults of strangers, and neither a wait nor what the node answers its own', () => {
  const request = (signedBy?: Client, paidBy?: object, ofTill?: true) => ({ signedBy, paidBy, ofTill }) as Parameters<typeof isFailure>[0];
  const statuses = [200, 399, 400, 401, 429, 499, 500, 503, 599];
  const failures = (of: ReturnType<typeof request>) => statuses.filter((status) => isFailure(of, status));
  expect(failures(request(undefined, {}))).toEqual([400, 401, 499, 500, 599]);
  expect(failures(request(SHOP, {}))).toEqual([500, 599]);
  expect(failures(request(SHOP))).toEqual([]);
  expect(failures(request(undefined, {}, true))).toEqual([]);
});

describe('processor time that', () => {
  const [rates, wallet] = [{ perAddress: 20_000, perClient: 20_000 }, clientAt('https://wallet.example/customer')];

  /** A signed request that keeps the processor busy. @returns the refusal that it meets, if any. */
  async function work(ms: number, ip: string, who: Client, tier: Tier, state: { limits: RateLimits; used: number }) {
    const request = from(ip);
    const refusal = state.limits.refuseUnread(request);
    if (refusal !== undefined) return refusal.condition;
    state.limits.begin(request);
    tiers.set(who.id, tier);
    const later = await state.limits.refuseClient(request, who, 0);
    state.used += ms;
    state.limits.end(request);
    return later?.condition;
  }
  const tiers = new Map<string, Tier>();
  function limited() {
    const clock = new ManualClock(0);
    const state = {
      clock,
      used: 0,
      limits: new RateLimits(rates, { clock, processor, tierOf: async ({ id }) => tiers.get(id) ?? 'stranger' }),
    };
    function processor() {
      return state.used;
    }
    return state;
  }

  test('a stranger uses is taken from the budgets of its key, its host, its network and all strangers', async () => {
    const state = limited();
    expect(await work(1_000, '192.0.2.1', wallet, 'stranger', state)).toBeUndefined();
    expect(await work(1, '192.0.2.2', wallet, 'stranger', state)).toBe('rate_limited');
    expect(await work(1_000, '192.0.2.1', clientAt('https://wallet.example/other'), 'stranger', state)).toBeUndefined();
    expect(await work(1, '192.0.2.3', clientAt('https://wallet.example/third'), 'stranger', state)).toBe('rate_limited');
    expect(await work(1, '192.0.2.1', clientAt('https://third.example/x'), 'stranger', state)).toBe('rate_limited');
    expect(await work(1_000, '192.0.2.4', clientAt('https://fourth.example/x'), 'stranger', state)).toBeUndefined();
    expect(await work(1, '192.0.2.5', clientAt('https://fifth.example/x'), 'stranger', state)).toBe('busy');
    state.clock.advance(2_000);
    // What is there again goes to those who have had the least of it.
    expect(await work(1, '192.0.2.6', clientAt('https://sixth.example/x'), 'stranger', state)).toBeUndefined();
    expect(await work(1, '192.0.2.1', wallet, 'stranger', state)).toBe('busy');
    state.clock.advance(1_000);
    expect(await work(1, '192.0.2.1', wallet, 'stranger', state)).toBeUndefined();
  });

  test('an app uses that the operator allowed is taken from nobody', async () => {
    const state = limited();
    for (let n = 0; n < 10; n++) expect(await work(5_000, '192.0.2.1', SHOP, 'known', state)).toBeUndefined();
    expect(await work(1, '192.0.2.1', wallet, 'stranger', state)).toBeUndefined();
  });
});

test('a connection hears at once that the node has too much to do, and waits for it when it comes again before it may', async () => {
  const clock = new ManualClock(0);
  let [held, noted] = [0, 0];
  const limits = new RateLimits(
    { perAddress: 0, perClient: 1_000 },
    {
      clock,
      pressure: { shed: 'nobody', isFull: (writes) => writes },
      refusals: {
        note: () => {
          noted += 1;
        },
      },
      holdBack: async () => {
        held += 1;
      },
    },
  );
  const socket = {} as Socket;
  const ask = async (method: string) => {
    const request = { ...from('192.0.2.1'), method, raw: { socket }, rawBody: undefined, body: undefined };
    const refusal = limits.refuseUnread(request);
    await limits.holdBackRefusal(request, refusal?.status ?? 200);
    return [refusal?.status, refusal?.retryAfterSeconds, held];
  };
  for (const method of ['GET', 'HEAD']) expect(await ask(method), method).toEqual([undefined, undefined, 0]);
  expect(await ask('POST')).toEqual([503, 2, 0]);
  clock.advance(1_999);
  expect(await ask('POST')).toEqual([503, 2, 1]);
  clock.advance(2_000);
  expect(await ask('POST')).toEqual([503, 2, 1]);
  expect(noted).toBe(3);
});
