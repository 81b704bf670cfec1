import type { Clock } from '../clock.ts';

/** The longest time for which the clock stands still rather than go back, in milliseconds. */
const STANDS_STILL_MS = 2_000;

/**
 * The clock of the database server, as far as a replica knows it. Claims, due times, expiries and whatever else is
 * stored go by it, so that replicas whose computers differ agree about the time (decisions.md#D-350). Between two
 * answers of the server, the monotonic clock of this computer goes on.
 */
export class DatabaseClock implements Clock {
  readonly #computer: Clock;
  /** What the server's clock said while the monotonic clock of this computer said nought. */
  #base: number | undefined;
  #ahead = 0;
  /** The latest time that was told. */
  #told = Number.NEGATIVE_INFINITY;

  /** @param computer the clock of this computer. It is the only one until the server has answered. */
  constructor(computer: Clock) {
    this.#computer = computer;
  }

  /** The server is at least this far ahead of the wall clock of this computer, in milliseconds; below zero, behind. */
  get ahead(): number {
    return this.#ahead;
  }

  /** It does not go back, unless the server's clock was put back, or another server has taken its place. */
  now(): number {
    if (this.#base === undefined) return this.#computer.now();
    const now = Math.round(this.#base + this.#computer.monotonic());
    if (now > this.#told || this.#told - now > STANDS_STILL_MS) this.#told = now;
    return this.#told;
  }

  monotonic(): number {
    return this.#computer.monotonic();
  }

  /**
   * The server has answered just now.
   * @param server what its clock said, in milliseconds since the Unix epoch, rounded.
   * @param asked when it was asked, by the monotonic clock. It has read its clock since.
   */
  hears(server: number, asked: number): void {
    const heard = this.#computer.monotonic();
    const [least, most] = [server - 0.5 - heard, server + 0.5 - asked];
    // What was known is kept where the answer allows it, so that the way of an answer moves no time.
    this.#base = Math.min(most, Math.max(least, this.#base ?? (least + most) / 2));
    const half = (heard - asked) / 2;
    const difference = server - (this.#computer.now() - half);
    this.#ahead = Math.sign(difference) * Math.max(0, Math.abs(difference) - half);
  }
}
