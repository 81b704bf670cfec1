import type { QueryClient } from '@tanstack/react-query';
import { readLock } from '../transport/read-lock.ts';
import { session } from '../transport/session.ts';

/**
 * Finds out whether the page may call the node, whether that is locked, and sets the page's clock. Without a session the first call says so and ends the
 * session; when the node cannot be reached at all the console opens and its banner tells.
 * @param screen what the console is to have before it opens, so that nothing is empty in between
 */
export async function openSession(
  queryClient: QueryClient,
  redeemed: Promise<'open' | 'linkRefused'> | undefined,
  screen?: Promise<unknown>,
): Promise<void> {
  session.set('opening');
  try {
    if ((await redeemed) === 'linkRefused') {
      session.set('linkRefused');
      return;
    }
    await readLock(queryClient);
  } catch {
    // The link's interceptor has set the session aside if that was the reason.
  }
  await screen;
  if (session.get() === 'opening') session.set('open');
}
