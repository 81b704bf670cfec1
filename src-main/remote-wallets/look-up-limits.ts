import type { Clock } from '../platform/clock.ts';
import type { GateLimits } from '../platform/outbound-http/fair-gate.ts';

/** How many look-ups for a price go on at a time, for each client and at each wallet's site (decisions.md#D-25). */
export const LOOK_UPS: GateLimits = { atOnce: 128, perCaller: 8, perTarget: 16, waiting: 1_000, restMs: 1_000 };
/** The same for payments that were accepted. The worker that asks for them bounds how many wait. */
export const LOOK_UPS_FOR_MONEY: GateLimits = { atOnce: 128, perCaller: 32, perTarget: 32, waiting: 100_000, restMs: 0 };
/** How long a failure is remembered. */
export const FAILURE_MS = 30_000;
const MAX_REMEMBERED = 1_000;

/**
 * Remembers what went wrong with keys in the last {@link FAILURE_MS}. It forgets the oldest when there are too many.
 */
export class RecentFailures<F> {
  readonly #clock: Clock;
  readonly #failures = new Map<string, { failure: F; until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: string): F | undefined {
    const known = this.#failures.get(key);
    if (known === undefined || this.#clock.monotonic() < known.until) return known?.failure;
    this.#failures.delete(key);
    return undefined;
  }

  remember(key: string, failure: F): void {
    this.#failures.delete(key);
    this.#failures.set(key, { failure, until: this.#clock.monotonic() + FAILURE_MS });
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= MAX_REMEMBERED) break;
      this.#failures.delete(oldest);
    }
  }
}
