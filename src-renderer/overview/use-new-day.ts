import { useEffect } from 'react';
import { useNodeTime } from '../transport/node-clock.ts';

const DAY_MS = 24 * 60 * 60_000;
const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);

/**
 * Calls `read` when the data that was read `at` a time is of a day that is over. The node writes no event at midnight,
 * but its counts by day start again.
 */
export function useNewDay(at: Date | undefined, read: () => unknown): void {
  const now = useNodeTime(60_000);
  const isOver = at !== undefined && dayOf(at) < dayOf(now);
  useEffect(() => {
    if (isOver) read();
  }, [isOver, read]);
}
