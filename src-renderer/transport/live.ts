import type { QueryClient } from '@tanstack/react-query';
import type { News, Topic } from '../../src-shared/operator-contract/node.ts';
import { noteRefusal } from './device.ts';
import { gatherTopics, pause } from './gather-topics.ts';
import { onHeard } from './heard.ts';
import { lockState } from './lock-state.ts';
import { client, onDesktop, reopenTransport } from './operator-client.ts';
import { readAgain, readTopicsAgain } from './read-again.ts';
import { readLock, readYou } from './read-lock.ts';
import { session } from './session.ts';
import { stateCell } from './state-cell.ts';

/** Whether changes in the node reach this page. */
export const connection = stateCell<'connecting' | 'live' | 'lost'>('connecting');

const newsListeners = new Set<(news: News) => void>();

/** Calls `listener` with events that are worth a notification. @returns a function that stops it */
export function onNews(listener: (news: News) => void): () => void {
  newsListeners.add(listener);
  return () => newsListeners.delete(listener);
}

/** The page says after this silence that the connection is lost, and opens another one. In milliseconds. */
const SAY_SO_AFTER_MS = 1500;
const GIVE_UP_AFTER_MS = 10_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 4000;
const sessionOpen = (): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (session.get() !== 'open') return;
      stop();
      resolve();
    };
    const stop = session.watch(look);
    look();
  });

/**
 * Keeps one stream of changes open as long as the page lives, and reads again what has changed. The page never asks on
 * a timer: while nothing happens in the node and the stream stands, the page sends no request.
 * @param reread reads what the page must know before it shows anything
 */
export async function keepLive(queryClient: QueryClient, reread = readLock): Promise<never> {
  const changed = gatherTopics((topics) => readTopicsAgain(queryClient, topics));
  // Whatever fails here is read again when the stream is back.
  const relock = () => reread(queryClient).catch(() => undefined);
  // The page does not know what happened while it did not listen. So it reads everything again, if it may still show
  // it.
  const catchUp = async (again: boolean) => {
    await relock();
    if (again && lockState.get()?.locked !== true) await readAgain(queryClient);
  };
  let failures = 0;
  for (;;) {
    await sessionOpen();
    await follow(
      () => {
        failures = 0;
        // Until now nothing was shown, or what was shown may have become old.
        const again = connection.get() !== 'connecting';
        connection.set('live');
        void catchUp(again);
      },
      (topics) => {
        if (topics.includes('lock')) void relock();
        if (topics.includes('people')) void readYou().catch(() => undefined);
        changed(topics);
      },
    );
    connection.set('lost');
    reopenTransport();
    await pause(Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS));
    failures += 1;
  }
}

/** Listens until the stream ends for any reason. The caller tries again. */
async function follow(onLive: () => void, onChange: (topics: readonly Topic[]) => void): Promise<void> {
  const attempt = new AbortController();
  const silence = new Silence(attempt);
  let first = true;
  // A stream that goes on after a silence has missed nothing.
  const stopListening = onHeard(() => {
    silence.begin();
    if (!first && connection.get() === 'lost') connection.set('live');
  });
  silence.begin();
  try {
    for await (const change of await client.node.changes(undefined, { signal: attempt.signal })) {
      if (first) {
        // In the desktop app there are no signs of life, and no connection that could be cut.
        if (onDesktop()) silence.end();
        onLive();
      }
      first = false;
      onChange(change.topics);
      for (const news of change.news ?? []) for (const listener of newsListeners) listener(news);
    }
  } catch (error) {
    // Only the device of a till is told why. Otherwise the reason does not matter: the banner says that the stream
    // ended, and the next attempt shows whether the node is back.
    noteRefusal(error);
  } finally {
    stopListening();
    silence.end();
  }
}

/** Reacts to a silent node: the page says so, and later gives the attempt up. */
class Silence {
  readonly #attempt: AbortController;
  #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(attempt: AbortController) {
    this.#attempt = attempt;
  }

  /** Starts to count silence from now on, and forgets what was counted before. */
  begin(): void {
    this.end();
    this.#timers = [setTimeout(() => connection.set('lost'), SAY_SO_AFTER_MS), setTimeout(() => this.#attempt.abort(), GIVE_UP_AFTER_MS)];
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
