import type { DesktopSettings } from '../../../src-shared/operator-contract/desktop.ts';

/** How much of what happened a notification may say; `nothing`: only that something did. */
export type Detail = 'everything' | 'no_amounts' | 'nothing';

/** What the system says of the person at the screen. `unknown` where it cannot tell. */
export type ScreenState = 'active' | 'idle' | 'locked' | 'unknown';

/**
 * How much a notification may say now. On a locked screen everybody reads it, and where the system cannot tell whether the screen is
 * locked, it may be.
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
