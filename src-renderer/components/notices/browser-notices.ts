import { isQuiet, minuteOfDay } from '../../../src-shared/notices/quiet-hours.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { nodeNow } from '../../transport/node-clock.ts';
import { hidesAmounts, noticesWanted, quietHours, soundWanted } from './notice-settings.ts';
import { playPaid } from './tones.ts';

const words = messages.browserNotices;

/** What may be told of. */
type NoticeKind = 'paid' | 'failed' | 'claim' | 'asks';

/**
 * Whether this browser shows notifications of the console. `insecure` is a page without HTTPS, for which browsers show
 * none. `unsupported` is also a browser on a phone, where only installed apps notify.
 */
export type NoticePermission = NotificationPermission | 'insecure' | 'unsupported';

export function noticePermission(): NoticePermission {
  if (!window.isSecureContext) return 'insecure';
  return typeof Notification === 'function' ? Notification.permission : 'unsupported';
}

/** Asks the person for the permission, and shows at once how a notification looks. Call it on a click only. */
export async function allowNotices(): Promise<NoticePermission> {
  const permission = noticePermission();
  if (permission === 'insecure' || permission === 'unsupported') return permission;
  const answer = await Notification.requestPermission();
  if (answer !== 'granted') return answer;
  return shown('paydesk', words.areOn, () => undefined) ? answer : 'unsupported';
}

/** How many of each kind were told of since the person last looked at the console. */
const told = new Map<NoticeKind, number>();

/** Forgets what was told, because the person looks at the console again. */
export const forgetTold = (): void => told.clear();

/** Whether a notification would be shown now: the person wants any, looks elsewhere, and it is not quiet. */
export function announces(): boolean {
  const isLooking = document.visibilityState === 'visible' && document.hasFocus();
  return !isLooking && noticesWanted.get() && !isSilent() && noticePermission() === 'granted';
}

/**
 * Shows a notification, if the person wants any and looks elsewhere. Several of a kind are one notification with their
 * number, because a busy shop is paid more often than anybody reads.
 * @param says the text with names and amounts
 * @param open shows the console's screen about it
 */
export function announce(kind: NoticeKind, says: string, open: () => void): void {
  if (!announces()) return;
  const count = (told.get(kind) ?? 0) + 1;
  told.set(kind, count);
  const one = hidesAmounts.get() ? words.one[kind] : says;
  shown(`paydesk-${kind}`, count === 1 ? one : words.many[kind]({ count }), open);
}

/** Lets a payment that came be heard, if the person wants that. */
export function soundPaid(): void {
  if (soundWanted.get() && !isSilent()) playPaid();
}

const isSilent = (): boolean => isQuiet(quietHours.get(), minuteOfDay(nodeNow().getTime()));

/** @returns whether the browser could show it. A later one with the same tag takes its place. */
function shown(tag: string, text: string, open: () => void): boolean {
  try {
    const notification = new Notification(text, { tag, lang: document.documentElement.lang });
    notification.onclick = () => {
      window.focus();
      open();
      notification.close();
    };
    return true;
  } catch {
    // Browsers on phones have the constructor and refuse it.
    return false;
  }
}
