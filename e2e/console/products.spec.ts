import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { EMPTY_PROFILE } from '../../src-shared/shop/shop-profile.ts';
import { createAccount, type ReachedNode, salePayer } from '../support/clients/flows.ts';
import { ProductsPage } from './pages/till/products-page.ts';
import { TillPage } from './pages/till/till-page.ts';
import { expect, test } from './story-fixtures.ts';

type Operator = ReachedNode['operator'];

const FULL = { id: 'full', name: 'VAT', rate: 19_000 };
const LOW = { id: 'low', name: 'Reduced', rate: 7_000 };
/** A number with its check digit, as a scanner types it. */
const EAN = '4006381333931';

const setShop = (operator: Operator) =>
  operator.shop.set({ ...EMPTY_PROFILE, name: 'Books & Tea', taxRates: [FULL, LOW], defaultTaxRate: 'full' });
const add = (operator: Operator, name: string, price: bigint, more: { code?: string; taxRateId?: string } = {}) =>
  operator.products.add({
    ...{ requestId: randomUUID(), name, price, assetCode: 'USD', assetScale: 2, code: null, taxRateId: null, colour: null },
    ...more,
  });

async function openTill(page: Page, shop: { id: string }): Promise<TillPage> {
  await page.evaluate((id) => localStorage.setItem('paydesk-till-account', id), shop.id);
  await page.goto(new URL('/till', page.url()).href);
  const till = new TillPage(page);
  await expect(till.amount).toBeVisible();
  return till;
}

/** Types as a scanner does, and ends with Enter. */
const scan = async (page: Page, code: string) => {
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
};

test('a cart with products, a scanned one and a typed amount is charged with a tip, to the cent', async ({
  desk: { page, operator },
  node,
  client,
}) => {
  const pay = await salePayer(node, client);
  const shop = await createAccount(node, 'shop', 0n);
  await setShop(operator);
  await operator.settings.setTips({ percents: [5, 10, 15] });
  await add(operator, 'Tea', 250n, { taxRateId: 'low' });
  await add(operator, 'Loaf', 490n, { code: EAN, taxRateId: 'low' });
  const till = await openTill(page, shop);

  await till.tile('Tea').click();
  await till.tile('Tea').click();
  await till.press('1.99');
  // Whatever was touched last, the code presses nothing, and is not typed as an amount.
  await page.keyboard.type('+');
  await scan(page, EAN);
  await expect(till.cart.getByRole('listitem')).toHaveText([/Tea.*US\$5\.00/, /Item.*US\$1\.99/, /Loaf.*US\$4\.90/]);
  await expect(till.amount).toHaveText('US$0.00');
  await page.getByRole('button', { name: 'One more Loaf' }).click();
  await expect(till.charge).toHaveText('Charge US$16.79');
  await page.reload();
  await expect(till.charge).toHaveText('Charge US$16.79');

  await till.note.click();
  await till.purpose.fill('Breakfast');
  await till.privateNote.fill('Table 7');
  await till.charge.click();
  await expect(page.getByRole('heading', { name: 'Would you like to leave a tip?' })).toBeVisible();
  await page.getByRole('button', { name: '10%' }).click();
  await expect(till.asked).toHaveText('US$18.47');
  const id = till.sale() ?? '';
  expect(await operator.requests.get({ id })).toMatchObject({ amount: { value: 1_847n }, description: 'Breakfast', note: 'Table 7' });
  const { bill } = await operator.requests.bill({ id });
  expect(bill).toMatchObject({
    tip: 168n,
    total: 1_847n,
    rates: [
      { name: 'VAT', taxAmount: 32n },
      { name: 'Reduced', taxAmount: 97n },
    ],
  });
  const lines = bill?.lines ?? [];
  expect(lines.map(({ text, quantity, amount }) => [text, quantity, amount])).toEqual([
    ['Tea', 2_000, 500n],
    ['', 1_000, 199n],
    ['Loaf', 2_000, 980n],
  ]);
  expect(lines.reduce((sum, { amount }) => sum + amount, 168n)).toBe(1_847n);

  await pay(id, '1847');
  await expect(till.end).toContainText('Paid');
  await till.end.getByRole('link').click();
  await expect(page.getByRole('table', { name: 'What it consists of' })).toContainText('Loaf');
  await expect(page.getByRole('table', { name: 'What it consists of' })).toContainText('Tip');
  await openTill(page, shop);
  await expect(till.cart).toHaveCount(0);
  expect((await operator.products.list({ order: 'sales' })).items.map(({ name, sales }) => [name, sales])).toEqual(
    expect.arrayContaining([
      ['Loaf', 1],
      ['Tea', 1],
    ]),
  );
});

