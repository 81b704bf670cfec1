import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { LockScreen } from '../lock/lock-screen.tsx';
import { lockState } from '../transport/lock-state.ts';
import { session } from '../transport/session.ts';
import { useStateCell } from '../transport/state-cell.ts';
import { NoSession } from './no-session.tsx';
import { Opening } from './opening.tsx';

/** Shows the console, or why it cannot be shown. */
export function Console({ router }: { router: AnyRouter }) {
  const state = useStateCell(session);
  const locked = useStateCell(lockState)?.locked === true;
  if (state === 'opening' || state === 'returning') return <Opening />;
  if (state === 'open' && locked) return <LockScreen />;
  if (state === 'open') return <RouterProvider router={router} />;
  return <NoSession linkRefused={state === 'linkRefused'} />;
}
