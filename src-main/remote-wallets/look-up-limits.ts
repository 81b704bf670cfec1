import type { Clock } from '../platform/clock.ts';

/** How many look-ups go on at a time (decisions.md#D-25). */
export const AT_ONCE_PER_CLIENT = 2;
export const AT_ONCE_PER_HOST = 8;
/**
 * How many more may wait for their turn. A client's library does not repeat a refused `POST`, so a few at once may
 * wait.
 */
export const WAITING_PER_CLIENT = 8;
export const WAITING_PER_HOST = 32;
/** How long a failure is remembered. */
export const FAILURE_MS = 30_000;
const MAX_REMEMBERED = 1_000;

interface Line {
  inside: number;
  waiting: (() => void)[];
  /** These go first. */
  persistent: (() => void)[];
}

/** Lets so many at a time pass for each key, lets some wait in order, and turns away the rest. */
export class Turnstile {
  readonly #atOnce: number;
  readonly #waiting: number;
  readonly #lines = new Map<string, Line>();

  /**
   * @param atOnce how many may pass at a time for one key.
   * @param waiting how many more may wait for it.
   */
  constructor({ atOnce, waiting }: { atOnce: number; waiting: number }) {
    this.#atOnce = atOnce;
    this.#waiting = waiting;
  }

  /**
   * Waits for a turn until `signal` is aborted.
   * @param persistent such a caller is never turned away because too many wait, and it goes before those who may be
   * turned away.
   * @returns the function that gives the place back, to be called once. It is undefined when there was no turn.
   */
  async enter(key: string, signal: AbortSignal, persistent = false): Promise<(() => void) | undefined> {
    const line: Line = this.#lines.get(key) ?? { inside: 0, waiting: [], persistent: [] };
    this.#lines.set(key, line);
    if (line.inside < this.#atOnce) line.inside += 1;
    else if (!persistent && line.waiting.length >= this.#waiting) return undefined;
    else if (!(await inTurn(persistent ? line.persistent : line.waiting, signal))) return undefined;
    return () => this.#leave(key, line);
  }

  #leave(key: string, line: Line): void {
    const next = line.persistent.shift() ?? line.waiting.shift();
    // The place goes from one to the next, so that nobody who comes later gets in between.
    if (next !== undefined) {
      next();
      return;
    }
    line.inside -= 1;
    if (line.inside === 0) this.#lines.delete(key);
  }
}

/** @returns whether a place was handed over. */
async function inTurn(waiting: (() => void)[], signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  return await new Promise((resolve) => {
    const called = (): void => {
      signal.removeEventListener('abort', gaveUp);
      resolve(true);
    };
    const gaveUp = (): void => {
      waiting.splice(waiting.indexOf(called), 1);
      resolve(false);
    };
    signal.addEventListener('abort', gaveUp, { once: true });
    waiting.push(called);
  });
}

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
    if (known === undefined || this.#clock.now() < known.until) return known?.failure;
    this.#failures.delete(key);
    return undefined;
  }

  remember(key: string, failure: F): void {
    this.#failures.delete(key);
    this.#failures.set(key, { failure, until: this.#clock.now() + FAILURE_MS });
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= MAX_REMEMBERED) break;
      this.#failures.delete(oldest);
    }
  }
}
