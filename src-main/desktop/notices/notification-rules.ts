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

/** @param now local time of this computer, in minutes since midnight, 0–1439 */
export function isQuiet({ quietHours }: Pick<DesktopSettings, 'quietHours'>, now: number): boolean {
  if (quietHours === null) return false;
  const from = minutesOf(quietHours.from);
  const until = minutesOf(quietHours.until);
  return from < until ? now >= from && now < until : now >= from || now < until;
}

/** @param time such as `07:30` */
function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Local time of this computer, in minutes since midnight. @param now milliseconds since the Unix epoch */
export function minuteOfDay(now: number): number {
  const local = new Date(now);
  return local.getHours() * 60 + local.getMinutes();
}
