import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { createAccount, salePayer } from '../support/clients/flows.ts';
import { watchFor } from '../support/pages/appearance.ts';
import { Sections } from './pages/sections.ts';
import { TillPage } from './pages/till/till-page.ts';
import { expect, test } from './story-fixtures.ts';

/** Opens the till of the only account, from the console. */
async function openTill(page: Page): Promise<TillPage> {
  await new Sections(page).goTo('Till');
  const till = new TillPage(page);
  await expect(till.charge).toBeVisible();
  return till;
}

const saleOf = async (till: TillPage): Promise<string> => {
  await expect(till.code).toBeVisible();
  return till.sale() ?? '';
};

test('a sale goes from the keypad to green in three actions, in parts, and the next one begins with Enter', async ({
  desk: { page, operator },
  node,
  client,
}) => {
  await createAccount(node, 'shop', 0n);
  const till = await openTill(page);
  await expect(till.charge).toBeDisabled();
  await till.press('4.567<0');
  await expect(till.amount).toHaveText('US$4.50');
  await till.note.click();
  await till.purpose.fill('Two books');
  await till.charge.click();
  const id = await saleOf(till);
  await expect(till.asked).toHaveText('US$4.50');
  await expect(till.state).toHaveText('Waiting');
  expect(await operator.requests.get({ id })).toMatchObject({ madeAt: 'till', description: 'Two books', amount: { value: 450n } });

  // The payer chooses the account as the till would, when there are two.
  const pay = await salePayer(node, client);
  await pay(id, '150');
  await expect(till.state).toHaveText('Partly paid');
  await expect(till.asked).toHaveText('US$3.00');
  await expect(page.getByText('US$3.00 missing, US$1.50 of US$4.50 has arrived')).toBeVisible();
  await expect(till.end).toHaveCount(0);

  const shown = await watchFor(page, 'New sale');
  await pay(id, '300');
  const { at, late } = await shown();
  const { updatedAt, status } = await operator.requests.get({ id });
  console.log(`from the books to green: ${at - updatedAt.getTime()} ms, after ${late} ms of the machine's own`);
  expect(status).toBe('paid');
  await expect(till.end).toContainText('Paid');
  await expect(till.end).toContainText('US$4.50');
  await expect(till.end).toHaveAttribute('data-paid', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Into which account do sales go?' })).toBeVisible();
  await page.getByRole('button', { name: 'The shop (USD)' }).click();
  await expect(till.sales.getByRole('listitem')).toHaveText(/US\$4\.50.*Two books.*Paid/);

  // A plain sale, by the clock of the browser.
  await page.evaluate(() =>
    window.addEventListener('keydown', () => Object.assign(window, { began: Date.now() }), { once: true, capture: true }),
  );
  const [coded, green] = [await watchFor(page, 'Scan this code to pay'), await watchFor(page, 'New sale')];
  await page.keyboard.type('12,3');
  await expect(till.amount).toHaveText('US$12.30');
  await page.keyboard.press('Enter');
  const second = await saleOf(till);
  expect(second).not.toBe(id);
  expect(await operator.requests.get({ id: second })).toMatchObject({ amount: { value: 1_230n } });
  await pay(second, '1230');
  const [code, end] = [await coded(), await green()];
  const began: number = await page.evaluate(() => Reflect.get(window, 'began'));
  const booked = (await operator.requests.get({ id: second })).updatedAt.getTime();
  const parts = [code.at - began, booked - code.at, end.at - booked].map((part) => `${part} ms`);
  console.log(`from the keypad to green: ${end.at - began} ms (to the code, to the books, to green: ${parts.join(', ')}),`);
  console.log(`  after ${end.late} ms of the machine's own`);
});

test('a reload in the middle and a double tap find the one sale again', async ({ desk: { page, operator }, node, client }) => {
  const pay = await salePayer(node, client);
  const { id: shop } = await createAccount(node, 'shop', 0n);
  await page.evaluate((id) => localStorage.setItem('paydesk-till-account', id), shop);
  const till = await openTill(page);
  await till.press('26');
  await till.charge.dblclick();
  const id = await saleOf(till);
  await page.reload();
  await expect(till.asked).toHaveText('US$26.00');
  expect(till.sale()).toBe(id);
  await page.reload();
  await expect(till.code).toBeVisible();
  expect((await operator.requests.sales()).items.map((sale) => sale.id)).toEqual([id]);
  await pay(id, '2600');
  await expect(till.end).toContainText('Paid');
  await page.reload();
  await expect(till.end).toContainText('US$26.00');
});

test('going back asks whether to cancel, and a cancelled sale says so on both sides', async ({
  desk: { page, operator },
  node,
  person,
}) => {
  await createAccount(node, 'shop', 0n);
  const till = await openTill(page);
  await till.press('5');
  await till.charge.click();
  const id = await saleOf(till);
  const { link } = await operator.requests.get({ id });
  const shown = await person.open(link);
  await page.goBack();
  await till.dialog.getByRole('button', { name: 'Keep it' }).click();
  await expect(till.dialog).toBeHidden();
  expect(till.sale()).toBe(id);
  await expect(till.state).toHaveText('Waiting');

  await till.back.click();
  await till.dialog.getByLabel('Reason').fill('The last one is sold');
  await till.dialog.getByRole('button', { name: 'Cancel request' }).click();
  await expect(till.end).toContainText('Cancelled');
  await expect(till.end).toContainText('Nothing was paid.');
  await expect(till.end).not.toHaveAttribute('data-paid');
  await expect(shown.getByText('The last one is sold')).toBeVisible();
  await till.newSale.click();
  await expect(till.amount).toHaveText('US$0.00');
  await expect(till.sales.getByRole('listitem')).toHaveText(/Cancelled/);
  await till.back.click();
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible();
});

test('the keypad has the decimal places of the currency, and the account is chosen once', async ({ desk: { page, operator }, node }) => {
  await createAccount(node, 'shop', 0n);
  const more = { openingBalance: 0n, name: 'tokyo', publicName: 'Tokyo', assetCode: 'JPY', assetScale: 0 };
  await operator.accounts.create({ requestId: randomUUID(), ...more });
  await operator.accounts.create({
    requestId: randomUUID(),
    ...more,
    name: 'kuwait',
    publicName: 'Kuwait',
    assetCode: 'KWD',
    assetScale: 3,
  });
  await new Sections(page).goTo('Till');
  const till = new TillPage(page);
  await page.getByRole('button', { name: 'Tokyo (JPY)' }).click();
  // Before the keypad is there, nothing takes a key.
  await expect(till.amount).toHaveText('JP¥0');
  await expect(till.key('.')).toHaveCount(0);
  await page.keyboard.type('12.5');
  await expect(till.amount).toHaveText('JP¥125');
  await page.reload();
  await expect(page.getByText('Into Tokyo')).toBeVisible();
  await page.getByRole('button', { name: 'Change account' }).click();
  await page.getByRole('button', { name: 'Kuwait (KWD)' }).click();
  await till.press('1.2345');
  await expect(till.amount).toHaveText(/1\.234$/);
  // For the other hand the keypad goes to the other side, and stays there.
  const keypadIsFirst = async () => {
    const [keypad, sales] = [page.getByRole('region', { name: 'Keypad' }), page.getByRole('region', { name: 'Sales of today' })];
    return ((await keypad.boundingBox())?.x ?? 0) < ((await sales.boundingBox())?.x ?? 0);
  };
  expect(await keypadIsFirst()).toBe(true);
  await page.getByRole('button', { name: 'Keypad on the other side' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Keypad on the other side', pressed: true })).toBeVisible();
  expect(await keypadIsFirst()).toBe(false);
});

test('a sale that nobody pays expires, and a problem of the payer is said in words', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
  person,
}) => {
  const shop = await createAccount(node, 'shop', 0n);
  await operator.settings.setTill({ lapseMinutes: 1 });
  const till = await openTill(page);
  await till.press('5');
  await till.charge.click();
  const { link } = await operator.requests.get({ id: await saleOf(till) });
  const shown = await person.open(link);
  await shown.getByLabel('Your wallet address').fill(shop.walletAddress);
  await shown.getByRole('button', { name: 'Pay from this wallet' }).click();
  await expect(till.problem).toContainText('The address that was typed is on this node.');
  await expect(till.end).toContainText('Expired', { timeout: 90_000 });
  await expect(till.end).toContainText('Nothing was paid.');
});
