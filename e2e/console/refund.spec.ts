import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { consoleLink } from '../support/nodes/console-link.ts';
import { TwoNodes } from '../support/nodes/two-nodes.ts';
import { test as base } from './chrome.ts';
import { Problems } from './hosts/problems.ts';
import { CheckoutPage } from './pages/checkout-page.ts';

/** Node A is the shop, whose console is open, and node B is the wallet of the buyer. */
const test = base.extend<{ shop: Page; buyer: Page }, { nodes: TwoNodes }>({
  nodes: [
    // Playwright reads from this pattern what the fixture needs. It refuses an empty pattern.
    async ({ browserName: _ }, use) => {
      const nodes = await TwoNodes.start();
      await use(nodes);
      await nodes.stop();
    },
    { scope: 'worker' },
  ],
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

/** The buyer pays a request of the shop from their own wallet. @returns the id of the received payment. */
async function paidAtCheckout(nodes: TwoNodes, buyer: Page, amount: bigint): Promise<string> {
  const accountId = nodes.accounts.a.USD.shop.id;
  const { id, link } = await nodes.a.operator.requests.create({ requestId: randomUUID(), accountId, amount, description: 'Two books' });
  await buyer.goto(link);
  const checkout = new CheckoutPage(buyer);
  await checkout.payFrom(nodes.accounts.b.USD.payer.walletAddress);
  await checkout.goToWallet.click();
  const code = await checkout.codeAtWallet();
  const request = (await nodes.b.operator.approvals.list()).at(-1);
  await nodes.b.operator.approvals.approve({ id: request?.id ?? '', code, shownHash: request?.shownHash ?? '' });
  await expect(checkout.paid).toBeVisible();
  await expect.poll(async () => (await nodes.a.operator.payments.get({ id })).payers).toMatchObject([{ amount: { value: amount } }]);
  return id;
}

const open = (page: Page, id: string) => page.goto(new URL(`/payments/${id}`, page.url()).href);

test('a received payment says who paid, and is refunded in two clicks, in parts and to the last cent', async ({ nodes, shop, buyer }) => {
  const { payer } = nodes.accounts.b.USD;
  const before = (await nodes.b.operator.accounts.get({ id: payer.id })).balance;
  const id = await paidAtCheckout(nodes, buyer, 1_250n);
  await open(shop, id);
  const paidBy = shop.getByRole('term').filter({ hasText: 'Paid by' }).locator('xpath=..');
  await expect(paidBy).toContainText(new URL(payer.walletAddress).pathname.slice(1));

  await shop.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = shop.getByRole('dialog', { name: 'Refund this payment' });
  await expect(dialog.getByLabel('Amount')).toHaveValue('12.50');
  await expect(dialog).toContainText(new URL(payer.walletAddress).pathname.slice(1));
  await dialog.getByLabel('Amount').fill('12.51');
  await expect(dialog).toContainText('At most US$12.50 can still be refunded.');
  await dialog.getByLabel('Amount').fill('5');
  await dialog.getByLabel('Reason').fill('One book returned');
  await dialog.getByRole('button', { name: 'Refund US$5.00' }).click();
  await expect(dialog).toBeHidden();
  await expect(shop.getByTestId('refunded')).toHaveText('Refunded US$5.00 of US$12.50');
  await expect(shop.getByTestId('refund')).toContainText('One book returned');
  await expect(shop.getByTestId('refund')).toContainText('Refunded');

  // The payment that carries it out says what it refunds.
  await shop.getByRole('link', { name: 'See its payment' }).click();
  await expect(shop.getByRole('heading', { level: 1 })).toHaveText('One book returned');
  await shop.getByRole('link', { name: 'the received payment' }).click();

  await shop.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(dialog.getByLabel('Amount')).toHaveValue('7.50');
  await dialog.getByRole('button', { name: 'Refund US$7.50' }).click();
  await expect(shop.getByTestId('refunded')).toHaveText('Refunded US$12.50 of US$12.50');
  await expect(shop.getByRole('button', { name: 'Refund', exact: true })).toBeHidden();
  await expect.poll(async () => (await nodes.b.operator.accounts.get({ id: payer.id })).balance).toBe(before);

  await shop.goto(new URL('/payments', shop.url()).href);
  const row = shop.getByRole('link', { name: /Two books/ });
  await expect(row).toContainText('Refunded');
  await shop.getByLabel('Search').fill(new URL(payer.walletAddress).pathname.slice(1));
  await expect(row).toBeVisible();
});

test('a payment of which nobody knows who paid says so, and what to do', { tag: '@long' }, async ({ nodes, shop }) => {
  // The payer's own node pays without the checkout.
  const accountId = nodes.accounts.a.USD.shop.id;
  const { id, link } = await nodes.a.operator.requests.create({ requestId: randomUUID(), accountId, amount: 700n });
  const from = nodes.accounts.b.USD.payer.id;
  const quote = await nodes.b.operator.payments.quote({ requestId: randomUUID(), accountId: from, payee: link });
  await nodes.b.operator.payments.pay({ requestId: randomUUID(), accountId: from, quoteId: quote.id });
  await expect.poll(async () => (await nodes.a.operator.payments.get({ id })).status).toBe('paid');
  await open(shop, id);
  await expect(shop.getByText('It is not proven who paid', { exact: true })).toBeVisible();
  await expect(shop.getByRole('button', { name: 'Refund', exact: true })).toBeHidden();
  const refused = nodes.a.operator.refunds.create({ requestId: randomUUID(), paymentId: id, amount: 1n });
  await expect(refused).rejects.toMatchObject({ code: 'PAYER_UNKNOWN' });
});

test('the public pages and the public API do not say who paid', { tag: '@long' }, async ({ nodes, buyer }) => {
  const id = await paidAtCheckout(nodes, buyer, 300n);
  const name = new URL(nodes.accounts.b.USD.payer.walletAddress).pathname.slice(1);
  const shown = await Promise.all(
    [`/pay/${id}`, `/pay/${id}/status`, `/incoming-payments/${id}`].map(async (path) => (await fetch(nodes.a.publicUrl + path)).text()),
  );
  for (const text of shown) expect(text).not.toContain(name);
});
