import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../platform/database/database.ts';

/** A busy node commits hundreds of times a second; a page needs to know a few times a second. */
const PAUSE_MS = 200;
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
    const end = AbortSignal.any([signal, AbortSignal.timeout(hasPlace ? holdMs : NO_PLACE_MS)]);
    this.#waiting += 1;
    let wake = Promise.withResolvers<void>();
    const stop = this.#database.onCommit(() => wake.resolve());
    end.addEventListener('abort', () => wake.resolve(), { once: true });
    try {
      for (;;) {
        const now = await read();
        if (now === undefined || now !== seen || end.aborted) return now;
        await wake.promise;
        if (!end.aborted) await delay(PAUSE_MS, undefined, { signal: end }).catch(() => undefined);
        wake = Promise.withResolvers();
        if (end.aborted) wake.resolve();
      }
    } finally {
      this.#waiting -= 1;
      stop();
    }
  }
}
