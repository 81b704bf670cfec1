import { Turns } from '../../../platform/overload/turns.ts';
import type { Result } from '../../../platform/result.ts';

/**
 * Adding up a book takes seconds of the thread of readers, with which everything else reads, too. So two add up at
 * once, and eight more wait; whoever comes then is told to try again (decisions.md#D-293). Each process has its own.
 */
const sums = new Turns({ atOnce: 2, waiting: 8 });

/** Files of statements that are read at once. Each lasts as long as its reader takes it. */
export const files = new Turns({ atOnce: 6, waiting: 0 });

/** Adds something up once it is its turn. */
export async function inTurn<T, E>(work: () => Promise<Result<T, E>>): Promise<Result<T, E | 'busy'>> {
  const done = await sums.run(work);
  return done.ok ? done.value : done;
}
