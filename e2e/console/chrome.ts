import { type Browser, type BrowserContext, type BrowserContextOptions, test as base, chromium } from '@playwright/test';
import { findBrowser } from '../../scripts/browser.mjs';
import type { Browser as Executable } from './hosts/desktop-app.ts';

let found: Executable | undefined;

/** The Chromium in which the tests run. */
export function browser(): Executable {
  found ??= findBrowser();
  if (found === undefined) throw new Error('There is no Chromium. Run the tests with: npm run e2e');
  return found;
}

/** The one for tests that only look at pages: Chromium's headless shell where the machine has it. */
export function pageBrowser(): Executable {
  const shell = process.env.PAYDESK_HEADLESS_SHELL;
  return shell ? { ...browser(), executablePath: shell } : browser();
}

/** Opens a browser of one person: it shares no cookie and no storage with the others, and is closed after the test. */
export type NewPerson = (options?: BrowserContextOptions) => Promise<BrowserContext>;

/**
 * Tests with a Chromium. All tests of a worker share its process, because its start takes more than a second on both
 * cores of a small machine.
 */
export const test = base.extend<{ newPerson: NewPerson }, { chrome: Browser }>({
  chrome: [
    // Playwright reads from this pattern what the fixture needs. It refuses an empty pattern.
    async ({ browserName: _ }, use) => {
      const chrome = await chromium.launch(pageBrowser());
      await use(chrome);
      await chrome.close();
    },
    { scope: 'worker' },
  ],
  newPerson: async ({ chrome }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (options) => {
      const context = await chrome.newContext({ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce', ...options });
      opened.push(context);
      return context;
    });
    for (const context of opened) await context.close();
  },
});
