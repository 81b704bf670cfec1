import type { QueryClient } from '@tanstack/react-query';
import { readLock } from '../transport/read-lock.ts';
import { session } from '../transport/session.ts';
import { you } from '../transport/you.ts';

/**
 * Finds out whether the page may call the node and whether the node is locked, and sets the page's clock. Without a
 * session the first call fails and ends the session. When the node cannot be reached, the console opens and its banner
 * says so.
 * @param screen resolves when the code of the first screen is there, so that nothing is empty in between
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
    // A link may have signed another person in, who must not see what the one before has read.
    queryClient.clear();
    you.set(undefined);
    await readLock(queryClient);
  } catch {
    // If there was no session, the link's interceptor has ended it already.
  }
  await screen;
  if (session.get() === 'opening') session.set(you.get()?.isLimited === true ? 'limited' : 'open');
}
