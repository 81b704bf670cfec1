import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EMPTY_PROFILE } from '../../src-shared/shop/shop-profile.ts';
import { openPeerAccount } from '../ledger/peer-accounts.ts';
import { ManualClock } from '../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { changeShop } from '../shop/shop.ts';
import { decimalOf } from './fraction.ts';
import { notePastRates, pastRatesBetween } from './past-rates.ts';
import { Rates } from './rates.ts';
import { pastRates } from './tables.ts';
import { rateOf } from './testing/rates.ts';
import { ecbFile, openRateSources } from './testing/sources.ts';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
const NOW = Date.UTC(2026, 10, 24, 18);
const ECB = 'https://ecb.example/daily.xml';
const JSON_SOURCE = 'https://rates.example/usd.json';
const ALL = { from: 0, before: Number.MAX_SAFE_INTEGER };

let test: TestDatabase;
let clock: ManualClock;
let rates: Rates;
let opened: ReturnType<typeof openRateSources>;
beforeEach(() => {
  test = openTestDatabase();
  clock = new ManualClock(NOW);
  rates = new Rates({ database: test.database, clock });
  opened = openRateSources({ database: test.database, clock });
});
afterEach(() => test.dispose());

const set = (rate: string, more: Parameters<typeof rateOf>[4] = {}) => rates.set(rateOf('USD', 'EUR', rate, clock.now(), more));
const rowsOf = () => test.database.read.select().from(pastRates).orderBy(pastRates.base, pastRates.since);

/** What counted at a moment, as decimal text. */
async function at(moment: number, base = 'USD', quote = 'EUR'): Promise<string | undefined> {
  const rate = (await pastRatesBetween(test.database.read, base, quote, ALL))(moment);
  return rate && decimalOf(rate);
}

/** Lets a source be read that says one rate of the pair, as often as its answer changes. */
async function sourceOfUsd(): Promise<(rate: string) => Promise<void>> {
  const place = { kind: 'json', url: JSON_SOURCE, base: 'USD', quote: 'EUR', path: 'rate', datePath: null } as const;
  const added = await opened.rateSources.add({ id: randomUUID(), name: 'rates', place, everySeconds: 60, isOn: true });
  if (!added.ok) throw new Error(added.error);
  return async (rate) => {
    opened.answers.set(JSON_SOURCE, `{"rate": ${rate}}`);
    await opened.rateSources.look(added.value.id);
  };
}

describe('a rate that was set by hand', () => {
  it('counted from then on, until another one was set, and without margin', async () => {
    await set('0.9', { spreadBps: 200 });
    clock.advance(10 * MINUTE_MS);
    await set('0.8');
    expect([await at(NOW - 1), await at(NOW), await at(clock.now() - 1), await at(clock.now())]).toEqual([undefined, '0.9', '0.9', '0.8']);
    expect(await at(NOW, 'EUR', 'USD')).toBe('1.111111111');
  });

  it('did not count once it was too old, or removed', async () => {
    await set('0.9');
    expect([await at(NOW + HOUR_MS - 1), await at(NOW + HOUR_MS)]).toEqual(['0.9', undefined]);
    clock.advance(MINUTE_MS);
    await rates.remove('USD', 'EUR');
    expect([await at(NOW + MINUTE_MS - 1), await at(NOW + MINUTE_MS)]).toEqual(['0.9', undefined]);
  });

  it('that was too old leaves a gap, also when the same rate is set again', async () => {
    await set('0.9');
    clock.advance(2 * HOUR_MS);
    await set('0.9');
    expect([await at(NOW + HOUR_MS + 1), await at(clock.now())]).toEqual([undefined, '0.9']);
  });

  it('of a clock that was ahead counts no more once the clock is right', async () => {
    clock.jump(30 * DAY_MS);
    await set('0.5');
    clock.jump(-30 * DAY_MS);
    await set('0.9', { maxAgeSeconds: 60 * 86_400 });
    expect([await at(clock.now()), await at(clock.now() + 30 * DAY_MS)]).toEqual(['0.9', '0.9']);
  });
});

