import type { BrowserContext, Page } from '@playwright/test';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import type { ReachedNode } from '../support/clients/flows.ts';
import { test as base } from './fixtures.ts';

/** Opens pages in the browser of the person who uses the app. The test fails when something goes wrong in them. */
export interface Person {
  open(url: string, options?: { javaScriptEnabled: boolean }): Promise<Page>;
}

/**
 * What a story needs besides the desk: `client` is an app elsewhere with the official SDK, `node` is the desk's node as
 * the app reaches it, and `person` uses the app in a browser of their own. `refused` announces that the node will
 * refuse a request of the console with this status. Over HTTP the browser then logs a line on its own.
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
  person: async ({ desk: _, newPerson, problems }, use) => {
    const opened: BrowserContext[] = [];
    await use({
      open: async (url, options) => {
        const context = await newPerson(options);
        opened.push(context);
        const page = await context.newPage();
        problems.watch(page);
        await page.goto(url);
        return page;
      },
    });
    // A page that outlives the node logs that nobody answers it.
    for (const context of opened) await context.close();
  },
  refused: async ({ problems }, use, { project }) => {
    await use((status) => {
      if (project.name === 'headless') problems.expect(new RegExp(`the server responded with a status of ${status} `));
    });
  },
});

export { expect } from './fixtures.ts';
