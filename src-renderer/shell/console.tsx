import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { LockScreen } from '../lock/lock-screen.tsx';
import { connection } from '../transport/live.ts';
import { lockState } from '../transport/lock-state.ts';
import { shopDaysKey } from '../transport/node-info.ts';
import { session } from '../transport/session.ts';
import { useStateCell } from '../transport/state-cell.ts';
import { you } from '../transport/you.ts';
import { LimitedSession } from './limited-session.tsx';
import { NoSession } from './no-session.tsx';
import { Opening } from './opening.tsx';

/** Shows the console, or why it cannot be shown. */
export function Console({ router }: { router: AnyRouter }) {
  const state = useStateCell(session);
  const days = useStateCell(shopDaysKey);
  const isLimited = useStateCell(you)?.isLimited === true;
  const isConnecting = useStateCell(connection) === 'connecting';
  const locked = useStateCell(lockState)?.locked === true;
  if (state === 'opening' || state === 'returning') return <Opening />;
  if (state === 'open' && locked) return <LockScreen />;
  // Whoever came while the console was locked is known only after it was opened.
  if (state === 'limited' || (state === 'open' && isLimited)) return <LimitedSession />;
  // A screen that reads before the page hears of changes could miss one. Without a node the page soon says so instead.
  if (state === 'open' && isConnecting) return <Opening />;
  // Times that are on the screen are written anew when the shop counts its days in another way.
  if (state === 'open') return <RouterProvider key={days} router={router} />;
  return <NoSession linkRefused={state === 'linkRefused'} />;
}
