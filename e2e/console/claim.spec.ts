import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { TwoNodes } from '../support/nodes/two-nodes.ts';
import { ClaimPage } from './pages/refunds/claim-page.ts';
import { shopAndBuyer } from './two-node-fixtures.ts';

const test = shopAndBuyer;

/** A customer pays at their own wallet, so that the shop does not learn who paid. @returns the id of the payment. */
async function paidElsewhere(nodes: TwoNodes, amount: bigint): Promise<string> {
  const accountId = nodes.accounts.a.USD.shop.id;
  const { id, link } = await nodes.a.operator.requests.create({ requestId: randomUUID(), accountId, amount, description: 'Two books' });
  const from = nodes.accounts.b.USD.payer.id;
  const quote = await nodes.b.operator.payments.quote({ requestId: randomUUID(), accountId: from, payee: link });
  await nodes.b.operator.payments.pay({ requestId: randomUUID(), accountId: from, quoteId: quote.id });
  await expect.poll(async () => (await nodes.a.operator.payments.get({ id })).status).toBe('paid');
  return id;
}

/** The shop makes a claim link on the page of a payment. @returns the link */
async function linkFor(shop: Page, id: string, amount?: string): Promise<string> {
  await shop.goto(new URL(`/payments/${id}`, shop.url()).href);
  await shop.getByRole('button', { name: 'Make a claim link' }).click();
  const dialog = shop.getByRole('dialog', { name: 'Make a claim link' });
  if (amount !== undefined) await dialog.getByLabel('Amount').fill(amount);
  await dialog.getByLabel('Reason').fill('One book returned');
  await dialog.getByRole('button', { name: /^Make link for/ }).click();
  await expect(dialog).toBeHidden();
  return (await shop.getByTestId('claim-link').textContent()) ?? '';
}

test('a customer whom the shop does not know is given back by a claim link, which their wallet confirms, once', { tag: '@once' }, async ({
  nodes,
  shop,
  buyer: customer,
}) => {
  const { payer } = nodes.accounts.b.USD;
  const id = await paidElsewhere(nodes, 1_250n);
  const before = (await nodes.b.operator.accounts.get({ id: payer.id })).balance;
  const grants = async () =>
    (await nodes.b.operator.apps.grants({})).items.filter(({ access }) => access.some(({ type }) => type === 'outgoing-payment'));
  const former = new Set((await grants()).map((grant) => grant.id));
  const link = await linkFor(shop, id, '5');
  const card = shop.getByTestId('claim');
  await expect(card).toContainText('Waiting for the customer');

  await customer.goto(link);
  const page = new ClaimPage(customer);
  await expect(page.amount).toContainText('5.00');
  await page.name(payer.walletAddress);
  await page.allowAt(nodes.b.operator);
  await expect(page.givenBack).toBeVisible({ timeout: 30_000 });
  await expect.poll(async () => (await nodes.b.operator.accounts.get({ id: payer.id })).balance).toBe(before + 500n);

  // Whoever opens the link again hears that it was used, and not by whom.
  await customer.context().clearCookies();
  await customer.reload();
  await expect(page.givenBack).toBeVisible();
  await expect(customer.getByText('This link was used.')).toBeVisible();
  await expect(page.wallet).toBeHidden();
  expect(await customer.content()).not.toContain(new URL(payer.walletAddress).pathname.slice(1));

  await expect(card).toContainText('Refunded');
  await expect(card).toContainText('Claimed, and their wallet confirmed it');
  await expect(shop.getByTestId('refunded')).toHaveText('Refunded US$5.00 of US$12.50');
  // The permission to see the customer's payments is given back.
  const states = async () =>
    (await grants()).filter((grant) => !former.has(grant.id)).map(({ tokens }) => tokens.map(({ state }) => state));
  await expect.poll(states).toEqual([['revoked']]);
});

test('a wallet that has not paid, and one that refuses, wait for the operator’s decision, in words', { tag: '@long' }, async ({
  nodes,
  shop,
  buyer: customer,
}) => {
  const id = await paidElsewhere(nodes, 700n);
  const other = nodes.accounts.b.USD.shop;
  const link = await linkFor(shop, id);
  await customer.goto(link);
  const page = new ClaimPage(customer);
  await page.name('https://127.0.0.1:1/nobody');
  await expect(page.problem).toBeVisible();
  await shop.goto(new URL('/', shop.url()).href);
  await page.name(other.walletAddress);
  await page.allowAt(nodes.b.operator);
  await expect(page.state).toContainText('The shop decides', { timeout: 30_000 });

  await expect(shop.getByText('A customer waits for a refund of money that came into')).toBeVisible();
  await expect(shop.getByText('A claim link waits for your decision')).toBeVisible();
  await shop.getByRole('link', { name: 'Look at it' }).first().click();
  const card = shop.getByTestId('claim');
  await expect(card).toContainText('This wallet says that it did not pay this.');
  await card.getByRole('button', { name: 'Refuse' }).click();
  await shop.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click();
  await expect(card).toContainText('Waiting for the customer');

  // The customer names the right wallet, and says no there by mistake.
  await customer.reload();
  await expect(customer.getByText('You can name another one.')).toBeVisible();
  await page.name(nodes.accounts.b.USD.payer.walletAddress);
  await page.denyAt(nodes.b.operator);
  await expect(page.state).toContainText('The shop decides');
  await expect(card).toContainText('The customer said no at this wallet.');
  await card.getByRole('button', { name: 'Refund there' }).click();
  await expect(shop.getByRole('dialog')).toContainText('It is not proven that');
  await shop.getByRole('dialog').getByRole('button', { name: 'Refund there' }).click();
  await expect(card).toContainText('Claimed, and you decided it');
  await expect(shop.getByTestId('refunded')).toHaveText('Refunded US$7.00 of US$7.00');
  await expect.poll(async () => (await nodes.a.operator.payments.get({ id })).refunds.map(({ state }) => state)).toEqual(['done']);
});

test('a claim link that is cancelled gives nothing back', { tag: '@long' }, async ({ nodes, shop, buyer: customer }) => {
  const link = await linkFor(shop, await paidElsewhere(nodes, 300n));
  await customer.goto(link);
  await shop.getByRole('button', { name: 'Cancel link' }).click();
  await shop.getByRole('dialog').getByRole('button', { name: 'Cancel link' }).click();
  await expect(shop.getByTestId('claim')).toContainText('Cancelled');
  const page = new ClaimPage(customer);
  await page.name(nodes.accounts.b.USD.payer.walletAddress);
  await expect(page.state).toContainText('The shop has cancelled this link.');
  await expect(shop.getByRole('button', { name: 'Make a claim link' })).toBeVisible();
});
