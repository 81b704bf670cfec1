import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assetKey, MAX_MOVED, MAX_STATED, parseUint64, sameAsset, toDecimal } from './amounts.ts';

const uint64 = fc.bigInt({ min: 0n, max: MAX_STATED });
const scale = fc.integer({ min: 0, max: 18 });

describe('parseUint64', () => {
  it('reads every unsigned 64-bit integer in its canonical form', () => {
    fc.assert(
      fc.property(uint64, (value) => {
        expect(parseUint64(value.toString())).toBe(value);
      }),
    );
    expect(parseUint64('0')).toBe(0n);
    expect(parseUint64('18446744073709551615')).toBe(2n ** 64n - 1n);
  });

  it.each([
    '',
    '01',
    '00',
    '+1',
    '-1',
    '-0',
    '1e3',
    '1.0',
    ' 1',
    '1 ',
    '1\n',
    '0x1',
    '1_000',
    '１',
    '18446744073709551616',
    '99999999999999999999999',
  ])('refuses %j', (text) => expect(parseUint64(text)).toBeUndefined());

  it('refuses every other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const value = parseUint64(text);
        expect(value === undefined || value.toString() === text).toBe(true);
      }),
    );
  });
});

describe('decimal text', () => {
  it.each([
    [0n, 2, '0.00'],
    [5n, 2, '0.05'],
    [-5n, 2, '-0.05'],
    [1_250n, 2, '12.50'],
    [1_250n, 0, '1250'],
    [1n, 18, '0.000000000000000001'],
    [MAX_MOVED, 9, '9223372036.854775807'],
  ])('writes %s at scale %i as %s', (value, places, text) => expect(toDecimal(value, places)).toBe(text));

  it('writes a negative amount like the positive one, with a sign', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: MAX_MOVED }), scale, (value, places) => {
        expect(toDecimal(-value, places)).toBe(`-${toDecimal(value, places)}`);
      }),
    );
  });
});

describe('assets', () => {
  it('are the same when code and scale are the same', () => {
    const usd = { assetCode: 'USD', assetScale: 2 };
    expect(sameAsset(usd, { ...usd })).toBe(true);
    expect(sameAsset(usd, { ...usd, assetScale: 9 })).toBe(false);
    expect(sameAsset(usd, { ...usd, assetCode: 'EUR' })).toBe(false);
    expect(assetKey(usd)).toBe('USD/2');
  });
});
