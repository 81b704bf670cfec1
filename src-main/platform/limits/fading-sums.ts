import type { Clock } from '../clock.ts';
import { RecentKeys } from './recent-keys.ts';

/**
 * A sum for each of many keys, which fades: after `fadesMs` milliseconds about a third of what was added is left
 * (exactly 1/e), and after twice that time a ninth. Memory is bounded; see {@link RecentKeys}.
 */
export class FadingSums {
  readonly #clock: Clock;
  readonly #fadesMs: number;
  readonly #most: () => number;
  readonly #sums = new RecentKeys<{ sum: number; at: number }>();

  /** @param most the largest sum. What exceeds it is not kept. */
  constructor(clock: Clock, { fadesMs, most }: { fadesMs: number; most: () => number }) {
    this.#clock = clock;
    this.#fadesMs = fadesMs;
    this.#most = most;
  }

  /** What is left of everything that was added for a key. */
  of(key: string): number {
    const { sum, at } = this.#sums.get(key) ?? { sum: 0, at: 0 };
    return Math.min(sum * Math.exp((at - this.#clock.monotonic()) / this.#fadesMs), this.#most());
  }

  add(key: string, units: number): void {
    this.#sums.set(key, { sum: Math.min(this.of(key) + units, this.#most()), at: this.#clock.monotonic() });
  }
}
