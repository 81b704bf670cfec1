import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../platform/clock.ts';
import type { JsonAnswer, OutboundProblem } from '../../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { testKey } from '../http-signatures/testing/signed-requests.ts';
import { type Client, ClientKeyFinder } from './finder.ts';

const MINUTE = 60_000;
const key = await testKey('till', 7);
const second = await testKey('phone', 8);
const WALLET = 'https://shop.example/till';
const CLIENT: Client = { kind: 'wallet-address', id: WALLET, walletAddress: WALLET };

type Answer = Result<JsonAnswer, OutboundProblem>;
const answer = (body: unknown, status = 200): Answer => ok({ status, body, url: '' });
const SET = answer({ keys: [key.jwk] });

/** Makes a finder. The host of the client answers with `host.answer`. */
function setUp(first: Answer = SET) {
  const host = { answer: first as Answer | Promise<Answer>, asked: [] as string[], behalf: [] as unknown[] };
  const clock = new ManualClock(1_700_000_000_000);
  const http = {
    getJson: async (url: string, behalf?: unknown): Promise<Answer> => {
      host.asked.push(url);
      host.behalf.push(behalf);
      return await host.answer;
    },
  };
  const finder = new ClientKeyFinder({ ownKeys: { find: async () => 'not-own' }, http, clock });
  const find = async (keyId = 'till', client = CLIENT): Promise<string> => {
    const found = await finder.find(client, keyId);
    return found.ok ? found.value.thumbprint : found.error;
  };
  return { host, clock, finder, find };
}

