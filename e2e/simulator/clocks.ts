import type { Clock } from '../../src-main/platform/clock.ts';
import type { Dice } from '../support/seeded.ts';
import type { VirtualTime } from './virtual-time.ts';

/**
 * The times by which people set a clock wrong: less than a packet lives, more than that, and more than a payment may
 * take.
 */
const JUMPS_MS = [300, 4_000, 40_000, 20 * 60_000, 26 * 60 * 60_000];
/** The longest time until somebody sets the clock right. */
const WRONG_MS = 60_000;

/** The clock of one computer. It differs from others, and somebody may set it. Time passes alike on all of them. */
export class SimulatedClock implements Clock {
  readonly #time: VirtualTime;
  readonly #usuallyAhead: number;
  #ahead: number;

  /** @param aheadMs by how much the clock is usually ahead of the simulation. */
  constructor(time: VirtualTime, aheadMs: number) {
    this.#time = time;
    this.#usuallyAhead = aheadMs;
    this.#ahead = aheadMs;
  }

  now(): number {
    return this.#time.now() + this.#ahead;
  }
  monotonic(): number {
    return this.#time.monotonic();
  }

  /** Somebody sets the clock wrong, for a while. */
  jump(dice: Dice): void {
    const ms = dice.pick(JUMPS_MS);
    this.#ahead += dice.chance(0.5) ? ms : -ms;
    this.#time.after(dice.below(WRONG_MS), () => this.setRight());
  }

  setRight(): void {
    this.#ahead = this.#usuallyAhead;
  }
}
