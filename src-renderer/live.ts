import type { QueryClient } from '@tanstack/react-query';
import type { Topic } from '../src-shared/operator-contract/node.ts';
import { setNodeTime } from './node-clock.ts';
import { client, queries, reopenTransport } from './operator-client.ts';
import { keysOf } from './query-keys.ts';
import { session } from './session.ts';
import { stateCell } from './state-cell.ts';

/** Whether changes in the node reach this page. */
export const connection = stateCell<'connecting' | 'live' | 'lost'>('connecting');

const SAY_SO_AFTER_MS = 1500;
const GIVE_UP_AFTER_MS = 10_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 8000;
/** A busy node changes hundreds of times a second; a person reads a few. */
const GATHER_MS = 150;
const READ_AT_MOST_MS = 5000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

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
 * Keeps the one stream of changes open for as long as the page lives, and reads again what changed. Nothing is ever asked
 * for on a timer: while nothing happens in the node and the stream stands, no request leaves the page.
 */
export async function keepLive(queryClient: QueryClient): Promise<never> {
  const changed = reader(queryClient);
  let failures = 0;
  let lived = false;
  for (;;) {
    await sessionOpen();
    await follow(() => {
      failures = 0;
      connection.set('live');
      // What happened while nobody listened is unknown, so everything shown is read again.
      if (lived) void readAgain(queryClient);
      lived = true;
    }, changed);
    connection.set('lost');
    reopenTransport();
    await pause(Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS));
    failures += 1;
  }
}

/** Listens until the stream ends, however it ends; the caller tries again. */
async function follow(onLive: () => void, onChange: (topics: readonly Topic[]) => void): Promise<void> {
  const attempt = new AbortController();
  const timers = [setTimeout(() => connection.set('lost'), SAY_SO_AFTER_MS), setTimeout(() => attempt.abort(), GIVE_UP_AFTER_MS)];
  try {
    let first = true;
    for await (const change of await client.node.changes(undefined, { signal: attempt.signal })) {
      if (first) {
        for (const timer of timers) clearTimeout(timer);
        onLive();
      }
      first = false;
      onChange(change.topics);
    }
  } catch {
    // Why it ended makes no difference: the banner says that it did, and the next attempt shows whether it is over.
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

async function readAgain(queryClient: QueryClient): Promise<void> {
  await queryClient.invalidateQueries();
  const info = queryClient.getQueryData(queries.node.info.queryKey());
  if (info !== undefined) setNodeTime(info.now);
}

/**
 * Gathers topics and reads them again one round at a time: a change that comes during a round starts the next one, so none
 * is missed and no read is cut off by the following change.
 */
function reader(queryClient: QueryClient): (topics: readonly Topic[]) => void {
  const waiting = new Set<Topic>();
  let reading = false;
  const readOn = async () => {
    while (waiting.size > 0) {
      await pause(GATHER_MS);
      const keys = keysOf(waiting);
      waiting.clear();
      const round = Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
      await Promise.race([round, pause(READ_AT_MOST_MS)]);
    }
  };
  return (topics) => {
    for (const topic of topics) waiting.add(topic);
    if (reading || waiting.size === 0) return;
    reading = true;
    void readOn().finally(() => {
      reading = false;
    });
  };
}
