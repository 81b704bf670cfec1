import { longFromValue } from 'ilp-protocol-stream/dist/src/util/long.js';
import { MAX_STATED } from '../../src-shared/amounts.ts';

/** The library's unsigned 64-bit integer. */
type Long = ReturnType<typeof longFromValue>;

/**
 * What arrives for a unit sent, as an exact fraction, in the form in which the library asks for an exchange rate. The
 * library makes its own rate from a double, and multiplies bit by bit. One for one, the common case, costs nothing
 * here.
 */
export class ExactRate {
  readonly #receive: bigint;
  readonly #debit: bigint;

  /** `debit` units sent arrive as `receive`. Both are at least 1. */
  constructor(receive: bigint, debit: bigint) {
    this.#receive = receive;
    this.#debit = debit;
  }

  greaterThanOne(): boolean {
    return this.#receive > this.#debit;
  }

  reciprocal(): ExactRate {
    return new ExactRate(this.#debit, this.#receive);
  }

  /** floor(value · rate), at most 2^64−1. */
  multiplyByLong(value: Long): Long {
    return this.#receive === this.#debit ? value : toLong((toBigInt(value) * this.#receive) / this.#debit);
  }

  /** ceil(value · rate), at most 2^64−1. */
  multiplyByLongCeil(value: Long): Long {
    return this.#receive === this.#debit ? value : toLong((toBigInt(value) * this.#receive + this.#debit - 1n) / this.#debit);
  }
}

const toBigInt = (value: Long): bigint => (BigInt(value.getHighBitsUnsigned()) << 32n) | BigInt(value.getLowBitsUnsigned());

const toLong = (value: bigint): Long => longFromValue((value > MAX_STATED ? MAX_STATED : value).toString(), true);
