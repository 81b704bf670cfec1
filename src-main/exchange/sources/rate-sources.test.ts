import { randomUUID } from 'node:crypto';
import { asc } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { events } from '../../journal/tables.ts';
import { ManualClock } from '../../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing/test-database.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { decimalOf, parseFraction } from '../fraction.ts';
import { Rates } from '../rates.ts';
import { rateBy } from '../said-rates.ts';
import { rateOf } from '../testing/rates.ts';
import { ecbFile, openRateSources } from '../testing/sources.ts';
import { isWithin } from './believing.ts';
import type { RateSource } from './rate-sources.ts';
import { RatesWorker } from './rates-worker.ts';
import type { SourcePlace } from './read-source.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 24, 18);
const ECB = 'https://ecb.example/daily.xml';
const OTHER = 'https://rates.example/usd.json';
const USD = { assetCode: 'USD', assetScale: 2 };
const EUR = { assetCode: 'EUR', assetScale: 2 };
const GBP = { assetCode: 'GBP', assetScale: 2 };
const usdEur: SourcePlace = { kind: 'json', url: OTHER, base: 'USD', quote: 'EUR', path: 'rate', datePath: null };

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

const add = async (place: SourcePlace, name: string = place.kind, isOn = true): Promise<RateSource> => {
  const added = await opened.rateSources.add({ id: randomUUID(), name, place, everySeconds: 3_600, isOn });
  if (!added.ok) throw new Error(added.error);
  return added.value;
};
const look = async ({ id }: RateSource): Promise<RateSource> => {
  const looked = await opened.rateSources.look(id);
  if (!looked.ok) throw new Error(looked.error);
  return looked.value;
};
const follow = (base: string, quote: string, more: Partial<Parameters<typeof opened.followedRates.follow>[0]> = {}) =>
  opened.followedRates.follow({ base, quote, spreadBps: 0, maxJumpBps: 500, maxAgeSeconds: 5 * 86_400, fallsBack: false, ...more });
/** The rate by which payments are exchanged, as decimal text, or why there is none. */
const exchanged = async (from = USD, to = EUR): Promise<string> => {
  const rate = await rates.rateBetween(from, to);
  return rate.ok ? decimalOf(rate.value) : rate.error;
};
const pair = async () => (await opened.followedRates.list())[0] ?? expect.fail('no pair follows');

describe('rates of a source', () => {
  it('are exact in both directions and across the euro', async () => {
    opened.answers.set(ECB, ecbFile('2026-11-24', { USD: '1.0832', GBP: '0.8321' }));
    await look(await add({ kind: 'ecb', url: ECB }));
    for (const [base, quote] of [
      ['EUR', 'USD'],
      ['USD', 'EUR'],
      ['USD', 'GBP'],
    ] as const)
      await follow(base, quote);
    expect(await rates.rateBetween(EUR, USD)).toEqual({ ok: true, value: { numerator: 677n, denominator: 625n } });
    expect(await rates.rateBetween(USD, EUR)).toEqual({ ok: true, value: { numerator: 625n, denominator: 677n } });
    expect(await rates.rateBetween(USD, GBP)).toEqual({ ok: true, value: { numerator: 8_321n, denominator: 10_832n } });
    expect(await exchanged(GBP, EUR)).toBe('no_rate');
  });

  it('across the common currency have no rounding, whatever the two rates are', () => {
    const decimal = fc.tuple(fc.bigInt(1n, 10n ** 12n), fc.integer({ min: 0, max: 12 })).map(([n, places]) => ({ n, places }));
    const text = ({ n, places }: { n: bigint; places: number }) => {
      const digits = n.toString().padStart(places + 1, '0');
      return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
    };
    fc.assert(
      fc.property(decimal, decimal, (usd, gbp) => {
        const cross = rateBy({ base: 'EUR', rates: { USD: text(usd), GBP: text(gbp) } }, 'USD', 'GBP');
        // gbp / usd, by the definition of a decimal number.
        expect((cross?.numerator ?? 0n) * usd.n * 10n ** BigInt(gbp.places)).toBe(
          (cross?.denominator ?? 0n) * gbp.n * 10n ** BigInt(usd.places),
        );
      }),
    );
  });

  it('have the margin taken off, and follow what the source says next', async () => {
    opened.answers.set(OTHER, '{"rate":0.9}');
    const source = await add(usdEur);
    await follow('USD', 'EUR', { spreadBps: 100 });
    expect(await exchanged()).toBe('no_rate');
    await look(source);
    expect(await exchanged()).toBe('0.891');
    opened.answers.set(OTHER, '{"rate":0.91}');
    await look(source);
    expect(await exchanged()).toBe('0.9009');
  });
});

