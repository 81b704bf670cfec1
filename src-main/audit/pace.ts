import type { Clock } from '../platform/clock.ts';
import { processorMs, threadMs } from '../platform/processor.ts';

/** How long a step rests at least and at most, in milliseconds. */
const [LEAST_REST_MS, MOST_REST_MS] = [15, 2_000];
/** A rest is so many times as long as the step before it: the audit takes a tenth of a processor, or a fiftieth. */
const RESTS = { quiet: 9, busy: 49 };
/** The node is busy when its other threads use so much of one processor. */
const BUSY = 0.5;

/** Says how long the audit rests, so that it takes nothing from those who pay. */
export class AuditPace {
  readonly #clock: Clock;
  readonly #usedByOthers: () => number;
  #before: { at: number; used: number };

  /** @param usedByOthers the processor time that the other threads of the node have used, in milliseconds. */
  constructor(clock: Clock, usedByOthers: () => number) {
    this.#clock = clock;
    this.#usedByOthers = usedByOthers;
    this.#before = this.#now();
  }

  /** @returns the rest after a step that took `tookMs`, in milliseconds. */
  restAfter(tookMs: number): number {
    const [before, now] = [this.#before, this.#now()];
    this.#before = now;
    const isBusy = now.used - before.used > BUSY * (now.at - before.at);
    return Math.min(MOST_REST_MS, Math.max(LEAST_REST_MS, (isBusy ? RESTS.busy : RESTS.quiet) * tookMs));
  }

  #now() {
    return { at: this.#clock.monotonic(), used: this.#usedByOthers() };
  }
}

/** The processor time of the process without that of this thread, in milliseconds. */
export function usedByOtherThreads(): number {
  return processorMs() - threadMs();
}
