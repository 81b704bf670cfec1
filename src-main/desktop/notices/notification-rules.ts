import type { DesktopSettings } from '../../../src-shared/operator-contract/desktop.ts';

/** How much a notification may tell. `nothing` means: only that something happened. */
export type Detail = 'everything' | 'no_amounts' | 'nothing';

/** What the system knows about the person at the screen. It is `unknown` where the system cannot tell. */
export type ScreenState = 'active' | 'idle' | 'locked' | 'unknown';

/**
 * How much a notification may tell now. Everybody can read a notification on a locked screen, and where the system
 * cannot tell, the screen may be locked.
 */
export function detailNow({ hideAmounts }: Pick<DesktopSettings, 'hideAmounts'>, screen: ScreenState): Detail {
  if (screen === 'locked' || screen === 'unknown') return 'nothing';
  return hideAmounts === 'always' ? 'no_amounts' : 'everything';
}
