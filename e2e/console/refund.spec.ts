import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import Sqlite from 'better-sqlite3';
import type { TwoNodes } from '../support/nodes/two-nodes.ts';
import { payAtCheckout } from './pages/checkout-page.ts';
import { PeoplePage } from './pages/people/people-page.ts';
import { shopAndBuyer } from './two-node-fixtures.ts';

const test = shopAndBuyer;

/** The buyer pays a request of the shop from their own wallet. @returns the id of the received payment. */
async function paidAtCheckout(nodes: TwoNodes, buyer: Page, amount: bigint, madeAt: 'till' | 'desk' = 'desk'): Promise<string> {
  const accountId = nodes.accounts.a.USD.shop.id;
  const { id, link } = await nodes.a.operator.requests.create({
    requestId: randomUUID(),
    accountId,
    amount,
    description: 'Two atlases',
    madeAt,
  });
  await payAtCheckout(buyer, link, { operator: nodes.b.operator, walletAddress: nodes.accounts.b.USD.payer.walletAddress });
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
  const row = shop.getByRole('link', { name: /Two atlases/ });
  await expect(row).toContainText('Refunded');
  await shop.getByLabel('Search').fill(new URL(payer.walletAddress).pathname.slice(1));
  await expect(row).toBeVisible();
});

test('the receipt of a refund says what was given back of which sale, as a page and as a file', { tag: ['@long', '@once'] }, async ({
  nodes,
  shop,
  buyer,
}) => {
  const id = await paidAtCheckout(nodes, buyer, 1_250n, 'till');
  const sale = await nodes.a.operator.receipts.issue({ kind: 'sale', id });
  await open(shop, id);
  await shop.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = shop.getByRole('dialog', { name: 'Refund this payment' });
  await dialog.getByLabel('Amount').fill('5');
  await dialog.getByLabel('Reason').fill('One atlas returned');
  await dialog.getByRole('button', { name: 'Refund US$5.00' }).click();
  await shop.getByTestId('refund').getByRole('button', { name: 'Receipt' }).click();

  await expect(shop.getByRole('heading', { level: 1 })).toHaveText(/ R-\d{4}-\d{6}$/);
  const said = [/R-\d{4}-\d{6}/, sale.content?.number ?? 'no receipt of the sale', 'One atlas returned', '5.00 USD'];
  for (const text of said) await expect(shop.getByRole('article')).toContainText(text);
  const [file] = await Promise.all([shop.waitForEvent('download'), shop.getByRole('button', { name: 'Save as PDF' }).click()]);
  expect(file.suggestedFilename()).toMatch(/^R-\d{4}-\d{6}\.pdf$/);

  const link = await shop.getByRole('link', { name: 'See what the payer sees' }).getAttribute('href');
  await buyer.goto(link ?? '');
  for (const text of said) await expect(buyer.getByRole('article')).toContainText(text);
  const [theirs] = await Promise.all([buyer.waitForEvent('download'), buyer.getByRole('link', { name: 'Save as PDF' }).click()]);
  expect(theirs.suggestedFilename()).toBe(file.suggestedFilename());
  expect((await readFile(await theirs.path(), 'latin1')).slice(0, 5)).toBe('%PDF-');
});

