import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MOST_LOGO_BYTES } from '../../src-shared/shop/shop-limits.ts';
import { EMPTY_PROFILE, ShopProfile } from '../../src-shared/shop/shop-profile.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { logoTypeOf } from './logo-type.ts';
import { changeShop, logoFrom, logoOf, readLogo, readShop, setLogo } from './shop.ts';

let test: TestDatabase;
beforeEach(() => {
  test = openTestDatabase();
});
afterEach(() => test.dispose());

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const PNG = bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01');
const JPEG = bytes('\xff\xd8\xff\xe0\0\x10JFIF');
const WEBP = bytes('RIFF\x24\0\0\0WEBPVP8 ');

describe('the settings of the shop', () => {
  it('are those of nobody before anything is set', async () => {
    expect(await readShop(test.database.read)).toMatchObject({ profile: EMPTY_PROFILE, tillMinutes: 10 });
  });

  it('change one by one, and the others stay', async () => {
    const profile = { ...EMPTY_PROFILE, name: 'Books & Tea', dayEndsAt: 180 };
    await test.database.write((tx) => changeShop(tx, { timeZone: 'Asia/Tokyo' }));
    await test.database.write((tx) => changeShop(tx, { profile }));
    await test.database.write((tx) => changeShop(tx, { tillMinutes: 5 }));
    expect(await readShop(test.database.read)).toEqual({
      profile,
      days: { timeZone: 'Asia/Tokyo', dayEndsAt: 180 },
      tillMinutes: 5,
      tipPercents: null,
    });
  });

  it('have what a later version has added', async () => {
    await test.database.write((tx) => changeShop(tx, { profile: { name: 'Old' } }));
    expect((await readShop(test.database.read)).profile).toEqual({ ...EMPTY_PROFILE, name: 'Old' });
  });

  it.each([
    ['a day that ends in the afternoon', { dayEndsAt: 720 }],
    ['a day that ends between two quarters of an hour', { dayEndsAt: 181 }],
    ['a colour that is no colour', { colour: 'red;}' }],
    ['a name in two lines', { name: 'a\nb' }],
    ['rates without a default', { taxRates: [{ id: 'a', name: 'A', rate: 1 }] }],
    ['a default that is no rate', { defaultTaxRate: 'b' }],
    ['two rates with one id', { taxRates: [1, 2].map((rate) => ({ id: 'a', name: 'A', rate })), defaultTaxRate: 'a' }],
    ['a rate above 100 %', { taxRates: [{ id: 'a', name: 'A', rate: 100_001 }], defaultTaxRate: 'a' }],
    ['a rate between two thousandths', { taxRates: [{ id: 'a', name: 'A', rate: 0.5 }], defaultTaxRate: 'a' }],
    ['nine rates', { taxRates: Array.from({ length: 9 }, (_, at) => ({ id: `r${at}`, name: 'A', rate: 1 })), defaultTaxRate: 'r1' }],
    ['seven lines of an address', { address: Array.from({ length: 7 }, () => 'a') }],
  ])('refuse %s', (_, change) => {
    expect(ShopProfile.safeParse(EMPTY_PROFILE).success).toBe(true);
    expect(ShopProfile.safeParse({ ...EMPTY_PROFILE, ...change }).success).toBe(false);
  });
});

describe('the logo', () => {
  it.each([
    ['PNG', PNG, 'image/png'],
    ['JPEG', JPEG, 'image/jpeg'],
    ['WebP', WEBP, 'image/webp'],
    ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), undefined],
    ['a page', bytes('<!doctype html><script>'), undefined],
    ['GIF', bytes('GIF89a'), undefined],
    ['nothing', bytes(''), undefined],
    ['the name of a PNG alone', bytes('\x89PNG'), undefined],
  ])('%s is known by its bytes', (_, picture, type) => {
    expect(logoTypeOf(picture)).toBe(type);
  });

  it('is refused when it is too large or no picture', () => {
    expect(logoFrom(Buffer.concat([JPEG, Buffer.alloc(MOST_LOGO_BYTES - JPEG.length)]))?.type).toBe('image/jpeg');
    expect(logoFrom(Buffer.concat([JPEG, Buffer.alloc(MOST_LOGO_BYTES)]))).toBeUndefined();
    expect(logoFrom(bytes('<svg>'))).toBeUndefined();
  });

  it('is replaced and removed', async () => {
    expect(await logoOf(test.database.read)).toBeUndefined();
    const dots = { width: 8, height: 1, data: 'gA==' };
    for (const [picture, as] of [
      [PNG, dots],
      [WEBP, undefined],
    ] as const) {
      await test.database.write((tx) => setLogo(tx, logoFrom(picture, as)));
      expect(await readLogo(test.database.read)).toMatchObject({ bytes: picture, dots: as ?? null, ...(await logoOf(test.database.read)) });
    }
    await test.database.write((tx) => setLogo(tx, undefined));
    expect(await readLogo(test.database.read)).toBeUndefined();
  });
});
