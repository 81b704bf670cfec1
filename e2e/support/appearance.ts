import type { Locator, Page } from '@playwright/test';

/** When something came into a page (ms since the epoch), and how late the machine was meanwhile with what was due (ms). */
export interface Appearance {
  readonly at: number;
  readonly late: number;
}

const TICK_MS = 50;

/**
 * Watches from now on for `text` inside `container`, in the page itself: neither the way to the test nor its own pace counts.
 * @returns resolves when it is there
 */
export async function watchFor(container: Locator | Page, text: string): Promise<() => Promise<Appearance>> {
  const element = 'locator' in container && 'goto' in container ? container.locator('body') : container;
  const seen = await element.evaluateHandle(
    (inside: HTMLElement, { wanted, tickMs }) => {
      const { promise, resolve } = Promise.withResolvers<{ at: number; late: number }>();
      let late = 0;
      let due = Date.now() + tickMs;
      const tick = setInterval(() => {
        late = Math.max(late, Date.now() - due);
        due = Date.now() + tickMs;
      }, tickMs);
      const observer = new MutationObserver(() => look());
      const look = () => {
        if (!inside.innerText.includes(wanted)) return;
        observer.disconnect();
        clearInterval(tick);
        resolve({ at: Date.now(), late: Math.max(late, Date.now() - due) });
      };
      observer.observe(inside, { subtree: true, childList: true, characterData: true });
      look();
      return { promise };
    },
    { wanted: text, tickMs: TICK_MS },
  );
  return () => seen.evaluate(({ promise }) => promise);
}
