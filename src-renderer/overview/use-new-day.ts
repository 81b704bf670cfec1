import { useEffect } from 'react';
import { useNodeTime } from '../transport/node-clock.ts';

const DAY_MS = 24 * 60 * 60_000;
const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);

/** Calls `read` once what was read `at` is of a day that is over: at midnight nothing happens in the node, yet what it counts by days begins anew. */
export function useNewDay(at: Date | undefined, read: () => unknown): void {
  const now = useNodeTime(60_000);
  const isOver = at !== undefined && dayOf(at) < dayOf(now);
  useEffect(() => {
    if (isOver) read();
  }, [isOver, read]);
}