describe('what a source says', () => {
  it('is kept once an hour at most, and goes on while it stays the same', async () => {
    const say = await sourceOfUsd();
    await opened.followedRates.follow({
      base: 'USD',
      quote: 'EUR',
      spreadBps: 50,
      maxJumpBps: 9_999,
      maxAgeSeconds: 3_600,
      fallsBack: false,
    });
    for (let minute = 0; minute < 150; minute += 1) {
      await say(`0.9${String(minute).padStart(3, '0')}1`);
      clock.advance(MINUTE_MS);
    }
    expect(await rowsOf()).toHaveLength(3);
    expect([await at(NOW), await at(NOW + 59 * MINUTE_MS), await at(NOW + HOUR_MS)]).toEqual(['0.90001', '0.90001', '0.90601']);
    for (let minute = 0; minute < 150; minute += 1) {
      await say('0.95');
      clock.advance(MINUTE_MS);
    }
    expect(await rowsOf()).toHaveLength(4);
    expect(await at(clock.now())).toBe('0.95');
  });

  it('values each currency in the books in the home currency, without a pair that exchanges', async () => {
    await test.database.write(async (tx) => {
      for (const assetCode of ['USD', 'GBP', 'EUR']) await openPeerAccount(tx, assetCode, { assetCode, assetScale: 2 }, 1n, 0);
    });
    const added = await opened.rateSources.add({
      ...{ id: randomUUID(), name: 'ECB', everySeconds: 3_600, isOn: true },
      place: { kind: 'ecb', url: ECB },
    });
    if (!added.ok) throw new Error(added.error);
    opened.answers.set(ECB, ecbFile('2026-11-24', { USD: '1.25', GBP: '0.8', JPY: '160' }));
    await opened.rateSources.look(added.value.id);
    expect(await rowsOf()).toEqual([]);
    await test.database.write(async (tx) => {
      await changeShop(tx, { profile: { ...EMPTY_PROFILE, homeCurrency: 'EUR' } });
      await notePastRates(tx, clock.now());
    });
    expect((await rowsOf()).map(({ base, quote }) => `${base}/${quote}`)).toEqual(['GBP/EUR', 'USD/EUR']);
    expect([await at(NOW), await at(NOW, 'GBP')]).toEqual(['0.8', '1.25']);
    // A rate of that day is a value for a week.
    expect([await at(Date.UTC(2026, 10, 30)), await at(Date.UTC(2026, 11, 2))]).toEqual(['0.8', undefined]);
    // A pair that has a rate of its own has that one.
    await set('0.7', { maxAgeSeconds: 60 });
    expect([await at(NOW), await at(NOW + MINUTE_MS)]).toEqual(['0.7', undefined]);
    clock.advance(MINUTE_MS);
    await opened.rateSources.look(added.value.id);
    expect(await at(clock.now())).toBe('0.8');
  });
});

it.each([
  ['USD', 'EUR', '0.8'],
  ['EUR', 'USD', '0.8'],
])('a source that is mad changes no value while %s follows the sources in %s', async (base, quote, before) => {
  await test.database.write(async (tx) => {
    await openPeerAccount(tx, 'p', { assetCode: 'USD', assetScale: 2 }, 1n, 0);
    await changeShop(tx, { profile: { ...EMPTY_PROFILE, homeCurrency: 'EUR' } });
  });
  const added = await opened.rateSources.add({
    ...{ id: randomUUID(), name: 'ECB', everySeconds: 3_600, isOn: true },
    place: { kind: 'ecb', url: ECB },
  });
  if (!added.ok) throw new Error(added.error);
  const say = async (usd: string) => {
    opened.answers.set(ECB, ecbFile('2026-11-24', { USD: usd }));
    await opened.rateSources.look(added.value.id);
  };
  await say('1.25');
  await opened.followedRates.follow({ base, quote, spreadBps: 0, maxJumpBps: 500, maxAgeSeconds: 2 * 86_400, fallsBack: false });
  clock.advance(2 * HOUR_MS);
  await say('125');
  expect(await at(clock.now())).toBe(before);
  clock.advance(2 * DAY_MS);
  await say('125');
  // The believed rate is too old by now, and no other one counts.
  expect(await at(clock.now(), base, quote)).toBeUndefined();
});

it('past rates never overlap, and what counted at a moment never changes afterwards', async () => {
  const step = fc.record({
    what: fc.constantFrom('set', 'set', 'remove', 'say', 'say', 'follow', 'unfollow'),
    rate: fc.integer({ min: 8_000, max: 9_999 }).map((digits) => `0.${digits}`),
    minutes: fc.integer({ min: 0, max: 100 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      await test.dispose();
      test = openTestDatabase();
      clock = new ManualClock(NOW);
      rates = new Rates({ database: test.database, clock });
      opened = openRateSources({ database: test.database, clock });
      const say = await sourceOfUsd();
      const seen: [moment: number, rate: string | undefined][] = [];
      for (const { what, rate, minutes } of steps) {
        if (what === 'set') await set(rate);
        if (what === 'remove') await rates.remove('USD', 'EUR');
        if (what === 'say') await say(rate);
        const pair = { base: 'USD', quote: 'EUR', spreadBps: 0, maxJumpBps: 9_999, maxAgeSeconds: 1_800, fallsBack: false };
        if (what === 'follow') await opened.followedRates.follow(pair);
        if (what === 'unfollow') await opened.followedRates.unfollow('USD', 'EUR');
        clock.advance(minutes * MINUTE_MS + 1);
        // A moment that is over, as a statement of it would have said it.
        seen.push([clock.now() - 1, await at(clock.now() - 1)]);
      }
      const rows = await rowsOf();
      for (const [place, { until }] of rows.entries()) expect(until).toBeLessThanOrEqual(rows[place + 1]?.since ?? until);
      for (const [moment, rate] of seen) expect(await at(moment)).toBe(rate);
    }),
    { numRuns: 25 },
  );
});
