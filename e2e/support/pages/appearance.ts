import type { Locator, Page } from '@playwright/test';

export interface Appearance {
  /** The time at which something appeared in a page, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** The most by which timers on this computer were late until then, in milliseconds. */
  readonly late: number;
}

const TICK_MS = 50;

/**
 * Watches from now on for `text` inside `container`. It does so in the page itself, so that neither the way to the test
 * nor the test's own pace counts.
 * @returns a promise that resolves when the text is there.
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
  const lateness = watchMachine();
  return async () => {
    const { at, late } = await seen.evaluate(({ promise }) => promise);
    // Several processes need their turn before something is on the page. This process tells how late the others are.
    return { at, late: late + lateness() };
  };
}

/**
 * Watches how late the timers of this process are.
 * @returns a function that ends the watch and tells the longest delay, in milliseconds.
 */
function watchMachine(): () => number {
  let late = 0;
  let due = performance.now() + TICK_MS;
  const look = () => {
    late = Math.max(late, performance.now() - due);
    due = performance.now() + TICK_MS;
  };
  const tick = setInterval(look, TICK_MS).unref();
  return () => {
    look();
    clearInterval(tick);
    return late;
  };
}
