import { Notification } from 'electron';
import type { Notice } from './notices.ts';
import type { Detail } from './notification-rules.ts';

/** More than that no system keeps. */
const MOST_SHOWN = 50;

/** The notifications that the system shows for this app. */
export class Notifications {
  readonly #open: (screen: string) => void;
  /** Held, because one that is collected as garbage has no click any more. */
  readonly #shown = new Map<Notification, Detail>();

  /** @param open shows a screen of the console, when a notification is clicked. */
  constructor(open: (screen: string) => void) {
    this.#open = open;
  }

  show({ title, body, screen }: Notice, detail: Detail): void {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title, body });
    const forget = () => this.#shown.delete(notification);
    notification.on('click', () => {
      forget();
      this.#open(screen);
    });
    notification.on('close', forget);
    this.#shown.set(notification, detail);
    const [oldest] = this.#shown.keys();
    if (oldest !== undefined && this.#shown.size > MOST_SHOWN) this.#shown.delete(oldest);
    notification.show();
  }

  /** Takes away what should not be read by whoever passes a locked screen, or sits in front of a locked console. */
  locked(): void {
    for (const [notification, detail] of [...this.#shown]) if (detail !== 'nothing') notification.close();
  }
}
