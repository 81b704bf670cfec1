import type { Clock } from '../clock.ts';
import { RecentKeys } from './recent-keys.ts';

export interface Rate {
  /** How many units a second a key may use in the long run. */
  perSecond: number;
  /** How many units a key that was quiet may use at once. It is at least 1. */
  burst: number;
}

/** Sums of fractions are not exact, so a wait of less than a microsecond counts as none. */
const ROUNDING_MS = 0.001;

/**
 * A token bucket for each of many keys. For each key the limiter keeps the moment at which its bucket will be full
 * again (the generic cell rate algorithm). An entry is therefore one number, and nothing has to be refilled.
 *
 * Memory is bounded; see {@link RecentKeys}. The buckets of forgotten keys count as full.
 */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #msPerUnit: number;
  readonly #shares: () => number;
  readonly #burstMs: number;
  readonly #fullAtOf = new RecentKeys<number>();

  /** @param shares how many processes count the same keys, each for itself. This one gives its part of the rate. */
  constructor({ perSecond, burst }: Rate, clock: Clock, shares: () => number = () => 1) {
    this.#clock = clock;
    this.#msPerUnit = 1_000 / perSecond;
    this.#shares = shares;
    this.#burstMs = burst * this.#msPerUnit;
  }

  /**
   * Takes one unit out of a bucket, if it holds one.
   * @returns 0 when it has taken one. Otherwise it returns after how many milliseconds the next unit will be there.
   */
  take(key: string): number {
    const wait = this.waitFor(key, 1);
    if (wait === 0) this.charge(key, 1);
    return wait;
  }

  /** The time until a bucket holds so many units, or is full, in milliseconds. It takes nothing. */
  waitFor(key: string, units: number): number {
    const now = this.#clock.monotonic();
    const { unitMs, burstMs } = this.#part();
    const wait = this.#fullAt(key, now) + units * unitMs - now - burstMs;
    return wait <= ROUNDING_MS ? 0 : Math.min(wait, burstMs);
  }

  /** Takes `units` out of a bucket. When the bucket holds fewer, it takes all of them. */
  charge(key: string, units: number): void {
    const now = this.#clock.monotonic();
    const { unitMs, burstMs } = this.#part();
    this.#fullAtOf.set(key, Math.min(this.#fullAt(key, now) + units * unitMs, now + burstMs));
  }

  /**
   * This process's part of a rate that several share: each unit takes longer here. The bucket holds fewer, and at least
   * one.
   */
  #part(): { unitMs: number; burstMs: number } {
    const unitMs = this.#msPerUnit * this.#shares();
    return { unitMs, burstMs: Math.max(this.#burstMs, unitMs) };
  }

  /**
   * The time at which the bucket of a key is full. It goes by a clock that nobody can set, so that no key is locked
   * out.
   */
  #fullAt(key: string, now: number): number {
    return Math.max(this.#fullAtOf.get(key) ?? now, now);
  }

  /** How many keys the limiter remembers. */
  get size(): number {
    return this.#fullAtOf.size;
  }
}
