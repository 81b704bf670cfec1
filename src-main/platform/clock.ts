import { isTimeZone } from '../../src-shared/calendar.ts';

/** The clock of the node. Every part is given one, so that tests can set the time. */
export interface Clock {
  /**
   * The time in milliseconds since the Unix epoch: for what is told to people and other computers, and for what is
   * stored. Somebody may set it, so a wait that is stored is cut to its own length when it is found too long.
   */
  now(): number;
  /** Milliseconds since some moment. Nobody can set it, so limits and durations go by it. */
  monotonic(): number;
}

/**
 * The time at which something began that must not last too long, on both clocks. On some systems the monotonic clock
 * stands still while the computer sleeps, and the other one can be put back.
 */
export interface Beginning {
  readonly now: number;
  readonly monotonic: number;
}

export const beginningAt = (clock: Clock): Beginning => ({ now: clock.now(), monotonic: clock.monotonic() });

/** The milliseconds since then, by the clock that says more. A clock that is put back makes nothing last longer. */
export const passedSince = (beginning: Beginning, clock: Clock): number =>
  Math.max(clock.monotonic() - beginning.monotonic, clock.now() - beginning.now);

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
  /** Lets `ms` milliseconds pass. */
  advance(ms: number): void {
    if (ms < 0) throw new RangeError('time passes forward only');
    this.#now += ms;
    this.#passed += ms;
  }
  /** Somebody puts the clock forward by `ms` milliseconds, or back when it is below zero. No time passes. */
  jump(ms: number): void {
    this.#now += ms;
  }
}
