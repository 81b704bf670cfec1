import type { QueryClient } from '@tanstack/react-query';
import { setNodeTime } from '../node-clock.ts';
import { client, queries } from '../operator-client.ts';
import { session } from '../session.ts';

/**
 * Finds out whether the page may call the node, and sets its clock. Without a session the first call says so and ends the
 * session; when the node cannot be reached at all the console opens and its banner tells.
 */
export async function openSession(queryClient: QueryClient, redeemed: Promise<'open' | 'linkRefused'> | undefined): Promise<void> {
  session.set('opening');
  try {
    if ((await redeemed) === 'linkRefused') {
      session.set('linkRefused');
      return;
    }
    const info = await client.node.info();
    setNodeTime(info.now);
    queryClient.setQueryData(queries.node.info.queryKey(), info);
  } catch {
    // The link's interceptor has set the session aside if that was the reason.
  }
  if (session.get() === 'opening') session.set('open');
}
