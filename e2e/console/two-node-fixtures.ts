import type { Page } from '@playwright/test';
import { consoleLink } from '../support/nodes/console-link.ts';
import { TwoNodes } from '../support/nodes/two-nodes.ts';
import { test as base } from './chrome.ts';
import { Problems } from './hosts/problems.ts';

async function withNodes(use: (nodes: TwoNodes) => Promise<void>): Promise<void> {
  const nodes = await TwoNodes.start();
  await use(nodes);
  await nodes.stop();
}

// Playwright reads from the pattern what a fixture needs. It refuses an empty pattern.

/** Node A is the shop, and node B is the wallet of whoever buys there. The stories of a worker share them. */
export const twoNodes = base.extend<object, { nodes: TwoNodes }>({
  nodes: [async ({ browserName: _ }, use) => await withNodes(use), { scope: 'worker' }],
});

/** The same for a story whose sums are those of the whole node: nobody else has paid there. */
export const twoFreshNodes = base.extend<{ nodes: TwoNodes }>({
  nodes: async ({ browserName: _ }, use) => await withNodes(use),
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
