import type { QueryClient } from '@tanstack/react-query';
import { lockState } from './lock-state.ts';
import { takeNodeInfo } from './node-info.ts';
import { client, queries } from './operator-client.ts';
import { you } from './you.ts';

/** Asks who is signed in once more: whether others work with the node, too, may have changed. */
export async function readYou(): Promise<void> {
  const before = you.get();
  if (before === undefined) return;
  const me = await client.people.me();
  // Meanwhile nobody, or somebody else, may be signed in.
  if (you.get() === before) you.set(me);
}

/** Who was at this page last. */
let lastHere: string | undefined;

/** Tells whether somebody else was at this page before, also when the node was locked as they came. */
function isAnother(now: string | undefined): boolean {
  const before = lastHere;
  lastHere = now ?? before;
  return before !== undefined && lastHere !== before;
}

let turn: Promise<unknown> = Promise.resolve();

/**
 * Asks the node whether it is locked. When it is not, the page reads the node's time and who is signed in before it
 * shows anything. The questions follow one another, so that the last answer counts.
 */
export function readLock(queryClient: QueryClient): Promise<void> {
  const read = turn.then(async () => {
    const lock = await client.lock.state();
    if (!lock.locked && (lockState.get()?.locked !== false || you.get() === undefined)) {
      const me = await client.people.me();
      you.set(me);
      if (isAnother(me.person?.id)) {
        // Whoever takes over begins at the beginning, in a page that knows nothing of the one before.
        location.replace('/');
        return await new Promise<never>(() => undefined);
      }
      if (me.isLimited) return;
      const info = await client.node.info();
      takeNodeInfo(info);
      queryClient.setQueryData(queries.node.info.queryKey(), info);
    }
    lockState.set(lock);
  });
  turn = read.catch(() => undefined);
  return read;
}