describe('a clock that was ahead and is put right', () => {
  it('keeps no rate that a source says without a date from being stored', async () => {
    opened.answers.set(OTHER, '{"rate":0.9}');
    const source = await add(usdEur);
    await follow('USD', 'EUR');
    clock.jump(10 * 3_600_000);
    await look(source);
    clock.jump(-10 * 3_600_000);
    opened.answers.set(OTHER, '{"rate":0.91}');
    await look(source);
    expect(await exchanged()).toBe('0.91');
  });
});

describe('a source that is down, malformed, huge or too old', () => {
  const trouble = [
    ['unreachable', { problem: 'unreachable' }, 'unreachable'],
    ['silent', { problem: 'timed_out' }, 'timed_out'],
    ['in a private network', { problem: 'address_not_allowed' }, 'address_not_allowed'],
    ['huge', { problem: 'too_large' }, 'too_large'],
    ['failing', { status: 500 }, 'refused'],
    ['empty', { status: 204 }, 'refused'],
    ['malformed', '<html>', 'not_readable'],
    ['without a rate', '{"rate":"?"}', 'no_rate'],
    ['below zero', '{"rate":-1}', 'no_rate'],
  ] as const;

  it.each(trouble)('changes no rate and no other source while it is %s', async (_what, answer, problem) => {
    opened.answers.set(OTHER, '{"rate":0.9}');
    const source = await add(usdEur);
    await follow('USD', 'EUR');
    await look(source);
    const before = await pair();
    clock.advance(60_000);
    opened.answers.set(OTHER, answer);
    expect(await look(source)).toMatchObject({ problem, failures: 1, said: { rates: { EUR: '0.9' } } });
    expect(await pair()).toEqual(before);
    expect(await exchanged()).toBe('0.9');
    opened.answers.set(OTHER, '{"rate":0.9}');
    expect(await look(source)).toMatchObject({ problem: null, failures: 0 });
  });

  it('leaves the pair its last rate until that is too old, and then stops it', async () => {
    opened.answers.set(ECB, ecbFile('2026-11-24', { USD: '1.25' }));
    const source = await add({ kind: 'ecb', url: ECB });
    await look(source);
    await follow('EUR', 'USD');
    opened.answers.delete(ECB);
    clock.advance(5 * DAY_MS - 4 * 3_600_000);
    await look(source);
    expect(await exchanged(EUR, USD)).toBe('1.25');
    clock.advance(1);
    expect(await exchanged(EUR, USD)).toBe('rate_stale');
    opened.answers.set(ECB, ecbFile('2026-11-24', { USD: '1.25' }));
    await look(source);
    expect(await exchanged(EUR, USD)).toBe('rate_stale');
    opened.answers.set(ECB, ecbFile('2026-11-29', { USD: '1.26' }));
    await look(source);
    expect(await exchanged(EUR, USD)).toBe('1.26');
  });

  it('leads to the rate that was set by hand only where the operator wants that', async () => {
    await rates.set(rateOf('USD', 'EUR', '0.7', NOW, { maxAgeSeconds: 30 * 86_400 }));
    opened.answers.set(OTHER, '{"rate":0.7}');
    await look(await add(usdEur));
    await follow('USD', 'EUR', { maxAgeSeconds: 60 });
    clock.advance(60_001);
    expect(await exchanged()).toBe('rate_stale');
    await follow('USD', 'EUR', { maxAgeSeconds: 60, fallsBack: true });
    await rates.set(rateOf('USD', 'EUR', '0.71', NOW, { maxAgeSeconds: 30 * 86_400 }));
    expect(await exchanged()).toBe('0.71');
    clock.advance(31 * DAY_MS);
    expect(await exchanged()).toBe('rate_stale');
    await opened.followedRates.unfollow('USD', 'EUR');
    await rates.remove('USD', 'EUR');
    expect(await exchanged()).toBe('no_rate');
  });

  it('does not make a rate younger by a date in the future or by a file of the day before', async () => {
    const dated: SourcePlace = { ...usdEur, datePath: 'at' };
    opened.answers.set(OTHER, `{"rate":0.9,"at":"${new Date(NOW + 2 * DAY_MS).toISOString()}"}`);
    const source = await add(dated);
    await follow('USD', 'EUR', { maxAgeSeconds: 3_600 });
    expect(await look(source)).toMatchObject({ problem: 'from_future', said: null });
    opened.answers.set(OTHER, `{"rate":0.9,"at":"${new Date(NOW + 3_600_000).toISOString()}"}`);
    expect(await look(source)).toMatchObject({ said: { asOf: NOW } });
    clock.advance(60_000);
    opened.answers.set(OTHER, `{"rate":0.91,"at":"${new Date(NOW - 1_000).toISOString()}"}`);
    expect(await look(source)).toMatchObject({ problem: 'older', said: { rates: { EUR: '0.9' } } });
    expect(await exchanged()).toBe('0.9');
  });
});

