import { asc } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { events } from '../journal/tables.ts';
import { ManualClock } from '../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { leastFor, parseFraction, timesDown } from './fraction.ts';
import { Rates, stillHolds } from './rates.ts';
import { rateOf, worthOf } from './testing/rates.ts';

const NOW = Date.UTC(2026, 0, 1);
const USD = { assetCode: 'USD', assetScale: 2 };
const EUR = { assetCode: 'EUR', assetScale: 2 };
let test: TestDatabase;
let clock: ManualClock;
let rates: Rates;
beforeEach(() => {
  test = openTestDatabase();
  clock = new ManualClock(NOW);
  rates = new Rates({ database: test.database, clock });
});
afterEach(() => test.dispose());

const decimal = fc
  .tuple(fc.bigInt(0n, 10n ** 18n - 1n), fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 0, maxLength: 18 }))
  .map(([whole, decimals]) => (decimals === '' ? whole.toString() : `${whole}.${decimals}`))
  .filter((text) => /[1-9]/.test(text));

describe('rates', () => {
  it('give every pair an exact rate, whatever the rate, the spread and the scales are', async () => {
    const scale = fc.integer({ min: 0, max: 18 });
    await fc.assert(
      fc.asyncProperty(decimal, fc.integer({ min: 0, max: 9_999 }), scale, scale, async (rate, spreadBps, fromScale, toScale) => {
        const [from, to] = [
          { ...USD, assetScale: fromScale },
          { ...EUR, assetScale: toScale },
        ];
        await rates.set(rateOf('USD', 'EUR', rate, NOW, { spreadBps }));
        const between = await rates.rateBetween(from, to);
        if (!between.ok) throw new Error(between.error);
        const expected = worthOf(rate, spreadBps, from, to);
        expect(between.value.numerator * expected.denominator).toBe(expected.numerator * between.value.denominator);
      }),
      { numRuns: 200 },
    );
  });

  it('apply only in their own direction, and are not needed between two scales of one currency', async () => {
    await rates.set(rateOf('USD', 'EUR', '0.9137', NOW));
    expect(await rates.rateBetween(USD, EUR)).toEqual({ ok: true, value: { numerator: 9_137n, denominator: 10_000n } });
    expect(await rates.rateBetween(EUR, USD)).toEqual({ ok: false, error: 'no_rate' });
    expect(await rates.rateBetween(USD, { ...USD, assetScale: 9 })).toEqual({
      ok: true,
      value: { numerator: 10_000_000n, denominator: 1n },
    });
    expect(await rates.rateBetween({ ...USD, assetScale: 9 }, USD)).toEqual({
      ok: true,
      value: { numerator: 1n, denominator: 10_000_000n },
    });
    expect(await rates.cost({ ...EUR, value: 1_000n }, USD)).toBe(1_095n);
    expect(await rates.cost({ ...USD, value: 1_000n }, USD)).toBe(1_000n);
    expect(await rates.cost({ ...USD, value: 1_000n }, EUR)).toBeUndefined();
  });

  it('are kept apart by both of their currencies', async () => {
    const GBP = { assetCode: 'GBP', assetScale: 2 };
    for (const [base, quote, rate] of [
      ['GBP', 'EUR', '1.2'],
      ['USD', 'EUR', '0.9'],
      ['USD', 'GBP', '0.7'],
    ] as const)
      await rates.set(rateOf(base, quote, rate, NOW));
    expect(await Promise.all([rates.rateBetween(GBP, EUR), rates.rateBetween(USD, EUR), rates.rateBetween(USD, GBP)])).toMatchObject([
      { value: { numerator: 6n, denominator: 5n } },
      { value: { numerator: 9n, denominator: 10n } },
      { value: { numerator: 7n, denominator: 10n } },
    ]);
  });

  it('hold for what was calculated by them until they change, are removed or are too old', async () => {
    const used = { from: USD, to: EUR, rate: { numerator: 1n, denominator: 2n } };
    const holds = () => stillHolds(test.database.read, used, clock.now());
    const seen = [];
    for (const rate of ['0.5', '0.25', '1.5', '0.50']) {
      await rates.set(rateOf('USD', 'EUR', rate, NOW, { maxAgeSeconds: 90 }));
      seen.push(await holds());
    }
    expect(seen).toEqual([true, false, false, true]);
    clock.advance(90_001);
    expect(await holds()).toBe(false);
    await rates.set(rateOf('USD', 'EUR', '0.5', clock.now()));
    expect(await holds()).toBe(true);
    await rates.remove('USD', 'EUR');
    expect(await holds()).toBe(false);
  });

  it('are refused when they are too old, even when they claim to be from the future', async () => {
    await rates.set(rateOf('USD', 'EUR', '0.9', NOW - 60_000, { maxAgeSeconds: 90 }));
    await rates.set(rateOf('EUR', 'USD', '1.1', NOW + 10 ** 9, { maxAgeSeconds: 90 }));
    clock.advance(30_000);
    expect([(await rates.rateBetween(USD, EUR)).ok, (await rates.rateBetween(EUR, USD)).ok]).toEqual([true, true]);
    clock.advance(1);
    expect(await rates.rateBetween(USD, EUR)).toEqual({ ok: false, error: 'rate_stale' });
    expect((await rates.list()).map(({ base, stale }) => [base, stale])).toEqual([
      ['EUR', false],
      ['USD', true],
    ]);
    clock.advance(60_000);
    expect(await rates.rateBetween(EUR, USD)).toEqual({ ok: false, error: 'rate_stale' });
  });

  it('can be replaced and removed, append events, and are still there after a restart', async () => {
    await rates.set(rateOf('USD', 'EUR', '0.9', NOW));
    await rates.set(rateOf('USD', 'EUR', '0.8', NOW, { spreadBps: 50, source: 'a bank' }));
    await rates.set(rateOf('EUR', 'USD', '1.1', NOW));
    expect(await rates.remove('EUR', 'USD')).toMatchObject({ ok: true, value: { rate: '1.1' } });
    expect(await rates.remove('EUR', 'USD')).toEqual({ ok: false, error: 'not_found' });
    expect(await rates.set(rateOf('USD', 'USD', '1', NOW))).toEqual({ ok: false, error: 'same_currency' });
    const restarted = new Rates({ database: test.database, clock });
    expect(await restarted.list()).toMatchObject([
      { base: 'USD', quote: 'EUR', rate: '0.8', spreadBps: 50, source: 'a bank', stale: false },
    ]);
    const told = await test.database.read.select({ type: events.type, subject: events.subject }).from(events).orderBy(asc(events.position));
    expect(told.map(({ type, subject }) => `${type} ${subject}`)).toEqual([
      'rate.set USD/EUR',
      'rate.set USD/EUR',
      'rate.set EUR/USD',
      'rate.removed EUR/USD',
    ]);
  });
});

describe('fractions', () => {
  it('round a product down, and find the least value whose product is large enough', () => {
    const positive = fc.bigInt(1n, 2n ** 63n - 1n);
    fc.assert(
      fc.property(positive, positive, positive, (value, numerator, denominator) => {
        const fraction = { numerator, denominator };
        const down = timesDown(value, fraction);
        expect(down * denominator <= value * numerator && value * numerator < (down + 1n) * denominator).toBe(true);
        const least = leastFor(value, fraction);
        expect(timesDown(least, fraction) >= value && timesDown(least - 1n, fraction) < value).toBe(true);
      }),
    );
  });

  it.each(['', '0', '0.000', '-1', '1e3', '1.', '.5', ' 1'])('cannot be read from %j', (text) => {
    expect(() => parseFraction(text)).toThrow(RangeError);
  });
});
