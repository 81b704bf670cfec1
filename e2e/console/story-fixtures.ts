import { chromium, type Page } from '@playwright/test';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import type { ReachedNode } from '../support/clients/flows.ts';
import { test as base, browser } from './fixtures.ts';

/** Opens pages in the browser of the person who uses the app; nothing in them may go wrong. */
export interface Person {
  open(url: string, options?: { javaScriptEnabled: boolean }): Promise<Page>;
}

/**
 * Beside the desk: `client`, an app elsewhere with the official SDK, `node`, the desk's node as that app reaches it,
 * and `person`, who uses the app in a browser of their own. `refused` announces that the node is going to refuse the
 * console something with this status: over HTTP the browser then writes a line on its console by itself.
 */
export const test = base.extend<{ client: ClientWallet; node: ReachedNode; person: Person; refused: (status: number) => void }>({
  client: async ({ browserName: _ }, use) => {
    const client = await ClientWallet.start();
    await use(client);
    await client.stop();
  },
  node: async ({ desk: { operator } }, use) => {
    const { publicUrl } = await operator.node.info();
    await use({ publicUrl, operator });
  },
  person: async ({ desk: _, problems }, use) => {
    const chrome = await chromium.launch(browser());
    await use({
      open: async (url, options) => {
        const page = await chrome.newPage({ locale: 'en-GB', timezoneId: 'UTC', ...options });
        problems.watch(page);
        await page.goto(url);
        return page;
      },
    });
    await chrome.close();
  },
  refused: async ({ problems }, use, { project }) => {
    await use((status) => {
      if (project.name === 'headless') problems.expect(new RegExp(`the server responded with a status of ${status} `));
    });
  },
});

export { expect } from './fixtures.ts';
