import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blackDots, dotsOf, type LogoDots } from '../../../src-shared/shop/logo-dots.ts';
import { MOST_LOGO_DOTS } from '../../../src-shared/shop/shop-limits.ts';
import { LogoDotsData } from '../../../src-shared/shop/shop-profile.ts';
import { dottedPixels, dottedSize } from './dotted-picture.ts';

/** A picture of one colour, 16 dots wide and high. */
const plain = (...colour: [red: number, green: number, blue: number, opacity: number]) => ({
  width: 16,
  data: Uint8ClampedArray.from(Array.from({ length: 256 }, () => colour).flat()),
});
const blackIn = (dots: LogoDots): number => blackDots(dots).filter((isBlack) => isBlack).length;

describe('a picture on a receipt printer', () => {
  it('has black where it is black, and nothing where it is white or one sees through', () => {
    expect(blackIn(dottedPixels(plain(0, 0, 0, 255)))).toBe(256);
    expect(blackIn(dottedPixels(plain(255, 255, 255, 255)))).toBe(0);
    expect(blackIn(dottedPixels(plain(0, 0, 0, 0)))).toBe(0);
  });

  it('has as many black dots as a grey is dark', () => {
    for (const grey of [64, 128, 192]) {
      const share = blackIn(dottedPixels(plain(grey, grey, grey, 255))) / 256;
      expect(Math.abs(share - (1 - grey / 255))).toBeLessThan(0.05);
    }
  });

  it('takes yellow for brighter than blue', () => {
    expect(blackIn(dottedPixels(plain(255, 255, 0, 255)))).toBeLessThan(blackIn(dottedPixels(plain(0, 0, 255, 255))) / 4);
  });

  it('is as large as may be, in its own shape', () => {
    expect(dottedSize({ width: 3_200, height: 800 })).toEqual({ width: 320, height: 80 });
    expect(dottedSize({ width: 10, height: 10 })).toEqual({ width: 160, height: 160 });
    expect(dottedSize({ width: 10_000, height: 1 })).toEqual({ width: 320, height: 1 });
  });
});

describe('the dots of a logo', () => {
  it('are the same after they were packed', () => {
    const dots = fc
      .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 20 }))
      .chain(([bytes, height]) =>
        fc.tuple(fc.constant(8 * bytes), fc.array(fc.boolean(), { minLength: 8 * bytes * height, maxLength: 8 * bytes * height })),
      );
    fc.assert(
      fc.property(dots, ([width, isBlack]) => {
        const packed = dotsOf(width, isBlack);
        expect(LogoDotsData.parse(packed)).toEqual(packed);
        expect(blackDots(packed)).toEqual(isBlack);
      }),
    );
  });

  it('are refused where bits are missing or left over, or where they are too many for the paper', () => {
    const good = dotsOf(
      16,
      Array.from({ length: 32 }, () => true),
    );
    expect(LogoDotsData.safeParse(good).success).toBe(true);
    for (const wrong of [{ height: 1 }, { height: 3 }, { width: 12 }, { width: MOST_LOGO_DOTS.width + 8 }, { data: '' }, { data: '?' }])
      expect(LogoDotsData.safeParse({ ...good, ...wrong }).success, JSON.stringify(wrong)).toBe(false);
  });
});
