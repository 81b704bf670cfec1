import type { Lock } from '../../src-shared/operator-contract/lock.ts';
import { stateCell } from './state-cell.ts';

/** What the page knows of the node's lock; undefined until it was told. */
export const lockState = stateCell<Lock | undefined>(undefined);

/** The node refused something because it is locked: nothing of it is shown from now on. */
export function lockedOut(): void {
  const known = lockState.get();
  if (known?.locked === true) return;
  const settings = known?.settings ?? { idleMinutes: null, atStart: true };
  lockState.set({ protected: true, locked: true, reason: null, secondsLeft: 0, settings });
}
