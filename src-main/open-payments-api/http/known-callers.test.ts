import { expect, it } from 'vitest';
import { ManualClock } from '../../platform/clock.ts';
import { KnownCallers } from './known-callers.ts';

const signedWith = (keyId: string, authorization?: string) => ({
  'signature-input': `sig1=();created=1;keyid="${keyId}"`,
  ...(authorization !== undefined && { authorization }),
});

it('an app stays known when a stranger signs with a key of the same id', () => {
  const known = new KnownCallers(new ManualClock(0));
  known.remember(signedWith('till'), 'https://shop.example/app');
  known.forget(signedWith('till'), 'https://stranger.example/app');
  expect(known.knownSigns(signedWith('till'))).toEqual(['key till']);
});

it('an app that the node trusts no more is known no more, by its token nor by its key', () => {
  const known = new KnownCallers(new ManualClock(0));
  const headers = signedWith('till', 'GNAP secret');
  known.remember(headers, 'https://shop.example/app');
  expect(known.knownSigns(headers)).toHaveLength(2);
  known.forget(headers, 'https://shop.example/app');
  expect(known.knownSigns(headers)).toEqual([]);
});

it('each sign opens the door by itself, the one first that is harder to copy', () => {
  const known = new KnownCallers(new ManualClock(0));
  const cookie = `other=1; __Secure-paydesk-till=${'d'.repeat(43)}`;
  const all = { ...signedWith('till', 'GNAP secret'), cookie };
  known.remember(all, 'https://shop.example/app');
  const [token, key, device, ...others] = known.knownSigns(all);
  expect([token, key, device, others]).toEqual([expect.stringMatching(/^token /), 'key till', expect.stringMatching(/^till /), []]);
  expect(`${token} ${device}`).not.toMatch(/secret|ddd/);
  expect(known.knownSigns({ authorization: 'GNAP secret' })).toEqual([token]);
  expect(known.knownSigns(signedWith('till'))).toEqual([key]);
  expect(known.knownSigns({ cookie: `paydesk_till_8080=${'d'.repeat(43)}` })).toEqual([device]);
  expect(known.knownSigns({})).toEqual([]);
  expect(known.knownSigns({ ...signedWith('tills', 'GNAP other'), cookie: `paydesk_till_8080=${'e'.repeat(43)}` })).toEqual([]);
});

it('a request without a key has no sign, and lets nobody else in', () => {
  const known = new KnownCallers(new ManualClock(0));
  known.remember({}, 'https://shop.example/app');
  expect(known.knownSigns({ 'signature-input': 'sig1=();created=1' })).toEqual([]);
  expect(known.knownSigns({})).toEqual([]);
});

it('a caller stays known for a day after its last good signature', () => {
  const clock = new ManualClock(0);
  const known = new KnownCallers(clock);
  for (const hours of [0, 23, 23]) {
    clock.advance(hours * 3_600_000);
    known.remember(signedWith('till'), 'https://shop.example/app');
  }
  clock.advance(24 * 3_600_000 - 1);
  expect(known.knownSigns(signedWith('till'))).toHaveLength(1);
  clock.advance(1);
  expect(known.knownSigns(signedWith('till'))).toEqual([]);
});

it('ten thousand signs are kept, and those go that were seen longest ago', () => {
  const known = new KnownCallers(new ManualClock(0));
  for (let n = 0; n < 10_000; n++) known.remember(signedWith(`k${n}`), 'https://shop.example/app');
  const isKnown = (...ns: number[]) => ns.map((n) => known.knownSigns(signedWith(`k${n}`)).length);
  expect(isKnown(0, 1, 9_999)).toEqual([1, 1, 1]);
  known.remember(signedWith('k0'), 'https://shop.example/app');
  for (const n of [10_000, 10_001]) known.remember(signedWith(`k${n}`), 'https://shop.example/app');
  expect(isKnown(0, 1, 2, 3, 10_001)).toEqual([1, 0, 0, 1, 1]);
});
