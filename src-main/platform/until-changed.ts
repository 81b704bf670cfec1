import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './database/database.ts';

/** A busy node commits hundreds of times a second; a page needs to know a few times a second. */
const PAUSE_MS = 200;

interface Wait<T> {
  database: Pick<Database, 'onCommit'>;
  read: () => Promise<T>;
  /** Whether what was read is worth an answer. */
  isNew: (value: T) => boolean;
  /** How long to wait at most, in milliseconds. */
  holdMs: number;
  /** Aborted when nobody waits for the answer any more. */
  gone: AbortSignal;
}

/**
 * Answers a long poll: reads now, and again after each commit, until what it reads is new or the time is over.
 * @returns what was read last.
 */
export async function untilChanged<T>({ database, read, isNew, holdMs, gone }: Wait<T>): Promise<T> {
  const end = AbortSignal.any([gone, AbortSignal.timeout(holdMs)]);
  let woken = Promise.withResolvers<void>();
  const wake = () => woken.resolve();
  const stop = database.onCommit(wake);
  end.addEventListener('abort', wake, { once: true });
  try {
    for (;;) {
      // A commit during the read must wake the wait that follows it.
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
