import { lockState } from '../transport/lock-state.ts';
import { client } from '../transport/operator-client.ts';

/**
 * How often the page reports use at most, in milliseconds. It is a part of the shortest time after which the console
 * locks.
 */
const AT_MOST_EVERY_MS = 15_000;
/** What shows that somebody uses the page. */
export const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/**
 * Tells the node that somebody uses the console, when it locks by itself without use. Nothing is sent while nobody
 * moves.
 */
export function reportUse(): void {
  let told = Number.NEGATIVE_INFINITY;
  const tell = () => {
    const lock = lockState.get();
    if (lock === undefined || lock.locked || lock.settings.idleMinutes === null) return;
    if (performance.now() - told < AT_MOST_EVERY_MS) return;
    told = performance.now();
    // When this report is lost, the next one arrives.
    client.lock.inUse().catch(() => undefined);
  };
  for (const sign of SIGNS) window.addEventListener(sign, tell, { passive: true, capture: true });
}
