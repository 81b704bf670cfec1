import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeOlder } from '../support/books/old-payments.ts';
import { createAccount } from '../support/clients/flows.ts';
import { consoleLink } from '../support/nodes/console-link.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { expect, test } from './fixtures.ts';

const AGE_MS = 100 * 24 * 60 * 60_000;

test('the page of an old payment shows what happened from the archive, and says when the file is damaged', async ({
  problems,
  newPerson,
}, info) => {
  test.setTimeout(90_000);
  const dataDir = mkdtempSync(join(tmpdir(), 'paydesk-archive-'));
  let node = await RunningNode.start({ dataDir });
  const [payer, shop] = [await createAccount(node, 'payer', 10_000n), await createAccount(node, 'shop', 0n)];
  const pay = async () => {
    const quote = await node.operator.payments.quote({
      requestId: randomUUID(),
      accountId: payer.id,
      payee: shop.walletAddress,
      send: 250n,
    });
    const { id } = await node.operator.payments.pay({ requestId: randomUUID(), accountId: payer.id, quoteId: quote.id });
    await expect.poll(async () => (await node.operator.payments.get({ id })).status).toBe('completed');
    return id;
  };
  const id = await pay();
  await pay();
  await node.stop();
  makeOlder(dataDir, AGE_MS);
  node = await RunningNode.start({ dataDir });
  const person = await newPerson();
  try {
    await expect.poll(async () => (await node.operator.payments.get({ id })).archived).toBe(true);
    const page = await person.newPage();
    problems.watch(page);
    await page.goto(await consoleLink(node));
    const open = async () => {
      await page.goto(new URL(`/payments/${id}`, page.url()).href);
      await expect(page.getByText('What happened long ago is in the archive.')).toBeVisible();
      await page.getByRole('button', { name: 'Show it from the archive' }).click();
    };
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    await open();
    await expect(page.getByText('Created, and US$2.50 set aside for it')).toBeVisible();
    await expect(page.getByText('Completed: US$2.50 sent')).toBeVisible();
    await page.screenshot({ path: info.outputPath('archived.png'), fullPage: true });

    for (const file of readdirSync(join(dataDir, 'archive'))) writeFileSync(join(dataDir, 'archive', file), 'nothing');
    await open();
    await expect(page.getByText('is not as your node wrote it')).toBeVisible();
    await page.screenshot({ path: info.outputPath('damaged.png'), fullPage: true });
  } finally {
    await person.close();
    await node.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
