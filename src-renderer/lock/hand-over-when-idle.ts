import type { QueryClient } from '@tanstack/react-query';
import { askAfter } from '../components/sign-in/ask-after.ts';
import { comesBack } from '../components/sign-in/comes-back.ts';
import { lockState } from '../transport/lock-state.ts';
import { handOver, session } from '../transport/session.ts';
import { you } from '../transport/you.ts';
import { SIGNS } from './report-use.ts';

/** How often the page looks at its clock, and tells its other tabs of use at most, in milliseconds. */
const EVERY_MS = 5_000;
const MINUTE_MS = 60_000;

/**
 * Hands a shared browser over when nobody has used it for as long as its setting says. Whoever could come back only
 * with a new link stays signed in.
 */
export function handOverWhenIdle(queryClient: QueryClient): void {
  const tabs = new BroadcastChannel('paydesk-use');
  let usedAt = performance.now();
  let toldAt = Number.NEGATIVE_INFINITY;
  let busy = false;
  const use = () => {
    usedAt = performance.now();
    if (usedAt - toldAt < EVERY_MS) return;
    toldAt = usedAt;
    tabs.postMessage('used');
  };
  tabs.addEventListener('message', () => {
    usedAt = performance.now();
  });
  for (const sign of SIGNS) window.addEventListener(sign, use, { passive: true, capture: true });
  const isDue = () => {
    const minutes = askAfter.get();
    const isShown = session.get() === 'open' && lockState.get()?.locked !== true;
    return minutes !== null && isShown && you.get()?.isShared === true && performance.now() - usedAt >= minutes * MINUTE_MS;
  };
  const look = async () => {
    if (busy || !isDue()) return;
    busy = true;
    try {
      if ((await comesBack(queryClient)) && isDue()) await handOver();
    } catch {
      // The node did not answer. The next look tries again.
    }
    busy = false;
  };
  setInterval(() => void look(), EVERY_MS);
}
