import type { InvalidateQueryFilters, Query, QueryClient } from '@tanstack/react-query';
import type { Topic } from '../../src-shared/operator-contract/node.ts';
import { keysOf } from './query-keys.ts';

/** Reads again what may show something new after changes of these topics. */
export const readTopicsAgain = (queryClient: QueryClient, topics: readonly Topic[]): Promise<unknown> =>
  Promise.all(keysOf(topics).map((queryKey) => readAgain(queryClient, { queryKey })));

/**
 * Reads again what matches and is on the screen, because the node has changed it. The rest that matches is read again
 * when a screen needs it.
 *
 * A first answer that is still under way may be older than the change. TanStack Query does not begin such a read anew,
 * and takes its answer for the newest one. So this reads once more after it.
 */
export async function readAgain(queryClient: QueryClient, filters: Pick<InvalidateQueryFilters, 'queryKey'> = {}): Promise<void> {
  const kept = queryClient.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching', predicate: isKept });
  const answers = Promise.allSettled(kept.map(({ promise }) => promise));
  await queryClient.invalidateQueries(filters);
  await answers;
  await Promise.all(kept.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey, exact: true })));
}

/** Whether TanStack Query keeps the answer that is under way. It begins a screen's second and later reads anew. */
const isKept = (query: Query): boolean => query.state.data === undefined || !query.isActive();
