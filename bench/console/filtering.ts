import type { Page } from '@playwright/test';
import { PaymentsPage } from '../../e2e/console/pages/payments-page.ts';
import { cpuMs } from '../support/processes.ts';
import { type BusyConsole, screensFetched } from './busy-console.ts';
import { type Spread, spreadOf } from './spread.ts';

/**
 * The time from a key or a click until the list on the screen matches, in milliseconds. It includes the pause in which
 * the console waits for the next letter.
 */
export interface Filtering {
  samples: number;
  list: Spread;
  /** The time until the console has also counted what matches and added it up. */
  totals: Spread;
  /**
   * Processor time for each of them: of the node (undefined where the system does not tell) and of the page's main
   * thread.
   */
  nodeCpu: number | undefined;
  pageCpu: number;
}

/**
 * What is typed, letter by letter: things that many payments have, that one has, that lie far back, and, with the last
 * letter, that none has. No two begin alike, so that every letter asks for something new.
 */
const TYPED = [
  'birthday cake for ada 29',
  'two books 49999',
  'inv-31415',
  'äpfel aus dem garten 12z',
  'weekly flour 7',
  'other.example',
  // What the ids of the past years begin with.
  Date.now().toString(16).padStart(12, '0').slice(0, 3),
];

/** Filters the whole list again and again, one letter or click after the list has followed the one before. */
export async function measureFiltering(desk: BusyConsole): Promise<Filtering> {
  const page = await desk.newPage();
  const payments = new PaymentsPage(page);
  await page.goto(`${desk.node.consoleUrl}/payments`);
  await payments.totals.getByText('payments').waitFor();
  await screensFetched(page);
  const used = await pageCpu(page);
  const [nodeBefore, pageBefore] = [cpuMs(desk.node.pid), await used()];
  const done: Done[] = [];
  const timed = async (act: () => Promise<void>): Promise<void> => {
    const watch = await page.evaluateHandle(watchList);
    await act();
    done.push(await watch.evaluate(({ done }) => done));
  };
  for (const text of TYPED) {
    await payments.search.focus();
    for (const letter of text) {
      // The console does not look for a space at the end.
      if (letter === ' ') await page.keyboard.type(letter);
      else await timed(() => page.keyboard.type(letter));
    }
    if (await payments.noneFound.isHidden()) for (const way of ['In', 'Out'] as const) await timed(() => payments.show(way));
    await payments.clearFilters.click();
    await payments.clearFilters.waitFor({ state: 'hidden' });
  }
  const [nodeAfter, pageAfter] = [cpuMs(desk.node.pid), await used()];
  await page.context().close();
  return {
    samples: done.length,
    list: spreadOf(done.map(({ list }) => list)),
    totals: spreadOf(done.map(({ totals }) => totals)),
    nodeCpu: nodeBefore === undefined || nodeAfter === undefined ? undefined : (nodeAfter - nodeBefore) / done.length,
    pageCpu: (pageAfter - pageBefore) / done.length,
  };
}

/** @returns a function that tells the processor time of the page's main thread so far, in milliseconds. */
async function pageCpu(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  };
}

interface Done {
  list: number;
  totals: number;
}

/** Runs in the page: times the next key or click until the list, which first says that it is old, is painted anew. */
function watchList(): { done: Promise<Done> } {
  const done = new Promise<Done>((resolve, reject) => {
    // A letter that the keyboard of the test does not have comes without a key.
    const types = ['keydown', 'beforeinput', 'pointerdown'];
    let began: number | undefined;
    let wasOld = false;
    const at: Partial<Done> = {};
    const begin = ({ timeStamp }: Event) => {
      began ??= timeStamp;
    };
    const mark = (what: keyof Done) => {
      if (at[what] !== undefined) return;
      at[what] = Number.NaN;
      // The frame after the change has been painted when a message sent from it arrives.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          at[what] = performance.now() - (began ?? Number.NaN);
          const { list, totals } = at;
          if (Number.isFinite(list) && Number.isFinite(totals)) end(() => resolve({ list: Number(list), totals: Number(totals) }));
        };
        port2.postMessage(undefined);
      });
    };
    const look = () => {
      if (began === undefined) return;
      const list = document.querySelector('ul[aria-busy]');
      if (list?.getAttribute('aria-busy') === 'true') wasOld = true;
      else if (wasOld) {
        mark('list');
        if (document.querySelector('[data-testid="payment-totals"]')?.textContent !== '') mark('totals');
      }
    };
    const observer = new MutationObserver(look);
    const timer = setTimeout(() => end(() => reject(new Error('the list was not painted anew within 30 s'))), 30_000);
    const end = (then: () => void) => {
      observer.disconnect();
      clearTimeout(timer);
      for (const type of types) document.removeEventListener(type, begin, true);
      then();
    };
    for (const type of types) document.addEventListener(type, begin, true);
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  return { done };
}
