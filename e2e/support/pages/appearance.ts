import type { Locator, Page } from '@playwright/test';

/**
 * When something came into a page (ms since the epoch), and how late the machine was meanwhile with what was due (ms).
 */
export interface Appearance {
  readonly at: number;
  readonly late: number;
}

const TICK_MS = 50;

/**
 * Watches from now on for `text` inside `container`, in the page itself: neither the way to the test nor its own pace
 * counts.
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
  const lateness = watchMachine();
  return async () => {
    const { at, late } = await seen.evaluate(({ promise }) => promise);
    // The page is one of several processes that have to get their turn until something is on it; how the others fare,
    // this one tells.
    return { at, late: late + lateness() };
  };
}

/** Watches how late this process is with what is due. @returns ends it, and tells by how much at most (ms) */
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
