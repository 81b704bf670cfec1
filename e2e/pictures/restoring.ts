import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, spendingToken, usd } from '../support/clients/flows.ts';
import { consoleLink } from '../support/nodes/console-link.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { openConsoleLink } from '../support/pages/console-session.ts';
import type { Say } from './say.ts';
import type { Stage } from './shots.ts';

const PASSPHRASE = 'five odd words in a row';

/** A backup put in place of a node, step by step. The backup is put in place between the two stages. */
export async function* restoring(): AsyncGenerator<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-pictures-'));
  const node = await RunningNode.start();
  try {
    await createAccount(node, 'shop', 128_450n);
    const savings = await createAccount(node, 'savings', 512_300n);
    const grantId = await allowApp(node, savings.walletAddress);
    const { file } = await node.operator.backups.make({ folder, passphrase: PASSPHRASE });
    const enter = async (page: Page) => void (await page.goto(await consoleLink(node)));
    /** Chooses the file, so that the page says what is in it. */
    const open = async (page: Page, say: Say): Promise<undefined> => {
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByLabel(say('restore.passphrase')).and(page.locator('input')).fill(PASSPHRASE);
      await page.getByRole('button', { name: say('restore.open') }).click();
      await page.getByRole('region', { name: say('restore.inside') }).waitFor();
    };
    const { consoleUrl: origin, operator } = node;
    yield {
      ...{ origin, operator, enter },
      shots: [
        { name: 'restore', path: '/restore' },
        { name: 'restore-confirm', path: '/restore', before: open },
      ],
    };
    await replace(node, file);
    const { last } = await node.operator.restore.last();
    await askAgain(node, grantId);
    yield {
      ...{ origin, operator, enter },
      shots: [
        { name: 'restored', path: `/restored?id=${last?.id ?? ''}` },
        { docs: 'none', name: 'apps-frozen', path: '/apps' },
        { docs: 'none', name: 'app-frozen', path: `/apps/${grantId}` },
      ],
    };
  } finally {
    await node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An app may pay, two persons work with the console, and what apps may needs both of them. @returns the permission. */
async function allowApp(node: RunningNode, walletAddress: string): Promise<string> {
  const client = await ClientWallet.start('Corner Bookshop');
  try {
    await spendingToken(node, client, walletAddress, { debitAmount: usd('50000') });
  } finally {
    await client.stop();
  }
  const { secret } = await node.operator.people.invite({ name: 'Mia', role: 'manager' });
  await openConsoleLink(`${node.consoleUrl}/#link=${secret}`);
  await node.operator.secondPerson.set({ what: 'approvals', assetCode: 'USD', assetScale: 2, above: 10_000n });
  const { items } = await node.operator.apps.grants({});
  return items[0]?.id ?? '';
}

/** Asks for the permission that is frozen since the restore. It waits for the other person. */
async function askAgain({ operator }: RunningNode, id: string): Promise<void> {
  await operator.apps.allowAgain({ id }).then(
    () => Promise.reject(new Error('nobody was asked')),
    () => undefined,
  );
}

/** Puts the backup in the place of the node, and waits until the node has started again. */
async function replace({ operator }: RunningNode, file: string): Promise<void> {
  const bytes = readFileSync(file);
  const { id, partBytes } = await operator.restore.begin({ bytes: bytes.length });
  for (let offset = 0; offset < bytes.length; offset += partBytes)
    await operator.restore.part({ id, offset, data: bytes.subarray(offset, offset + partBytes).toString('base64') });
  await operator.restore.look({ id, passphrase: PASSPHRASE });
  await operator.restore.start({ id, confirm: 'restore' });
  for (let isBack = false; !isBack; await setTimeout(100))
    isBack = await operator.restore.last().then(
      ({ last }) => last !== null,
      () => false,
    );
}
