import type { InvalidateQueryFilters, Query, QueryClient } from '@tanstack/react-query';

/**
 * Reads again what matches and is on the screen, because the node has changed it. The rest that matches is read again
 * when a screen needs it.
 *
 * A first answer that is still under way may be older than the change. TanStack Query does not begin such a read anew,
 * and takes its answer for the newest one. So this reads once more after it.
 */
export async function readAgain(queryClient: QueryClient, filters: InvalidateQueryFilters = {}): Promise<void> {
  const underWay = queryClient.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching', predicate: isNotBegunAnew });
  const answers = Promise.allSettled(underWay.map(({ promise }) => promise));
  await queryClient.invalidateQueries(filters);
  await answers;
  await Promise.all(underWay.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey, exact: true })));
}

/** A read that has an answer already, and a screen that waits for the next one, is cut off and begun anew. */
const isNotBegunAnew = (query: Query): boolean => query.state.data === undefined || !query.isActive();
