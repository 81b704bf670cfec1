import type { Lock } from '../../src-shared/operator-contract/lock.ts';
import { stateCell } from './state-cell.ts';

/** What the page knows about the node's lock. It is undefined until the node has told it. */
export const lockState = stateCell<Lock | undefined>(undefined);

/** Records that the node refused an operation because it is locked. The page shows nothing of the node from now on. */
export function lockedOut(): void {
  const known = lockState.get();
  if (known?.locked === true) return;
  const settings = known?.settings ?? { idleMinutes: null, atStart: true };
  lockState.set({ protected: true, locked: true, reason: null, secondsLeft: 0, settings });
}
