import type { Database } from '../platform/database/database.ts';
import { untilChanged } from '../platform/until-changed.ts';

/** How many pages may wait at a time; those beyond it are answered at once, and ask again. */
const WAITING = 500;
/** How long those are held that find no place, so that they do not ask in a loop. */
const NO_PLACE_MS = 2_000;

/** Lets pages wait for something new instead of asking again and again. */
export class PaymentWatch {
  readonly #database: Pick<Database, 'onCommit'>;
  #waiting = 0;

  constructor(database: Pick<Database, 'onCommit'>) {
    this.#database = database;
  }

  /**
   * Reads until what it reads is not `seen` any more.
   * @param read undefined for something that does not exist; answered at once.
   * @returns what was read last, after at most `holdMs`.
   */
  async until(read: () => Promise<string | undefined>, seen: string, holdMs: number, signal: AbortSignal): Promise<string | undefined> {
    const hasPlace = this.#waiting < WAITING;
    this.#waiting += 1;
    try {
      return await untilChanged({
        database: this.#database,
        read,
        isNew: (now) => now === undefined || now !== seen,
        holdMs: hasPlace ? holdMs : NO_PLACE_MS,
        gone: signal,
      });
    } finally {
      this.#waiting -= 1;
    }
  }
}
