import { isTimeZone } from '../../src-shared/calendar.ts';

/** The clock of the node. Every part is given one, so that tests can set the time. */
export interface Clock {
  /** The time in milliseconds since the Unix epoch. */
  now(): number;
}

/** The time zone that is set on this computer, by its IANA name. */
export function systemTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return isTimeZone(timeZone) ? timeZone : 'UTC';
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock for tests. It stands still until a test advances it. */
export class ManualClock implements Clock {
  #now: number;
  constructor(startMs: number) {
    this.#now = startMs;
  }
  now(): number {
    return this.#now;
  }
  /** Moves time forward by `ms` milliseconds. */
  advance(ms: number): void {
    this.#now += ms;
  }
}
