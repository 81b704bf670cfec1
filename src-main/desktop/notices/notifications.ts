import { Notification } from 'electron';
import type { Notice } from './notices.ts';
import type { Detail } from './notification-rules.ts';

/** No system keeps more notifications than that. */
const MOST_SHOWN = 50;

/** The notifications that the system shows for this app. */
export class Notifications {
  readonly #open: (screen: string) => void;
  /** The notifications are held here, because one that is garbage-collected does not report a click any more. */
  readonly #shown = new Map<Notification, Detail>();

  /** @param open shows a screen of the console when the operator clicks a notification */
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

  /** Closes the notifications that a stranger in front of a locked screen or a locked console should not read. */
  locked(): void {
    for (const [notification, detail] of [...this.#shown]) if (detail !== 'nothing') notification.close();
  }
}
