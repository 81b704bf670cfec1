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