test('a customer gets back what they paid in their own currency, for a price that is shown before', { tag: '@long' }, async ({
  nodes,
  shop,
  buyer,
}) => {
  const { payer } = nodes.accounts.b.EUR;
  const balance = async () => (await nodes.b.operator.accounts.get({ id: payer.id })).balance;
  const accountId = nodes.accounts.a.USD.shop.id;
  const { id, link } = await nodes.a.operator.requests.create({ requestId: randomUUID(), accountId, amount: 1_250n, description: 'Books' });
  await payAtCheckout(buyer, link, { operator: nodes.b.operator, walletAddress: payer.walletAddress });
  const paid = async () => (await nodes.a.operator.payments.get({ id })).payers[0]?.paid?.amount.value ?? 0n;
  await expect.poll(paid).toBeGreaterThan(0n);
  const took = await paid();

  await open(shop, id);
  await shop.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = shop.getByRole('dialog', { name: 'Refund this payment' });
  await dialog.getByText('What they paid', { exact: true }).click();
  await expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveValue((Number(took) / 100).toFixed(2));
  // Both nodes keep a margin, so all of it costs more than came.
  await expect(dialog).toContainText('can still be refunded. Refund the same amount instead');
  await dialog.getByRole('button', { name: 'Refund the same amount instead' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveValue('12.50');

  await dialog.getByText('What they paid', { exact: true }).click();
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('4');
  const before = await balance();
  await dialog.getByRole('button', { name: /^Refund €4\.00 for US\$4\.\d\d$/ }).click();
  await expect(dialog).toBeHidden();
  await expect(shop.getByTestId('refund')).toContainText('€4.00 in the payer’s own currency');
  await expect(shop.getByTestId('refund')).toContainText('Refunded');
  await expect.poll(balance).toBe(before + 400n);
});

test('a cashier refunds today’s sales up to what the owner has set in words', { tag: '@long' }, async ({
  nodes,
  shop,
  buyer,
  newPerson,
}) => {
  await shop.goto(new URL('/settings', shop.url()).href);
  const people = new PeoplePage(shop);
  const link = await people.invite('Ada', 'Cashier');
  await expect(people.card).toContainText('Cashiers refund nothing in USD.');
  const id = await paidAtCheckout(nodes, buyer, 1_250n, 'till');

  const till = await (await newPerson()).newPage();
  await till.goto(link);
  await expect(till.getByText('Ada · Cashier')).toBeVisible();
  const sale = new URL(`/get-paid/${id}`, shop.url()).href;
  await till.goto(sale);
  await expect(till.getByText('Cashiers refund nothing in this currency. Ask a manager.')).toBeVisible();
  await expect(till.getByRole('button', { name: 'Refund', exact: true })).toBeHidden();

  await people.card.getByRole('button', { name: 'Change: Refunds by cashiers in USD' }).click();
  await people.dialog.getByRole('switch', { name: 'Cashiers may refund today’s sales at the till' }).click();
  await people.dialog.getByLabel('At most, of one payment').fill('10');
  await people.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(people.dialog).toContainText('Enter an amount such as US$20.00.');
  await people.dialog.getByLabel('At most, in one day').fill('6');
  await people.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(people.card).toContainText('Cashiers refund up to US$10.00 a payment and US$6.00 a day.');

  // The cashier's page notices, offers what is left, and says why no more.
  await till.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = till.getByRole('dialog', { name: 'Refund this payment' });
  await expect(dialog.getByLabel('Amount')).toHaveValue('6.00');
  await expect(dialog).toContainText('US$10.00 of this payment, and US$6.00 more today');
  await dialog.getByLabel('Amount').fill('7');
  await expect(dialog).toContainText('You may refund up to US$6.00 a day, and US$6.00 of it is left today. Ask a manager.');
  await dialog.getByLabel('Amount').fill('4');
  await dialog.getByRole('button', { name: 'Refund US$4.00' }).click();
  await expect(dialog).toBeHidden();
  await expect(till.getByTestId('refunded')).toHaveText('Refunded US$4.00 of US$12.50');
  await till.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(dialog.getByLabel('Amount')).toHaveValue('2.00');

  await shop.goto(new URL('/activity', shop.url()).href);
  await expect(shop.getByRole('main')).toContainText('by Ada (Cashier)');
  await expect(shop.getByRole('main')).toContainText('Let the role Cashier refund up to US$10.00 a payment and US$6.00 a day');
});

test('a collection shows its payers and refunds in parts, and finds the payer who gets something back', { tag: '@once' }, async ({
  nodes,
  shop,
  buyer,
}) => {
  const id = await paidAtCheckout(nodes, buyer, 1_250n);
  const books = new Sqlite(join(nodes.a.dataDir, 'paydesk.db'));
  const columns = 'incoming_payment_id, wallet_address, amount, created_at';
  const donor = (number: number) => `https://zebra.example/donor-${number}`;
  for (let number = 100; number < 230; number += 1)
    books.prepare(`insert into payers (${columns}) values (?, ?, 5, 1)`).run(id, donor(number));
  books.close();
  await open(shop, id);
  await shop.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = shop.getByRole('dialog', { name: 'Refund this payment' });
  const to = dialog.getByRole('combobox', { name: 'To' });
  await to.fill('DONOR-22');
  // The chosen payer stays among them.
  await expect(shop.getByRole('option')).toHaveCount(11);
  await shop.getByRole('option', { name: 'zebra.example/donor-227' }).click();
  await expect(dialog.getByLabel('Amount')).toHaveValue('0.05');
  await dialog.getByRole('button', { name: 'Refund US$0.05' }).click();
  await expect(dialog).toBeHidden();
  await expect(shop.getByTestId('refund')).toContainText('zebra.example/donor-227');

  const paidBy = shop.getByRole('term').filter({ hasText: 'Paid by' }).locator('xpath=..');
  await expect(paidBy).toContainText('zebra.example/donor-118');
  await expect(paidBy).not.toContainText('donor-119');
  await paidBy.getByRole('button', { name: 'Show more' }).click();
  await expect(paidBy).toContainText('donor-198');
  await paidBy.getByRole('button', { name: 'Show more' }).click();
  await expect(paidBy).toContainText('donor-229');
  await expect(paidBy.getByRole('button', { name: 'Show more' })).toBeHidden();
  await shop.getByRole('button', { name: 'Refund', exact: true }).click();
  await to.fill('donor-22');
  await expect(shop.getByRole('option')).toHaveCount(10);
  await shop.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  const payers = Array.from({ length: 20 }, (_, nth) => donor(100 + nth));
  for (const payer of payers) await nodes.a.operator.refunds.create({ requestId: randomUUID(), paymentId: id, amount: 1n, payer });
  await expect(shop.getByTestId('refund')).toHaveCount(20);
  await expect(shop.getByTestId('refund').first()).toContainText('donor-119');
  await shop.getByRole('main').getByRole('button', { name: 'Show more' }).last().click();
  await expect(shop.getByTestId('refund')).toHaveCount(21);
  await expect(shop.getByTestId('refund').last()).toContainText('donor-227');
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
