import type { Core } from '../core.ts';
import { WakeLoop } from '../wake-loop.ts';

/** What a worker is built with that works for all replicas. */
export interface ChoreParts extends Pick<Core, 'log'> {
  /** Whether this process does what one of the replicas must do. */
  isMine: () => boolean;
}

/** In what such workers differ. */
interface Chore {
  /** The milliseconds between looks without a wake-up. */
  everyMs: number;
  /** What the log says of a look that failed. */
  trouble: string;
}

/** Work that one of the replicas does for all, look by look. */
export abstract class Chores {
  readonly #parts: ChoreParts;
  readonly #chore: Chore;
  readonly #loop: WakeLoop;

  protected constructor(parts: ChoreParts, chore: Chore) {
    this.#parts = parts;
    this.#chore = chore;
    this.#loop = new WakeLoop({ look: () => this.#look(), everyMs: chore.everyMs });
  }

  /** Does everything that is due now. */
  abstract doDue(): Promise<void>;

  start(): void {
    this.#loop.start();
  }

  /** Looks soon, because there may be something to do. */
  wake(): void {
    this.#loop.wake();
  }

  /** Waits for the step under way, which ends within the time of an outbound request. */
  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  async #look(): Promise<boolean> {
    if (!this.#parts.isMine()) return false;
    try {
      await this.doDue();
    } catch (error) {
      this.#parts.log.error({ err: error }, this.#chore.trouble);
    }
    return false;
  }
}
