import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { RestorePage } from '../console/pages/restore-page.ts';
import { createAccount } from '../support/clients/flows.ts';
import { consoleLink } from '../support/nodes/console-link.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

const PASSPHRASE = 'five odd words in a row';

type Themed = (theme: 'light' | 'dark') => Promise<Page>;

/**
 * A backup put in place of a node, step by step.
 * @param open a page of its own for each theme
 * @param picture takes one of what it shows
 */
export async function takeRestoring(open: Themed, picture: (page: Page, name: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-pictures-'));
  const node = await RunningNode.start();
  try {
    await createAccount(node, 'shop', 128_450n);
    await createAccount(node, 'savings', 512_300n);
    const { file } = await node.operator.backups.make({ folder, passphrase: PASSPHRASE });
    let last: RestorePage | undefined;
    for (const theme of ['dark', 'light'] as const) {
      const page = await open(theme);
      await page.goto(await consoleLink(node));
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      await page.goto(`${node.consoleUrl}/restore`);
      last = new RestorePage(page);
      await last.heading.waitFor();
      await picture(page, `restore-${theme}`);
      await last.choose(file, PASSPHRASE);
      await last.content.getByText('The savings').waitFor();
      await picture(page, `restore-confirm-${theme}`);
    }
    await last?.confirm();
    await last?.done.waitFor();
    const { last: restored } = await node.operator.restore.last();
    for (const theme of ['dark', 'light'] as const) {
      const page = await open(theme);
      await page.goto(await consoleLink(node));
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      await page.goto(`${node.consoleUrl}/restored?id=${restored?.id ?? ''}`);
      await new RestorePage(page).done.waitFor();
      await picture(page, `restored-${theme}`);
    }
  } finally {
    await node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