describe('a rate that jumps', () => {
  const jumped = async () => {
    opened.answers.set(OTHER, '{"rate":0.9}');
    const source = await add(usdEur, 'The exchange');
    await follow('USD', 'EUR');
    await look(source);
    opened.answers.set(OTHER, '{"rate":0.9451}');
    await look(source);
    return source;
  };

  it('is believed up to the largest jump, and not beyond', () => {
    const at = (rate: string, before: string) => isWithin(parseFraction(rate), parseFraction(before), 500);
    expect([at('105', '100'), at('105.000001', '100'), at('95', '100'), at('94.999999', '100')]).toEqual([true, false, true, false]);
  });

  it('waits for the operator, who confirms just that rate', async () => {
    const source = await jumped();
    expect(await exchanged()).toBe('0.9');
    expect(await pair()).toMatchObject({ rate: '9/10', refused: '9451/10000', refusedSource: 'The exchange' });
    opened.answers.set(OTHER, '{"rate":0.95}');
    await look(source);
    expect(await opened.followedRates.confirmJump('USD', 'EUR', '9451/10000')).toEqual({ ok: false, error: 'jump_changed' });
    expect(await opened.followedRates.confirmJump('USD', 'EUR', '19/20')).toMatchObject({ ok: true });
    expect(await exchanged()).toBe('0.95');
    expect(await opened.followedRates.confirmJump('USD', 'EUR', '19/20')).toEqual({ ok: false, error: 'jump_changed' });
    expect(await opened.followedRates.confirmJump('EUR', 'USD', '19/20')).toEqual({ ok: false, error: 'not_found' });
  });

  it('is forgotten when the source comes to its senses', async () => {
    const source = await jumped();
    opened.answers.set(OTHER, '{"rate":0.91}');
    await look(source);
    expect(await pair()).toMatchObject({ rate: '91/100', refused: null, refusedSource: null, refusedAsOf: null });
  });

  it('gives way to the next source that has not jumped', async () => {
    const source = await jumped();
    opened.answers.set(ECB, ecbFile('2026-11-24', { USD: '1.1' }));
    await look(await add({ kind: 'ecb', url: ECB }));
    expect(await pair()).toMatchObject({ rate: '10/11', source: 'ecb', refused: '9451/10000' });
    expect((await opened.rateSources.list()).map(({ name }) => name)).toEqual(['The exchange', 'ecb']);
    opened.answers.set(OTHER, '{"rate":0.92}');
    await look(source);
    expect(await pair()).toMatchObject({ rate: '23/25', source: 'The exchange', refused: null });
  });

  it('is measured against the rate that was set by hand as long as no source was believed', async () => {
    await rates.set(rateOf('USD', 'EUR', '0.5', NOW));
    opened.answers.set(OTHER, '{"rate":0.9}');
    await follow('USD', 'EUR', { fallsBack: true });
    await look(await add(usdEur));
    expect(await exchanged()).toBe('0.5');
    expect(await opened.followedRates.confirmJump('USD', 'EUR', '9/10')).toMatchObject({ ok: true });
    expect(await exchanged()).toBe('0.9');
  });
});

