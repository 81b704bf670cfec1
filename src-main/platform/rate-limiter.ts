import type { Clock } from './clock.ts';

export interface Rate {
  /** What a key may use in the long run. */
  perSecond: number;
  /** What a key that was quiet may use at once; at least 1. */
  burst: number;
}

/** Keys in each of the two halves of the memory; both together take a few MB. */
const HALF = 10_000;
/** Sums of fractions are not exact; nobody waits for less than a microsecond. */
const ROUNDING_MS = 0.001;

/**
 * A token bucket for each of many keys, kept as the moment at which it will be full again (the generic cell rate
 * algorithm), so that an entry is one number and nothing has to be refilled.
 *
 * Memory is bounded: of more than 10,000 keys the least recently used are forgotten, which makes their buckets full.
 */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #msPerUnit: number;
  readonly #burstMs: number;
  #recent = new Map<string, number>();
  #older = new Map<string, number>();

  constructor({ perSecond, burst }: Rate, clock: Clock) {
    this.#clock = clock;
    this.#msPerUnit = 1_000 / perSecond;
    this.#burstMs = burst * this.#msPerUnit;
  }

  /**
   * Takes one unit out of a bucket, if it holds one.
   * @returns 0, or after how many milliseconds the next one is there; nothing was taken then.
   */
  take(key: string): number {
    const now = this.#clock.now();
    const full = this.#fullAt(key, now) + this.#msPerUnit;
    const wait = full - now - this.#burstMs;
    if (wait > ROUNDING_MS) return wait;
    this.#set(key, full);
    return 0;
  }

  /** Takes `units` out of a bucket, or all that is in it. */
  charge(key: string, units: number): void {
    const now = this.#clock.now();
    this.#set(key, Math.min(this.#fullAt(key, now) + units * this.#msPerUnit, now + this.#burstMs));
  }

  /** Never later than an empty bucket takes to fill, so that a clock put back locks nobody out for longer. */
  #fullAt(key: string, now: number): number {
    const known = this.#recent.get(key) ?? this.#older.get(key) ?? now;
    return Math.min(Math.max(known, now), now + this.#burstMs);
  }

  #set(key: string, full: number): void {
    if (this.#recent.size >= HALF && !this.#recent.has(key)) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, full);
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#recent.size + this.#older.size;
  }
}
