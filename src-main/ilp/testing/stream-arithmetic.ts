import { createRequire } from 'node:module';

// The library (2.7.1) multiplies and divides bit by bit. Each product makes up to three hundred objects, and each
// packet has some (protocol-notes.md#PN-52). Exact integers of the engine take their place.

/** An unsigned integer of 64 bits as the library has it: two halves, as signed integers of 32 bits. */
interface Long {
  readonly high: number;
  readonly low: number;
}

const fromLibrary = createRequire(createRequire(import.meta.url).resolve('ilp-protocol-stream'));
const { fromBits }: { fromBits(low: number, high: number, unsigned: boolean): Long } = fromLibrary('long');

const MOST = 2n ** 64n - 1n;

const toBigint = ({ high, low }: Long): bigint => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);

/** A quotient that is too large becomes the largest integer, as with the library's own functions. */
function toLong(quotient: bigint): Long {
  const value = quotient > MOST ? MOST : quotient;
  return fromBits(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)), true);
}

/** `a` · `b` / `c`, rounded down. @throws RangeError when `c` is zero. */
export const multiplyDivideFloor = (a: Long, b: Long, c: Long): Long => toLong((toBigint(a) * toBigint(b)) / toBigint(c));

/** `a` · `b` / `c`, rounded up. @throws RangeError when `c` is zero. */
export function multiplyDivideCeil(a: Long, b: Long, c: Long): Long {
  const divisor = toBigint(c);
  return toLong((toBigint(a) * toBigint(b) + divisor - 1n) / divisor);
}

/** Gives the library these functions. Its own modules look them up at each call. */
export function replaceArithmetic(): void {
  Object.assign(fromLibrary('./util/long'), { multiplyDivideFloor, multiplyDivideCeil });
}
