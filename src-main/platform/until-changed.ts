import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './database/database.ts';

/**
 * How long a wait goes on after a commit. A busy node commits hundreds of times a second, but a page needs an answer
 * only a few times a second.
 */
const PAUSE_MS = 200;

interface Wait<T> {
  database: Pick<Database, 'onCommit'>;
  read: () => Promise<T>;
  /** Tells whether the value is new to the client, so that it must be answered now. */
  isNew: (value: T) => boolean;
  /** The longest wait, in milliseconds. */
  holdMs: number;
  /** It is aborted when the client no longer waits for the answer. */
  gone: AbortSignal;
}

/**
 * Answers a long poll. It reads now and again after each commit, until the value is new or the time is over.
 * @returns the value that was read last.
 */
export async function untilChanged<T>({ database, read, isNew, holdMs, gone }: Wait<T>): Promise<T> {
  const end = AbortSignal.any([gone, AbortSignal.timeout(holdMs)]);
  let woken = Promise.withResolvers<void>();
  const wake = () => woken.resolve();
  const stop = database.onCommit(wake);
  end.addEventListener('abort', wake, { once: true });
  try {
    for (;;) {
      // The promise is made before the read, so that a commit during the read ends the wait that follows.
      woken = Promise.withResolvers();
      const value = await read();
      if (isNew(value) || end.aborted) return value;
      await woken.promise;
      await delay(PAUSE_MS, undefined, { signal: end }).catch(() => undefined);
      if (gone.aborted) return value;
    }
  } finally {
    stop();
    end.removeEventListener('abort', wake);
  }
}