test('a scan presses nothing: it begins the next sale at green, and is refused in words while a sale is made', async ({
  desk: { page, operator },
  node,
  client,
}) => {
  const pay = await salePayer(node, client);
  const shop = await createAccount(node, 'shop', 0n);
  await setShop(operator);
  await operator.settings.setTips({ percents: [5, 10, 15] });
  await add(operator, 'Loaf', 490n, { code: EAN });
  const till = await openTill(page, shop);
  const notTaken = page.getByRole('alert').filter({ hasText: EAN });
  await scan(page, EAN);
  // A note is no place for a code, and nothing is charged by it.
  await till.note.click();
  await till.purpose.focus();
  await scan(page, EAN);
  await expect(till.purpose).toHaveValue(EAN);
  await till.charge.click();

  await page.getByRole('button', { name: 'Another amount' }).click();
  const tip = page.getByRole('textbox', { name: 'Tip' });
  await expect(tip).toBeFocused();
  await scan(page, EAN);
  await expect(notTaken).toContainText(`${EAN} was scanned, but this sale takes nothing more.`);
  await expect(tip).toHaveValue('');
  await page.getByRole('button', { name: 'No tip' }).focus();
  await scan(page, EAN);
  expect(till.sale()).toBeUndefined();
  await page.getByRole('button', { name: 'No tip' }).click();

  await expect(till.code).toBeVisible();
  const id = till.sale() ?? '';
  await expect(notTaken).toHaveCount(0);
  await till.cancel.focus();
  await scan(page, EAN);
  await expect(notTaken).toBeVisible();
  await expect(till.dialog).toBeHidden();
  await pay(id, '490');
  await expect(till.end).toContainText('Paid');
  await scan(page, EAN);
  await expect(till.end).toHaveCount(0);
  await expect(till.cart.getByRole('listitem')).toHaveText([/Loaf.*US\$4\.90/]);
  expect(till.sale()).toBeUndefined();
  await page.reload();
  await expect(till.cart.getByRole('listitem')).toHaveText([/Loaf.*US\$4\.90/]);
});

test('the owner sets up products, a scanned code that is unknown becomes one, and a cashier only sells', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
}) => {
  const shop = await createAccount(node, 'shop', 0n);
  await setShop(operator);
  await page.goto(new URL('/products', page.url()).href);
  const products = new ProductsPage(page);
  await expect(page.getByText('No products yet')).toBeVisible();
  await products.add.click();
  await products.save.click();
  await expect(products.dialog.getByText('Write a name.')).toBeVisible();
  await products.name.fill('Tea');
  await products.price.fill('2.50');
  await products.code.fill('TEA-1');
  // A scanner ends with Enter, which does not send the form.
  await products.code.press('Enter');
  await products.colour('Teal').check();
  await products.save.click();
  await expect(products.rows).toHaveText([/Tea.*US\$2\.50.*VAT 19%.*TEA-1.*Not sold yet/]);

  await products.row('Tea').click();
  await products.price.fill('2.70');
  await products.save.click();
  await expect(products.rows).toHaveText([/US\$2\.70/]);

  const till = await openTill(page, shop);
  await scan(page, EAN);
  await expect(till.refused).toContainText(`No product has the code ${EAN}.`);
  await expect(till.amount).toHaveText('US$0.00');
  await page.getByRole('button', { name: 'Add a product with this code' }).click();
  await expect(products.code).toHaveValue(EAN);
  await products.name.fill('Loaf');
  await products.price.fill('4.90');
  await products.save.click();
  await expect(till.cart.getByRole('listitem')).toHaveText([/Loaf.*US\$4\.90/]);
  await expect(till.refused).toHaveCount(0);
  await till.search.fill('tea');
  await expect(till.tiles()).toHaveCount(1);
  await till.search.press('Enter');
  await expect(till.cart.getByRole('listitem')).toHaveText([/Loaf/, /Tea/]);
  await page.getByRole('button', { name: 'Remove Loaf' }).click();
  await till.charge.click();
  await expect(till.asked).toHaveText('US$2.70');

  await till.back.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel request' }).click();
  await page.goto(new URL('/products', page.url()).href);
  await expect(products.rows.filter({ hasText: 'Tea' })).toContainText('In 1 sale');
  await products.row('Tea').click();
  await products.dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog', { name: 'Remove Tea?' }).getByRole('button', { name: 'Remove' }).click();
  await expect(products.rows).toHaveText([/Loaf/]);
});

test('a tip can be typed or left out, and a sale that adds its tax says what it comes to', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
}) => {
  const shop = await createAccount(node, 'shop', 0n);
  await operator.shop.set({ ...EMPTY_PROFILE, taxRates: [FULL], defaultTaxRate: 'full', pricesIncludeTax: false });
  await page.goto(new URL('/settings', page.url()).href);
  await page.getByRole('switch', { name: 'Ask customers for a tip' }).check();
  await page.getByLabel('Tip 3 in percent').fill('20');
  await page.getByRole('region', { name: 'Till' }).getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await operator.settings.till()).tipPercents).toEqual([5, 10, 20]);
  const till = await openTill(page, shop);
  await page.keyboard.type('10.00');
  await expect(page.getByText('US$1.90')).toBeVisible();
  // A double tap on the button chooses no tip that appears below the finger.
  await till.charge.dblclick();
  await expect(page.getByText('Your purchase: US$11.90')).toBeVisible();
  await expect(page.getByRole('button', { name: '20%' })).toContainText('US$2.38');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Another amount' }).click();
  await page.getByRole('textbox', { name: 'Tip' }).fill('3.10');
  await page.getByRole('button', { name: 'Pay US$15.00' }).click();
  await expect(till.asked).toHaveText('US$15.00');
  const { bill } = await operator.requests.bill({ id: till.sale() ?? '' });
  expect(bill).toMatchObject({ tip: 310n, net: 1_000n, taxAmount: 190n });
});