describe('the order of sources', () => {
  it('is that in which they were added, until the operator prefers one or switches one off', async () => {
    opened.answers.set(OTHER, '{"rate":0.9}').set(ECB, ecbFile('2026-11-24', { USD: '1.1' }));
    const [json, ecb] = [await add(usdEur), await add({ kind: 'ecb', url: ECB }, 'ecb', false)];
    await look(json);
    await look(ecb);
    await follow('USD', 'EUR');
    expect((await pair()).source).toBe('json');
    await opened.rateSources.prefer(ecb.id);
    expect((await pair()).source).toBe('json');
    await opened.rateSources.switch(ecb.id, true);
    expect((await pair()).source).toBe('ecb');
    await opened.rateSources.remove(ecb.id);
    expect((await pair()).source).toBe('json');
    expect(await opened.rateSources.remove(ecb.id)).toEqual({ ok: false, error: 'not_found' });
  });

  it('leads to the next source when what the first said is too old', async () => {
    opened.answers.set(OTHER, '{"rate":0.92}').set(ECB, ecbFile('2026-11-23', { USD: '1.1' }));
    await look(await add({ kind: 'ecb', url: ECB }));
    await look(await add(usdEur));
    await follow('USD', 'EUR', { maxAgeSeconds: 2 * 86_400 });
    expect((await pair()).source).toBe('ecb');
    await follow('USD', 'EUR', { maxAgeSeconds: 86_400 });
    expect(await pair()).toMatchObject({ source: 'json', rate: '23/25' });
  });

  it('has at most twenty of them, and each only once', async () => {
    const id = randomUUID();
    const source = { id, name: 'One', place: { kind: 'ecb', url: ECB }, everySeconds: 3_600, isOn: false } as const;
    expect(await opened.rateSources.add(source)).toEqual(await opened.rateSources.add(source));
    for (let nth = 1; nth < 20; nth += 1) await add({ kind: 'ecb', url: ECB });
    expect(await opened.rateSources.add({ ...source, id: randomUUID() })).toEqual({ ok: false, error: 'too_many' });
  });
});

describe('the worker', () => {
  const openWorker = (isMine = () => true) => {
    const looks: string[] = [];
    const sources = {
      list: () => opened.rateSources.list(),
      look: (id: string) => {
        looks.push(id);
        return opened.rateSources.look(id);
      },
    };
    return { worker: new RatesWorker({ sources, clock, log: createLogger('silent'), isMine }), looks };
  };

  it('looks as often as it was told, sooner after a failure, and never because the clock was put forward', async () => {
    const { worker, looks } = openWorker();
    await add(usdEur);
    const passed = async (ms: number): Promise<number> => {
      clock.advance(ms);
      const before = looks.length;
      await worker.doDue();
      return looks.length - before;
    };
    opened.answers.set(OTHER, '{"rate":0.9}');
    expect([await passed(0), await passed(3_599_999), await passed(1)]).toEqual([1, 0, 1]);
    clock.jump(10 * 3_600_000);
    expect(await passed(3_599_999)).toBe(0);
    opened.answers.delete(OTHER);
    expect([await passed(1), await passed(60_000), await passed(60_000), await passed(60_000)]).toEqual([1, 1, 0, 1]);
  });

  it('goes on after a restart where it was, and waits no longer however the clock was set', async () => {
    opened.answers.set(OTHER, '{"rate":0.9}');
    await look(await add(usdEur));
    clock.advance(3_000_000);
    clock.jump(-40 * DAY_MS);
    const { worker, looks } = openWorker();
    await worker.doDue();
    clock.advance(3_599_999);
    await worker.doDue();
    expect(looks).toHaveLength(0);
    clock.advance(1);
    await worker.doDue();
    expect(looks).toHaveLength(1);
  });

  it('looks at no source that is switched off, and not where another replica does it', async () => {
    const [mine, others] = [openWorker(), openWorker(() => false)];
    await add(usdEur, 'off', false);
    await mine.worker.doDue();
    others.worker.start();
    await others.worker.stop();
    expect([...mine.looks, ...others.looks]).toEqual([]);
  });
});

it('the journal has the origin of a source, and no key that its URL may hold', async () => {
  await add({ ...usdEur, url: `${OTHER}?access_key=do-not-tell` });
  const [told] = await test.database.read.select({ body: events.body }).from(events);
  expect(told?.body).toEqual({ name: 'json', origin: 'https://rates.example' });
});

it('every change of a rate is an event, in the write that changes it', async () => {
  opened.answers.set(OTHER, '{"rate":0.9}');
  const source = await add(usdEur);
  await follow('USD', 'EUR');
  await look(source);
  opened.answers.set(OTHER, '{"rate":9}');
  await look(source);
  await opened.followedRates.confirmJump('USD', 'EUR', '9/1');
  await opened.exchangeFees.set({ base: 'USD', quote: 'EUR', fixed: '0.1', minimum: '0', shareBps: 5 });
  await opened.exchangeFees.remove('USD', 'EUR');
  await opened.followedRates.unfollow('USD', 'EUR');
  await opened.rateSources.remove(source.id);
  const told = await test.database.read.select({ type: events.type }).from(events).orderBy(asc(events.position));
  expect(told.map(({ type }) => type)).toEqual([
    'rate_source.added',
    'rate.followed',
    'rate_source.looked',
    'rate.moved',
    'rate_source.looked',
    'rate.jump_refused',
    'rate.jump_confirmed',
    'rate.fee_set',
    'rate.fee_removed',
    'rate.unfollowed',
    'rate_source.removed',
  ]);
});
