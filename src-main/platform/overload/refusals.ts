import type { Core } from '../core.ts';
import type { Logger } from '../logs/logger.ts';

/** How long nothing has been refused when the node counts as no longer overloaded, in milliseconds. */
const OVER_MS = 10_000;

interface Parts extends Pick<Core, 'clock'> {
  log: Pick<Logger, 'warn' | 'info'>;
}

/** A time in which the node refuses requests because it has too much to do. */
interface Refusing {
  readonly since: Date;
  /** How many requests were refused so far. */
  refused: number;
  /** The time of the last refusal, by the monotonic clock. */
  at: number;
}

/** Remembers since when the node has been refusing requests because it has too much to do, and how many. */
export class Refusals {
  readonly #parts: Parts;
  #current: Refusing | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** It is undefined once nothing has been refused for ten seconds, or for twenty at most. */
  get current(): Pick<Refusing, 'since' | 'refused'> | undefined {
    return this.#current;
  }

  note(): void {
    const { clock, log } = this.#parts;
    if (this.#current === undefined) {
      log.warn('the node is overloaded and refuses requests that would wait too long');
      this.#current = { since: new Date(clock.now()), refused: 0, at: clock.monotonic() };
      this.#watch(this.#current);
    }
    this.#current.refused += 1;
    this.#current.at = clock.monotonic();
  }

  #watch(current: Refusing): void {
    const look = (): void => {
      const { clock, log } = this.#parts;
      if (clock.monotonic() - current.at < OVER_MS) {
        this.#watch(current);
        return;
      }
      this.#current = undefined;
      log.info({ refused: current.refused, since: current.since }, 'the node is no longer overloaded');
    };
    setTimeout(look, OVER_MS).unref();
  }
}
