import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { EMPTY_PROFILE } from '../../src-shared/shop/shop-profile.ts';
import { consoleLink } from '../support/nodes/console-link.ts';
import type { Currency, TwoNodes } from '../support/nodes/two-nodes.ts';
import { expect } from './fixtures.ts';
import { payAtCheckout } from './pages/checkout-page.ts';
import { ClaimPage } from './pages/refunds/claim-page.ts';
import { TillPage } from './pages/till/till-page.ts';
import { twoFreshNodes as test } from './two-node-fixtures.ts';

/** The shop while it sells products with tax. */
const RATES = {
  ...EMPTY_PROFILE,
  taxRates: [
    { id: 'full', name: 'VAT', rate: 19_000 },
    { id: 'low', name: 'Food', rate: 7_000 },
  ],
  defaultTaxRate: 'full',
};

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

  /** Charges products, each once more for each time that it is named, and the tip that the customer types. */
  async chargeCart(products: readonly string[], tip: string): Promise<string> {
    const { operator } = this.#nodes.a;
    // Only this sale has lines: without rates and tips the keypad charges plain amounts.
    await operator.shop.set(RATES);
    await operator.settings.setTips({ percents: [5, 10, 15] });
    await this.page.reload();
    for (const name of products) await this.screen.tile(name).click();
    await this.screen.charge.click();
    await this.page.getByRole('button', { name: 'Another amount' }).click();
    await this.page.getByRole('textbox', { name: 'Tip' }).fill(tip);
    await this.page.getByRole('textbox', { name: 'Tip' }).press('Enter');
    const id = await this.waiting();
    await operator.shop.set(EMPTY_PROFILE);
    await operator.settings.setTips({ percents: null });
    return id;
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
  const product = { code: null, colour: null, assetScale: 2 };
  await operator.shop.set(RATES);
  for (const [assetCode, name, price, taxRateId] of [
    ['USD', 'Atlas', 1_190n, 'full'],
    ['USD', 'Tea', 214n, 'low'],
    ['EUR', 'Map', 238n, 'full'],
    ['EUR', 'Cake', 535n, 'low'],
  ] as const) {
    await operator.products.add({ requestId: randomUUID(), name, price, assetCode, taxRateId, ...product });
  }
  await operator.shop.set(EMPTY_PROFILE);
  await first.open();
  await second.open();

  // At the first till: one customer pays a part and goes, one is cancelled, and once the line is lost.
  const book = await first.sell('4.50');
  await first.paid(await first.charge('12.30'), 500n);
  await first.cancel();
  await first.charge('5');
  await first.cancel();
  const atlas = await first.chargeCart(['Atlas', 'Tea', 'Tea'], '3.82');
  await expect(first.screen.asked).toHaveText('US$20.00');
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
  const tea = await second.chargeCart(['Map', 'Cake', 'Cake'], '1.92');
  await expect(second.screen.asked).toHaveText('€15.00');
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
  // The atlas for 11.90 at 19 %, two teas for 2.14 at 7 % and a tip of 3.82 went back as a whole. Of the map for 2.38,
  // two cakes for 5.35 and a tip of 1.92 four fifteenths went back: of each part what is nearest.
  const expected = {
    USD: {
      ...{ sign: 'US$', received: '39.75', refunds: '2 refunds', refunded: '24.50', balance: 1_525n, shown: '15.25', sale: atlas },
      ...{ tip: '3.82', tipBack: '3.82', products: { Atlas: '11.90', Tea: '4.28', 'Without a product': '19.75' } },
      taxes: [
        { rate: 'VAT 19%', net: '10.00', tax: '1.90', netBack: '10.00', taxBack: '1.90' },
        { rate: 'Food 7%', net: '4.00', tax: '0.28', netBack: '4.00', taxBack: '0.28' },
      ],
      ...{ taxSum: '2.18', taxBackSum: '2.18' },
    },
    EUR: {
      ...{ sign: '€', received: '33.10', refunds: '1 refund', refunded: '4.00', balance: 2_910n, shown: '29.10', sale: tea },
      ...{ tip: '1.92', tipBack: '0.51', products: { Map: '2.38', Cake: '10.70', 'Without a product': '18.10' } },
      taxes: [
        { rate: 'VAT 19%', net: '2.00', tax: '0.38', netBack: '0.53', taxBack: '0.10' },
        { rate: 'Food 7%', net: '10.00', tax: '0.70', netBack: '2.67', taxBack: '0.19' },
      ],
      ...{ taxSum: '1.08', taxBackSum: '0.29' },
    },
  };
  for (const [number, id] of [[1, book] as const, [2, tea] as const]) {
    const { link, content } = await operator.receipts.issue({ kind: 'sale', id });
    expect(content?.number.endsWith(String(number).padStart(6, '0'))).toBe(true);
    await buyer.goto(link);
    await expect(buyer.getByRole('article', { name: 'Receipt' })).toContainText(id === book ? '4.50 USD' : '15.00 EUR');
  }
  for (const [currency, { sale, tip, taxes }] of Object.entries(expected)) {
    const { link, content } = await operator.receipts.issue({ kind: 'sale', id: sale });
    expect(content?.total).toBe(currency === 'USD' ? 2_000n : 1_500n);
    await buyer.goto(link);
    const receipt = buyer.getByRole('article', { name: 'Receipt' });
    for (const text of [tip, ...taxes.flatMap(({ net, tax }) => [net, tax])]) await expect(receipt).toContainText(text);
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
  const [places, people] = [paper.getByRole('table', { name: /By place/ }), paper.getByRole('table', { name: /By person/ })];
  for (const { sign, received, refunded, tip, tipBack, taxes } of Object.values(expected)) {
    const account = paper.getByRole('table', { name: sign === '€' ? 'The shop · EUR' : 'The shop · USD' });
    for (const list of [account, places, people]) {
      await expectLine(list, 'Refunds', `${sign}${refunded}`);
      await expectLine(list, 'Of this, tips', `${sign}${tip}`);
      await expectLine(list, 'Of the refunds, tips', `${sign}${tipBack}`);
      for (const { rate, net, tax, netBack, taxBack } of taxes) {
        await expectLine(list, `Of this, ${rate} on ${sign}${net}`, `${sign}${tax}`);
        await expectLine(list, `Of the refunds, ${rate} on ${MINUS}${sign}${netBack}`, `${sign}${taxBack}`);
      }
    }
    await expectLine(places, 'Till', `${sign}${received}`);
    await expectLine(people, sign === '€' ? 'Ada' : 'Owner', `${sign}${received}`);
    for (const { rate, net, tax, netBack, taxBack } of taxes) {
      const whole = paper.getByRole('table', { name: 'Tax by rate' });
      await expectLine(whole, `${rate} on ${sign}${net}`, `${sign}${tax}`);
      await expectLine(whole, `Refunded, on ${MINUS}${sign}${netBack}`, `${sign}${taxBack}`);
    }
  }
  for (const [currency, { sign, received, refunds, refunded, shown, ...sold }] of Object.entries(expected)) {
    const { id } = shops[currency as Currency].shop;
    await owner.goto(new URL(`/reports?account=${id}`, owner.url()).href);
    const totals = owner.getByRole('region', { name: 'Received' });
    for (const text of ['5 payments', `${sign}${received}`, refunds, `${sign}${refunded}`, `${sign}${shown}`])
      await expect(totals).toContainText(text);
    const [products, rates] = [owner.getByRole('table', { name: 'What was sold' }), owner.getByRole('table', { name: 'Tax by rate' })];
    for (const [name, amount] of Object.entries({ ...sold.products, Tips: sold.tip })) await expectLine(products, name, `${sign}${amount}`);
    for (const { rate, net, tax, taxBack } of sold.taxes) {
      await expectLine(rates, rate, `${sign}${net}`);
      await expectLine(rates, rate, `${sign}${tax}`);
      await expectLine(rates, 'Refunded', `${sign}${taxBack}`);
    }
    await owner.goto(new URL(`/statements?account=${id}`, owner.url()).href);
    await choose(owner, 'Period', 'This month');
    await choose(owner, 'File', 'CSV for programs');
    const [download] = await Promise.all([owner.waitForEvent('download'), owner.getByRole('button', { name: 'Save file' }).click()]);
    const rows: { kind: string; amount: string; balance: string; tax: string; tip: string }[] = parse(
      readFileSync(await download.path(), 'utf8'),
      { columns: true },
    );
    const of = (kind: string, column: 'amount' | 'tax' | 'tip' = 'amount') =>
      rows.filter((row) => row.kind === kind).map((row) => Math.round(Number(row[column]) * 100));
    const sum = (cents: readonly number[]) => (cents.reduce((all, one) => all + one, 0) / 100).toFixed(2);
    expect([sum(of('received')), sum(of('refunded')), rows.at(-1)?.balance]).toEqual([received, `-${refunded}`, shown]);
    expect([sum(of('received', 'tax')), sum(of('refunded', 'tax'))]).toEqual([sold.taxSum, `-${sold.taxBackSum}`]);
    expect([sum(of('received', 'tip')), sum(of('refunded', 'tip'))]).toEqual([sold.tip, `-${sold.tipBack}`]);
  }
});

/** The sign before an amount below zero, as the console writes it. */
const MINUS = '\u2212';

/** One row of a table begins with a name, and has an amount. */
async function expectLine(table: Locator, name: string, amount: string): Promise<void> {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const rows = table.getByRole('row', { name: new RegExp(`^${escaped}`) }).filter({ hasText: amount });
  await expect(rows.first(), `${name} ${amount}`).toBeVisible();
}

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option }).click();
}
