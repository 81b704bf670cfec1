import type { Clock } from '../clock.ts';

/** The log only counts what happens again with a key for this long. */
const FOLDED_MS = 60_000;
/** How many keys are remembered. Beyond that all are forgotten, and each gets a line again. */
const MAX_KEYS = 1_000;

/**
 * Makes at most one line a minute of what happens again and again with the same key, so that nobody fills the disk by
 * repeating it. The first time gets a line at once. A later line says how often it has happened since the one before.
 */
export class FoldedLines {
  readonly #clock: Clock;
  readonly #write: (key: string, times: number) => void;
  readonly #told = new Map<string, { at: number; since: number }>();

  constructor(clock: Clock, write: (key: string, times: number) => void) {
    this.#clock = clock;
    this.#write = write;
  }

  note(key: string): void {
    const now = this.#clock.monotonic();
    const told = this.#told.get(key);
    if (told !== undefined && now - told.at < FOLDED_MS) {
      told.since += 1;
      return;
    }
    if (this.#told.size >= MAX_KEYS) this.#told.clear();
    this.#told.set(key, { at: now, since: 0 });
    this.#write(key, (told?.since ?? 0) + 1);
  }
}
