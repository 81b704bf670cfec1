import type { Page } from '@playwright/test';
import { consoleLink } from '../support/nodes/console-link.ts';
import { TwoNodes } from '../support/nodes/two-nodes.ts';
import { test as base } from './chrome.ts';
import { Problems } from './hosts/problems.ts';

/** Node A is the shop, and node B is the wallet of whoever buys there. */
export const twoNodes = base.extend<object, { nodes: TwoNodes }>({
  nodes: [
    // Playwright reads from this pattern what the fixture needs. It refuses an empty pattern.
    async ({ browserName: _ }, use) => {
      const nodes = await TwoNodes.start();
      await use(nodes);
      await nodes.stop();
    },
    { scope: 'worker' },
  ],
});

/** The console of the shop is open, and somebody who buys there has a browser. */
export const shopAndBuyer = twoNodes.extend<{ shop: Page; buyer: Page }>({
  shop: async ({ newPerson, nodes }, use) => {
    const problems = new Problems();
    const page = await (await newPerson()).newPage();
    problems.watch(page);
    await page.goto(await consoleLink(nodes.a));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await use(page);
    problems.check();
  },
  buyer: async ({ newPerson }, use) => use(await (await newPerson()).newPage()),
});
