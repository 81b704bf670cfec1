import { isTimeZone } from '../../src-shared/calendar.ts';

/** The clock of the node. Every part is given one, so that tests can set the time. */
export interface Clock {
  /** The time in milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds since some moment. Nobody can set it, so limits and durations go by it. */
  monotonic(): number;
}

/** The time zone that is set on this computer, by its IANA name. */
export function systemTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return isTimeZone(timeZone) ? timeZone : 'UTC';
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** A clock for tests. It stands still until a test advances it. */
export class ManualClock implements Clock {
  #now: number;
  #passed = 0;
  constructor(startMs: number) {
    this.#now = startMs;
  }
  now(): number {
    return this.#now;
  }
  monotonic(): number {
    return this.#passed;
  }
  /** Moves time forward by `ms` milliseconds. Below zero it is as if somebody puts the clock back: no time passes. */
  advance(ms: number): void {
    this.#now += ms;
    this.#passed += Math.max(0, ms);
  }
}
