import type { QueryClient } from '@tanstack/react-query';
import { queries } from '../../transport/operator-client.ts';

/** Whether the person at this page gets back into this browser without a new link. @throws what the node refuses. */
export async function comesBack(queryClient: QueryClient): Promise<boolean> {
  const { passkeys, password, pin } = await queryClient.fetchQuery(queries.ways.list.queryOptions());
  return (
    passkeys.some(({ domain, isPaused }) => domain === location.hostname && !isPaused) ||
    password?.isPaused === false ||
    (pin.setAt !== null && pin.browsers.some(({ isThisOne, isPinOff }) => isThisOne && !isPinOff))
  );
}
