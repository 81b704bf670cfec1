import { lockState } from '../transport/lock-state.ts';
import { client } from '../transport/operator-client.ts';

/** How often the node is told at most, in milliseconds: a part of the shortest time after which it locks. */
const AT_MOST_EVERY_MS = 15_000;
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Tells the node that somebody is here, where it locks by itself when nobody is. Nothing is sent while nobody moves. */
export function reportUse(): void {
  let told = Number.NEGATIVE_INFINITY;
  const tell = () => {
    const lock = lockState.get();
    if (lock === undefined || lock.locked || lock.settings.idleMinutes === null) return;
    if (performance.now() - told < AT_MOST_EVERY_MS) return;
    told = performance.now();
    // When it does not come through, the next sign of use does.
    client.lock.inUse().catch(() => undefined);
  };
  for (const sign of SIGNS) window.addEventListener(sign, tell, { passive: true, capture: true });
}
