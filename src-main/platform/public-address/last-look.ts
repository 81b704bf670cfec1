import type { Clock } from '../clock.ts';

/**
 * What the last look at the node's own public address has found, since the node started. A router that lets nobody in
 * from its own network can make a look fail although others come in; money from outside shows that they do.
 */
export class LastLook {
  readonly #clock: Clock;
  #failedAt: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The time at which the last look found the address out of reach, in milliseconds since 1970. It is null when it did
   * not.
   */
  get failedAt(): number | null {
    return this.#failedAt;
  }

  note(found: 'reachable' | 'unreachable'): void {
    this.#failedAt = found === 'reachable' ? null : this.#clock.now();
  }
}
