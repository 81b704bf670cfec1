import type { Core } from '../core.ts';
import type { Reader } from '../database/database.ts';
import { newId } from '../ids.ts';
import { waitAtMost } from '../patience.ts';
import { WakeLoop } from '../wake-loop.ts';
import type { Release } from './replicas.ts';

/**
 * How long a stop waits for steps under way, in milliseconds. A node must stop within 5 s, and a step asks another
 * wallet several times, up to 5 s each. The next start takes up what is left.
 */
const STOP_MS = 2_000;
/**
 * While nothing is under way and nobody commits, a worker looks once in this time, in milliseconds. Each look is a
 * statement for the server of a shared database, and there are several workers in each replica.
 */
const QUIET_MS = 60_000;

/** What a worker with claims is built with, beside its own parts. */
export interface ClaimedWorkParts extends Pick<Core, 'database' | 'clock' | 'log'> {
  /** The process that claims; see `OwnReplica`. Without a name no other process works on these books. */
  holder?: string;
}

/** In what workers with claims differ. */
interface ClaimedRows {
  /** The milliseconds between looks without a wake-up. */
  everyMs: number;
  /** What the log says of a look that failed. */
  trouble: string;
  /** One of the rows that are under way, whether they are due now or later, or none. */
  oneUnderWay: (read: Reader, now: number) => Promise<readonly unknown[]>;
  /** One of the rows that a process has claimed which is gone, or none. */
  oneAbandoned: (read: Reader) => Promise<readonly unknown[]>;
  /**
   * Makes due what processes had claimed that are gone. Should one only have stood still, it can store nothing more
   * under its claim.
   */
  freeAbandoned: Release;
}

/**
 * A worker whose steps other processes could take as well. Before a step it claims the row in a write of its own, under
 * the name of its process. What a process had claimed that is gone becomes due again: at the start of another one, or
 * in the write that removes the dead replica.
 */
export abstract class ClaimedWork {
  /** The name under which this process claims. */
  protected readonly holder: string;
  /** Frees what replicas had claimed that are gone, within the write that removes them. */
  readonly release: Release;
  readonly #core: ClaimedWorkParts;
  readonly #rows: ClaimedRows;
  readonly #loop: WakeLoop;
  /** How many looks are left out now. */
  #leftOut = 0;
  #forget: () => void = () => undefined;
  #stopped = false;

  protected constructor(core: ClaimedWorkParts, rows: ClaimedRows) {
    this.holder = core.holder ?? newId();
    this.release = rows.freeAbandoned;
    this.#core = core;
    this.#rows = rows;
    this.#loop = new WakeLoop({ look: () => this.#look(), everyMs: rows.everyMs });
  }

  /** Takes every step that is due now. @returns whether more may be due at once. */
  abstract runOnce(): Promise<boolean>;

  /**
   * Takes up what processes have left that are gone, and then keeps looking. It is called once. With books in the data
   * folder no other process works on them, so whatever is still claimed was left behind by one that was killed.
   */
  async start(): Promise<void> {
    const { database, clock } = this.#core;
    this.#forget = database.onCommit(() => {
      this.#leftOut = 0;
    });
    const [any] = await this.#rows.oneAbandoned(database.read);
    if (any !== undefined) await database.write((tx) => this.#rows.freeAbandoned(tx, clock.now()));
    this.#loop.start();
  }

  /** Waits for the steps that end soon. The next start continues with the others, as it does after a power cut. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#forget();
    await waitAtMost(STOP_MS, this.#loop.stop());
  }

  /** Tells the worker that something may be due. */
  wake(): void {
    this.#leftOut = 0;
    this.#loop.wake();
  }

  async #look(): Promise<boolean> {
    if (this.#leftOut > 0) {
      this.#leftOut -= 1;
      return false;
    }
    const { database, clock } = this.#core;
    // A commit or a wake-up that comes meanwhile takes it back.
    this.#leftOut = Math.ceil(QUIET_MS / this.#rows.everyMs) - 1;
    try {
      const [any] = await this.#rows.oneUnderWay(database.read, clock.now());
      if (any === undefined) return false;
      this.#leftOut = 0;
      return await this.runOnce();
    } catch (error) {
      this.#leftOut = 0;
      // After the stop the books are closed, and nothing can be written.
      if (!this.#stopped) this.#core.log.error({ err: error }, this.#rows.trouble);
      return false;
    }
  }
}
