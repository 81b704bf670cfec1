import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { consoleLink } from '../support/nodes/console-link.ts';
import type { Currency, TwoNodes } from '../support/nodes/two-nodes.ts';
import { expect } from './fixtures.ts';
import { payAtCheckout } from './pages/checkout-page.ts';
import { ClaimPage } from './pages/refunds/claim-page.ts';
import { TillPage } from './pages/till/till-page.ts';
import { twoFreshNodes as test } from './two-node-fixtures.ts';

/** One till: the screen of a person that takes money in one currency. */
class Till {
  readonly screen: TillPage;
  readonly page: Page;
  readonly currency: Currency;
  readonly #nodes: TwoNodes;

  constructor(page: Page, currency: Currency, nodes: TwoNodes) {
    this.screen = new TillPage(page);
    this.page = page;
    this.currency = currency;
    this.#nodes = nodes;
  }

  async open(): Promise<void> {
    await this.page.evaluate((id) => localStorage.setItem('paydesk-till-account', id), this.#nodes.accounts.a[this.currency].shop.id);
    await this.page.goto(new URL('/till', this.page.url()).href);
    await expect(this.screen.charge).toBeVisible();
  }

  /** Charges an amount. @returns the id of the sale, which waits for its payer */
  async charge(keys: string): Promise<string> {
    await this.screen.press(keys);
    await this.screen.charge.click();
    return await this.waiting();
  }

  async waiting(): Promise<string> {
    await expect(this.screen.code).toBeVisible();
    return this.screen.sale() ?? '';
  }

  /** The customer pays from their own wallet. @param deliver in cents; without it the whole amount */
  async paid(id: string, deliver?: bigint): Promise<void> {
    const { operator } = this.#nodes.b;
    const from = { accountId: this.#nodes.accounts.b[this.currency].payer.id };
    const { link } = await this.#nodes.a.operator.requests.get({ id });
    const quote = await operator.payments.quote({
      requestId: randomUUID(),
      ...from,
      payee: link,
      ...(deliver !== undefined && { deliver }),
    });
    await operator.payments.pay({ requestId: randomUUID(), ...from, quoteId: quote.id });
    await expect(deliver === undefined ? this.screen.end : this.screen.state).toContainText(deliver === undefined ? 'Paid' : 'Partly paid');
  }

  /** The customer goes, and the sale is cancelled. */
  async cancel(): Promise<void> {
    await this.screen.cancel.click();
    await this.screen.dialog.getByRole('button', { name: 'Cancel request' }).click();
    await expect(this.screen.end).toBeVisible();
    await this.next();
  }

  async next(): Promise<void> {
    await this.screen.newSale.click();
    await expect(this.screen.charge).toBeVisible();
  }

  async sell(keys: string): Promise<string> {
    const id = await this.charge(keys);
    await this.paid(id);
    await this.next();
    return id;
  }
}

test('a shopkeeper’s day: twelve sales at two tills, refunds, a claim link, receipts, the closing and the export say the same', {
  tag: '@long',
}, async ({ nodes, newPerson }) => {
  test.setTimeout(900_000);
  const { operator } = nodes.a;
  const shops = nodes.accounts.a;
  const { secret } = await operator.people.invite({ name: 'Ada', role: 'cashier' });
  const amounts = { perPayment: 500n, perDay: 500n };
  await operator.refundLimits.set({ role: 'cashier', assetCode: 'EUR', assetScale: 2, amounts });
  const [owner, ada, buyer] = [
    await (await newPerson()).newPage(),
    await (await newPerson()).newPage(),
    await (await newPerson()).newPage(),
  ];
  await owner.goto(await consoleLink(nodes.a));
  await owner.getByRole('navigation', { name: 'Sections' }).waitFor();
  await ada.goto(new URL(`/#link=${secret}`, owner.url()).href);
  await expect(ada.getByText('Ada · Cashier')).toBeVisible();
  const [first, second] = [new Till(owner, 'USD', nodes), new Till(ada, 'EUR', nodes)];
  await first.open();
  await second.open();

  // At the first till: one customer pays a part and goes, one is cancelled, and once the line is lost.
  const book = await first.sell('4.50');
  await first.paid(await first.charge('12.30'), 500n);
  await first.cancel();
  await first.charge('5');
  await first.cancel();
  const atlas = await first.charge('20');
  const wallet = (currency: Currency) => ({ operator: nodes.b.operator, walletAddress: nodes.accounts.b[currency].payer.walletAddress });
  await payAtCheckout(buyer, (await operator.requests.get({ id: atlas })).link, wallet('USD'));
  await expect(first.screen.end).toContainText('Paid');
  await first.next();
  await first.screen.press('7.25');
  await owner.context().setOffline(true);
  await first.screen.charge.click();
  await expect(owner.getByText('it makes one sale only')).toBeVisible();
  await owner.context().setOffline(false);
  await first.paid(await first.waiting());
  await first.next();
  const pen = await first.sell('3');

  // At the second till one sale lapses.
  await second.sell('8');
  await second.sell('1.10');
  await operator.settings.setTill({ lapseMinutes: 1 });
  await ada.reload();
  await second.charge('9.99');
  await expect(second.screen.end).toContainText('Expired', { timeout: 120_000 });
  await second.next();
  await operator.settings.setTill({ lapseMinutes: 10 });
  await ada.reload();
  await second.sell('6.40');
  const tea = await second.charge('15');
  await payAtCheckout(buyer, (await operator.requests.get({ id: tea })).link, wallet('EUR'));
  await expect(second.screen.end).toContainText('Paid');
  await second.next();
  await second.sell('2.60');
  const sales = (await operator.payments.list({ direction: 'in', madeAt: 'till' })).items;
  expect(
    Object.entries(Object.groupBy(sales, ({ status }) => status))
      .map(([status, all]) => [status, all?.length])
      .sort(),
  ).toEqual([
    ['cancelled', 1],
    ['expired', 1],
    ['paid', 9],
    ['partly_paid', 1],
  ]);

  // The owner gives one back, and the cashier a part of another; more of it is refused in words.
  await owner.goto(new URL(`/payments/${atlas}`, owner.url()).href);
  await owner.getByRole('button', { name: 'Refund', exact: true }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Refund US$20.00' }).click();
  await expect(owner.getByTestId('refunded')).toHaveText('Refunded US$20.00 of US$20.00');
  await ada.goto(new URL(`/get-paid/${tea}`, ada.url()).href);
  await ada.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = ada.getByRole('dialog', { name: 'Refund this payment' });
  await dialog.getByLabel('Amount').fill('9');
  await expect(dialog).toContainText('Ask a manager.');
  await dialog.getByLabel('Amount').fill('4');
  await dialog.getByRole('button', { name: 'Refund €4.00' }).click();
  await expect(ada.getByTestId('refunded')).toHaveText('Refunded €4.00 of €15.00');
  await expect.poll(async () => (await operator.payments.get({ id: tea })).refunds.map(({ state }) => state)).toEqual(['done']);

  // The book comes back as well, and nobody knows who paid it. The customer's wallet confirms it by a claim link.
  await owner.goto(new URL(`/payments/${book}`, owner.url()).href);
  await expect(owner.getByRole('button', { name: 'Refund', exact: true })).toBeHidden();
  await owner.getByRole('button', { name: 'Make a claim link' }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Make link for US$4.50' }).click();
  await buyer.goto((await owner.getByTestId('claim-link').textContent()) ?? '');
  const claim = new ClaimPage(buyer);
  await claim.name(wallet('USD').walletAddress);
  await claim.allowAt(nodes.b.operator);
  await expect(claim.givenBack).toBeVisible({ timeout: 30_000 });
  await expect(owner.getByTestId('refunded')).toHaveText('Refunded US$4.50 of US$4.50');

  // For the pen somebody names a wallet that has not paid. It says so, and the owner refuses.
  await owner.goto(new URL(`/payments/${pen}`, owner.url()).href);
  await owner.getByRole('button', { name: 'Make a claim link' }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Make link for US$3.00' }).click();
  await buyer.goto((await owner.getByTestId('claim-link').textContent()) ?? '');
  await claim.name(nodes.accounts.b.USD.shop.walletAddress);
  await claim.allowAt(nodes.b.operator);
  await expect(claim.state).toContainText('The shop decides', { timeout: 30_000 });
  const card = owner.getByTestId('claim');
  await expect(card).toContainText('This wallet says that it did not pay this.');
  await card.getByRole('button', { name: 'Refuse' }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click();
  await expect(card).toContainText('Waiting for the customer');
  await buyer.reload();
  await expect(buyer.getByText('You can name another one.')).toBeVisible();
  expect((await operator.payments.get({ id: pen })).refunds).toEqual([]);

  // What the books have, in cents: 4.50 + 5 + 20 + 7.25 + 3, less 20 and 4.50; and 8 + 1.10 + 6.40 + 15 + 2.60, less 4.
  const expected = {
    USD: { sign: 'US$', received: '39.75', refunds: '2 refunds', refunded: '24.50', balance: 1_525n, shown: '15.25' },
    EUR: { sign: '€', received: '33.10', refunds: '1 refund', refunded: '4.00', balance: 2_910n, shown: '29.10' },
  };
  for (const [number, id] of [[1, book] as const, [2, tea] as const]) {
    const { link, content } = await operator.receipts.issue({ kind: 'sale', id });
    expect(content?.number.endsWith(String(number).padStart(6, '0'))).toBe(true);
    await buyer.goto(link);
    await expect(buyer.getByRole('article', { name: 'Receipt' })).toContainText(id === book ? '4.50 USD' : '15.00 EUR');
  }
  await owner.goto(new URL('/closings', owner.url()).href);
  await owner.getByRole('button', { name: 'Close the day' }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Close the day' }).click();
  const paper = owner.getByRole('article', { name: 'Day closing 1' });
  for (const [currency, { sign, received, refunded, balance, shown }] of Object.entries(expected)) {
    const { id } = shops[currency as Currency].shop;
    expect((await operator.accounts.get({ id })).balance, currency).toBe(balance);
    const table = paper.getByRole('table', { name: `The shop · ${currency}` });
    await expect(table.getByRole('row', { name: /^Received/ })).toContainText(`${sign}${received}`);
    await expect(table.getByRole('row', { name: /^Received/ })).toContainText('5 ×');
    await expect(table.getByRole('row', { name: /^Refunds/ })).toContainText(`${sign}${refunded}`);
    await expect(table.getByRole('row', { name: /^Closing balance/ })).toContainText(`${sign}${shown}`);
  }
  await expect(paper.getByRole('table', { name: /By person/ })).toContainText('Ada');
  for (const [currency, { sign, received, refunds, refunded, shown }] of Object.entries(expected)) {
    const { id } = shops[currency as Currency].shop;
    await owner.goto(new URL(`/reports?account=${id}`, owner.url()).href);
    const totals = owner.getByRole('region', { name: 'Received' });
    for (const text of ['5 payments', `${sign}${received}`, refunds, `${sign}${refunded}`, `${sign}${shown}`])
      await expect(totals).toContainText(text);
    await owner.goto(new URL(`/statements?account=${id}`, owner.url()).href);
    await choose(owner, 'Period', 'This month');
    await choose(owner, 'File', 'CSV for programs');
    const [download] = await Promise.all([owner.waitForEvent('download'), owner.getByRole('button', { name: 'Save file' }).click()]);
    const rows: { kind: string; amount: string; balance: string }[] = parse(readFileSync(await download.path(), 'utf8'), { columns: true });
    const of = (kind: string) => rows.filter((row) => row.kind === kind).map(({ amount }) => Math.round(Number(amount) * 100));
    const sum = (cents: readonly number[]) => (cents.reduce((all, one) => all + one, 0) / 100).toFixed(2);
    expect([sum(of('received')), sum(of('refunded')), rows.at(-1)?.balance]).toEqual([received, `-${refunded}`, shown]);
  }
});

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option }).click();
}
