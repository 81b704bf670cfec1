import { useEffect } from 'react';
import { dayInputText } from '../../src-shared/words/day-input.ts';
import { useNodeTime } from '../transport/node-clock.ts';

/**
 * Calls `read` when the data that was read `at` a time is of a day that is over in the shop's time zone. The node
 * writes no event at midnight, but its counts by day start again.
 */
export function useNewDay(at: Date | undefined, read: () => unknown): void {
  const now = useNodeTime(60_000);
  const isOver = at !== undefined && dayInputText(at) < dayInputText(now);
  useEffect(() => {
    if (isOver) read();
  }, [isOver, read]);
}
