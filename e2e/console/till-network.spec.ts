import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, salePayer } from '../support/clients/flows.ts';
import { Cable } from '../support/nodes/cable.ts';
import { consoleLink } from '../support/nodes/console-link.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { test as base, expect } from './fixtures.ts';
import { TillPage } from './pages/till/till-page.ts';

/** A till whose line to its node can be cut. The payer has another line. */
const test = base.extend<{ node: RunningNode; cable: Cable; client: ClientWallet }>({
  node: async ({ browserName: _ }, use) => {
    const node = await RunningNode.start();
    await use(node);
    await node.stop();
  },
  cable: async ({ node }, use) => {
    const cable = await Cable.start(node.consoleUrl);
    await use(cable);
    await cable.stop();
  },
  client: async ({ browserName: _ }, use) => {
    const client = await ClientWallet.start();
    await use(client);
    await client.stop();
  },
});

test('without its line the till makes no second sale, and calls paid only what the node says is', async ({
  node,
  cable,
  client,
  newPerson,
}) => {
  const pay = await salePayer(node, client);
  const { id: shop } = await createAccount(node, 'shop', 0n);
  const person = await newPerson();
  const page = await person.newPage();
  const link = new URL(await consoleLink(node));
  await page.goto(`${cable.origin}${link.pathname}${link.hash}`);
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible();
  await page.evaluate((id) => localStorage.setItem('paydesk-till-account', id), shop);
  await page.goto(`${cable.origin}/till`);
  const till = new TillPage(page);
  await till.press('7');
  cable.cut();
  await till.charge.click();
  await expect(page.getByText('it makes one sale only')).toBeVisible();
  cable.mend();
  await expect(till.code).toBeVisible();
  const id = till.sale() ?? '';
  expect((await node.operator.requests.sales()).items.map((sale) => sale.id)).toEqual([id]);

  await expect(till.state).toHaveText('Waiting');
  cable.cut();
  await expect(till.state).toHaveText('No connection to your node');
  await expect(till.cancel).toBeDisabled();
  await pay(id, '700');
  await expect.poll(async () => (await node.operator.requests.get({ id })).status).toBe('paid');
  await expect(till.state).toHaveText('No connection to your node');
  await expect(till.end).toHaveCount(0);
  cable.mend();
  await expect(till.end).toContainText('Paid');
});
