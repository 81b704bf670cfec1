import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, it } from 'vitest';

const fromLibrary = createRequire(createRequire(import.meta.url).resolve('ilp-protocol-stream'));
const Long = fromLibrary('long') as { fromString(digits: string, unsigned: boolean): never };
const util = fromLibrary('./util/long') as Record<'multiplyDivideFloor' | 'multiplyDivideCeil', (a: never, b: never, c: never) => object>;
/** The library's own functions, as they are before anything replaces them. */
const own = { ...util };
const { multiplyDivideCeil, multiplyDivideFloor, replaceArithmetic } = await import('./stream-arithmetic.ts');

const long = (value: bigint): never => Long.fromString(value.toString(), true);
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const uint63 = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });

it('products are those of exact integers, and the largest integer where they are larger', () => {
  fc.assert(
    fc.property(
      uint64,
      uint64,
      uint64.filter((value) => value > 0n),
      (a, b, c) => {
        const most = (value: bigint): bigint => (value < 2n ** 64n ? value : 2n ** 64n - 1n);
        expect(multiplyDivideFloor(long(a), long(b), long(c)).toString()).toBe(most((a * b) / c).toString());
        expect(multiplyDivideCeil(long(a), long(b), long(c)).toString()).toBe(most((a * b + c - 1n) / c).toString());
      },
    ),
  );
});

it('products are those of the library’s own functions, of which nothing may overflow on the way', () => {
  fc.assert(
    fc.property(
      uint63,
      uint63,
      uint63.filter((value) => value > 0n),
      (a, b, c) => {
        fc.pre((a * b) / c < 2n ** 63n);
        for (const [name, ours] of Object.entries({ multiplyDivideFloor, multiplyDivideCeil })) {
          const theirs = own[name as keyof typeof own](long(a), long(b), long(c));
          expect(ours(long(a), long(b), long(c)).toString()).toBe(theirs.toString());
        }
      },
    ),
  );
});

it('the library uses them', () => {
  replaceArithmetic();
  const { default: Rational } = fromLibrary('./util/rational') as {
    default: {
      fromNumbers(a: number, b: number, unsigned: true): Record<'multiplyByLong' | 'multiplyByLongCeil', (value: never) => object>;
    };
  };
  expect([util.multiplyDivideFloor, util.multiplyDivideCeil]).toEqual([multiplyDivideFloor, multiplyDivideCeil]);
  const third = Rational.fromNumbers(1, 3, true);
  expect([third.multiplyByLong(long(100n)).toString(), third.multiplyByLongCeil(long(100n)).toString()]).toEqual(['33', '34']);
  expect(() => multiplyDivideFloor(long(1n), long(1n), long(0n))).toThrow(RangeError);
});
