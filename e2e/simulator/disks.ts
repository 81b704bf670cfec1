import type { SqliteDatabase, SqliteOptions } from '../../src-main/platform/database/sqlite.ts';
import type { FailPoint } from '../../src-main/platform/fail-points.ts';
import type { Dice } from '../support/seeded.ts';
import type { VirtualTime } from './virtual-time.ts';

/** How long a disk is slow or full, and how long a slow one takes to sync, at most. In milliseconds. */
const TROUBLE_MS = 20_000;
const SLOW_MS = 3_000;
/** A disk that is about to break does so at this call at the latest. */
const SOON = 40;
/** SQLite's own limit. See https://sqlite.org/limits.html. */
const NO_LIMIT = 0xfffffffe;

/**
 * The disk of one node. It breaks in front of SQLite and beside it: a commit fails before SQLite hears of it or after
 * SQLite has made it, and the log cannot be synced. A full disk is SQLite's own limit of pages.
 */
export class SimulatedDisk {
  readonly #time: VirtualTime;
  readonly #dice: Dice;
  #isSlow = false;
  /** How many calls are left until one fails. */
  #syncsLeft = Number.POSITIVE_INFINITY;
  #commitsLeft = Number.POSITIVE_INFINITY;

  constructor(time: VirtualTime, dice: Dice) {
    this.#time = time;
    this.#dice = dice;
  }

  readonly logSync: SqliteOptions['logSync'] = {
    sync: async () => {
      if (this.#isSlow) await new Promise<void>((resolve) => this.#time.after(this.#dice.below(SLOW_MS), resolve));
      this.#syncsLeft -= 1;
      if (this.#syncsLeft <= 0) throw this.#broken('EIO');
    },
    close: async () => undefined,
  };

  /** The simulator calls this when the node passes a fail point. @throws Error at the commit that fails. */
  pass(point: FailPoint): void {
    if (point !== 'before-commit' && point !== 'after-commit') return;
    this.#commitsLeft -= 1;
    if (this.#commitsLeft <= 0) throw this.#broken('SQLITE_IOERR_WRITE');
  }

  /** A sync that is soon to come fails. */
  failSync(): void {
    this.#syncsLeft = 1 + this.#dice.below(SOON);
  }

  /** A write that is soon to come fails. */
  failCommit(): void {
    this.#commitsLeft = 1 + this.#dice.below(SOON);
  }

  slowDown(): void {
    this.#isSlow = true;
    this.#time.after(this.#dice.below(TROUBLE_MS), () => {
      this.#isSlow = false;
    });
  }

  /** The database can grow by a few pages at most, until somebody makes room. */
  fillUp({ connection }: SqliteDatabase): void {
    const pages = Number(connection.pragma('page_count', { simple: true }));
    connection.pragma(`max_page_count = ${pages + this.#dice.below(4)}`);
    this.#time.after(this.#dice.below(TROUBLE_MS), () => {
      // A node that has died meanwhile has started without a limit.
      if (connection.open) connection.pragma(`max_page_count = ${NO_LIMIT}`);
    });
  }

  /** Another disk is put in, so the node can start. */
  #broken(code: string): Error {
    this.#syncsLeft = Number.POSITIVE_INFINITY;
    this.#commitsLeft = Number.POSITIVE_INFINITY;
    return Object.assign(new Error('the disk of the simulation is broken'), { code });
  }
}