describe('a key of another wallet', () => {
  it('is asked for at jwks.json and used for five minutes', async () => {
    const { host, clock, find } = setUp();
    for (let i = 0; i < 1_000; i++) expect(await find()).toBe(key.thumbprint);
    expect(host.asked).toEqual([`${WALLET}/jwks.json`]);
    clock.advance(3 * MINUTE - 1);
    await find();
    expect(host.asked).toHaveLength(1);
    clock.advance(2 * MINUTE + 1);
    host.answer = answer({ keys: [second.jwk] });
    expect(await find()).toBe('unknown_key');
    expect(host.asked).toHaveLength(2);
  });

  it('is asked for anew from the third minute on, while the requests that need it go on', async () => {
    const { host, clock, find } = setUp();
    await find();
    clock.advance(3 * MINUTE);
    const revoked = Promise.withResolvers<Answer>();
    host.answer = revoked.promise;
    for (let i = 0; i < 10; i++) expect(await find()).toBe(key.thumbprint);
    expect(host.asked).toHaveLength(2);
    revoked.resolve(answer({ keys: [] }));
    await revoked.promise;
    while ((await find()) !== 'unknown_key') await Promise.resolve();
    expect(host.asked).toHaveLength(2);
  });

  it('counts from when it was asked for, not from when the answer came', async () => {
    const { host, clock, find } = setUp();
    const late = Promise.withResolvers<Answer>();
    host.answer = late.promise;
    const found = find();
    while (host.asked.length === 0) await Promise.resolve();
    clock.advance(5 * MINUTE - 1);
    late.resolve(SET);
    expect(await found).toBe(key.thumbprint);
    clock.advance(1);
    host.answer = refuse('timed_out');
    expect(await find()).toBe('key_unavailable');
  });

  it.each(['ahead', 'asleep'])('is used for five minutes, although a clock was %s', async (what) => {
    const { host, clock, find } = setUp();
    if (what === 'ahead') clock.jump(120 * MINUTE);
    await find();
    if (what === 'ahead') clock.jump(-120 * MINUTE);
    // On some systems the monotonic clock does not count the time in which the computer sleeps.
    if (what === 'asleep') clock.jump(5 * MINUTE);
    else clock.advance(5 * MINUTE);
    host.answer = answer({ keys: [] });
    expect(await find()).toBe('unknown_key');
  });

  it('is asked for again half a minute after a failure, although the clock was ahead meanwhile', async () => {
    const { host, clock, find } = setUp(refuse('unreachable'));
    clock.jump(120 * MINUTE);
    expect(await find()).toBe('key_unavailable');
    clock.jump(-120 * MINUTE);
    clock.advance(MINUTE / 2);
    host.answer = SET;
    expect(await find()).toBe(key.thumbprint);
  });

  it('is asked for once when many requests need it at the same time', async () => {
    const { host, find } = setUp();
    const found = await Promise.all(Array.from({ length: 100 }, (_, i) => find(i % 2 === 0 ? 'till' : 'nobody')));
    expect(new Set(found)).toEqual(new Set([key.thumbprint, 'unknown_key']));
    expect(host.asked).toHaveLength(1);
  });

  it('is looked for again once a minute when it was missing', async () => {
    const { host, clock, find } = setUp();
    expect(await find('phone')).toBe('unknown_key');
    host.answer = answer({ keys: [key.jwk, second.jwk] });
    for (let i = 0; i < 100; i++) expect(await find(`guess-${i}`)).toBe('unknown_key');
    clock.advance(MINUTE - 1);
    expect(await find('phone')).toBe('unknown_key');
    expect(host.asked).toHaveLength(1);
    clock.advance(1);
    expect(await find('phone')).toBe(second.thumbprint);
    expect(await find()).toBe(key.thumbprint);
    expect(host.asked).toHaveLength(2);
  });

  it('stays known when the search for another one fails, and the next search waits as long', async () => {
    const { host, clock, find } = setUp();
    await find();
    clock.advance(MINUTE);
    host.answer = refuse('unreachable');
    expect(await find('phone')).toBe('unknown_key');
    expect(await find()).toBe(key.thumbprint);
    clock.advance(MINUTE - 1);
    expect(await find('phone')).toBe('unknown_key');
    expect(host.asked).toHaveLength(2);
    clock.advance(1);
    await find('phone');
    expect(host.asked).toHaveLength(3);
  });

  it.each([
    ['a 404', answer(undefined, 404)],
    ['a 410', answer({}, 410)],
    ['an empty set', answer({ keys: [] })],
    ['a set without it', answer({ keys: [second.jwk] })],
    ['a set with two of its id', answer({ keys: [key.jwk, { ...second.jwk, kid: 'till' }] })],
    ['a set with three of its id', answer({ keys: [key.jwk, { kid: 'till' }, key.jwk] })],
    ['a set with its private half', answer({ keys: [{ ...key.jwk, d: 'AAAA' }] })],
    ['a set with another kind of key', answer({ keys: [{ ...key.jwk, crv: 'X25519' }] })],
  ])('ends with %s', async (_, ending) => {
    const { host, clock, find } = setUp();
    expect(await find()).toBe(key.thumbprint);
    clock.advance(5 * MINUTE);
    host.answer = ending;
    expect(await find()).toBe('unknown_key');
    host.answer = refuse('unreachable');
    clock.advance(5 * MINUTE);
    expect(await find()).not.toBe(key.thumbprint);
  });

  it('is found in a set that also holds broken keys', async () => {
    const { find } = setUp(answer({ keys: [null, 1, 'x', [], {}, { kty: 'RSA', kid: 'r', n: 'AA', e: 'AQAB' }, key.jwk] }));
    expect(await find()).toBe(key.thumbprint);
    expect(await find('r')).toBe('unknown_key');
  });

  it.each<[string, Answer, string?]>([
    ['is unreachable', refuse('unreachable')],
    ['is silent', refuse('timed_out')],
    ['is not asked because this node has no place', refuse('busy'), 'key_busy'],
    ['is behind a gateway that cannot reach it', answer(undefined, 502)],
    ['says it is overloaded', answer(undefined, 503)],
  ])('is dead after five minutes when its host %s, however often it was used', async (_, trouble, problem = 'key_unavailable') => {
    const { host, clock, find } = setUp();
    await find();
    host.answer = trouble;
    for (let passed = 1_000; passed < 5 * MINUTE; passed += 1_000) {
      clock.advance(1_000);
      expect(await find()).toBe(key.thumbprint);
    }
    clock.advance(1_000);
    for (let i = 0; i < 100; i++) expect(await find()).toBe(problem);
    host.answer = SET;
    clock.advance(30_000);
    expect(await find()).toBe(key.thumbprint);
  });

  it.each([
    ['silent', refuse('timed_out'), 5_000],
    ['unreachable', refuse('unreachable'), 30_000],
  ] as const)('is asked for again after a while when its host was %s', async (_, trouble, pauseMs) => {
    const { host, clock, find } = setUp(trouble);
    for (let i = 0; i < 10; i++) expect(await find()).toBe('key_unavailable');
    clock.advance(pauseMs - 1);
    await find();
    expect(host.asked).toHaveLength(1);
    clock.advance(1);
    host.answer = SET;
    expect(await find()).toBe(key.thumbprint);
  });

  it('is asked for again at once after this node had no place for the request', async () => {
    const { host, find } = setUp(refuse('busy'));
    expect(await find()).toBe('key_busy');
    host.answer = SET;
    expect(await find()).toBe(key.thumbprint);
  });

  it('is refreshed in places that strangers cannot take', async () => {
    const { host, clock, finder, find } = setUp();
    await finder.find(CLIENT, 'till', '192.0.2.1');
    clock.advance(5 * MINUTE);
    await find();
    expect(host.behalf).toEqual([{ pool: 'strangers', caller: '192.0.2.1' }, { pool: 'known' }]);
  });

  it.each([
    ['redirects', refuse('redirected')],
    ['sends no JSON', refuse('not_json')],
    ['sends too much', refuse('too_large')],
    ['moved to a private address', refuse('address_not_allowed')],
    ['sends no key set', answer({ jwks: [] })],
    ['sends nothing', answer(undefined)],
    ['refuses', answer({}, 403)],
    ['is broken', answer({}, 500)],
  ] as const)('does not count when its host %s', async (_, trouble) => {
    const { host, clock, find } = setUp();
    await find();
    host.answer = trouble;
    clock.advance(5 * MINUTE);
    expect(await find()).toBe('key_unavailable');
    expect(await find()).toBe('key_unavailable');
    expect(host.asked).toHaveLength(2);
  });

  it('is not asked for again for half a minute at a host that never answered', async () => {
    const { host, clock, find } = setUp(refuse('unreachable'));
    for (let i = 0; i < 10; i++) expect(await find()).toBe('key_unavailable');
    expect(host.asked).toHaveLength(1);
    host.answer = SET;
    clock.advance(30_000);
    expect(await find()).toBe(key.thumbprint);
    clock.advance(MINUTE - 1);
    expect(await find('phone')).toBe('unknown_key');
    expect(host.asked).toHaveLength(2);
  });

  it('is not asked for at a URL to which nothing can be appended', async () => {
    const { host, find } = setUp();
    for (const walletAddress of [
      '',
      'till',
      'https://shop.example/till?a=1',
      'https://shop.example/till#a',
      'https://u:p@shop.example/till',
    ]) {
      expect(await find('till', { kind: 'wallet-address', id: walletAddress, walletAddress })).toBe('unknown_key');
    }
    expect(host.asked).toEqual([]);
    await find('till', { kind: 'wallet-address', id: '', walletAddress: 'https://shop.example' });
    expect(host.asked).toEqual(['https://shop.example/jwks.json']);
  });

  const clientAt = (walletAddress: string): Client => ({ kind: 'wallet-address', id: walletAddress, walletAddress });

  it('is kept for a thousand clients, and the site with the most loses the one that was used least recently', async () => {
    const { host, find } = setUp();
    await find();
    for (let i = 0; i < 1_000; i++) await find('till', clientAt(`https://${i}.greedy.example/`));
    host.asked.length = 0;
    await find();
    await find('till', clientAt('https://1.greedy.example/'));
    expect(host.asked).toEqual([]);
    await find('till', clientAt('https://0.greedy.example/'));
    expect(host.asked).toEqual(['https://0.greedy.example/jwks.json']);
  });

  it('is not forgotten because of clients that have none', async () => {
    const { host, find } = setUp();
    await find();
    host.answer = answer({ keys: [] });
    for (let i = 0; i < 2_000; i++) await find('till', clientAt(`https://made-up-${i}.example/`));
    host.asked.length = 0;
    expect(await find()).toBe(key.thumbprint);
    expect(host.asked).toEqual([]);
  });
});

describe('a key that needs no HTTP request', () => {
  it('is read from the database on every request when it is the node’s own', async () => {
    const { host, clock } = setUp();
    let living = true;
    const own = new ClientKeyFinder({
      ownKeys: { find: async () => (living ? key.clientKey : undefined) },
      http: { getJson: async () => expect.fail('no HTTP to itself') },
      clock,
    });
    expect(await own.find(CLIENT, 'till')).toEqual(ok(key.clientKey));
    living = false;
    expect(await own.find(CLIENT, 'till')).toEqual(refuse('unknown_key'));
    expect(host.asked).toEqual([]);
  });

  it('comes with the request of a client that is known by its key', async () => {
    const { host, find } = setUp();
    const client: Client = { kind: 'jwk', id: `jwk:${key.thumbprint}`, jwk: key.jwk };
    expect(await find('till', client)).toBe(key.thumbprint);
    expect(await find('phone', client)).toBe('unknown_key');
    expect(host.asked).toEqual([]);
  });
});
