import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { createAccount, salePayer } from '../support/clients/flows.ts';
import { expect, test } from './story-fixtures.ts';

/** The text that the node has signed, with another total. */
function withAnotherTotal(jws: string): string {
  const [head, payload = '', signature] = jws.split('.');
  const text = Buffer.from(payload, 'base64url').toString().replace('"total":"1250"', '"total":"1251"');
  return [head, Buffer.from(text).toString('base64url'), signature].join('.');
}

/** A picture of two pixels, a red and a see-through one (PNG). */
const LOGO = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAD0lEQVR4nGP4z8DwnwEIAAz8Af9rOp6TAAAAAElFTkSuQmCC';

/** The page on a roll of 80 mm: nothing but the receipt, in black, and no wider than the roll. */
async function looksRightOnRoll(page: Page): Promise<void> {
  await page.getByRole('link', { name: '80 mm' }).click();
  await page.setViewportSize({ width: 302, height: 800 });
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('link', { name: 'Deutsch' })).toBeHidden();
  const receipt = page.getByRole('article', { name: 'Receipt' });
  expect(await receipt.evaluate((paper) => [paper.scrollWidth <= 302, getComputedStyle(paper).color])).toEqual([true, 'rgb(0, 0, 0)']);
  await page.emulateMedia({ media: 'screen' });
}

test('a customer gets the receipt of a sale that says the same as the shop’s, prints it, and checks it', async ({
  desk: { page, operator },
  node,
  client,
  person,
}) => {
  const shop = await createAccount(node, 'shop', 0n);
  const { profile } = await operator.shop.get();
  await operator.shop.set({ ...profile, name: 'Books & Tea', address: ['High Street 12'], taxNumber: 'DE123', closingLine: 'Thank you' });
  await operator.shop.setLogo({ data: LOGO });
  const tax = { name: 'VAT', rate: 25_000 };
  const lines = [{ text: 'Rose', quantity: 2_000, unitPrice: 500n, tax }];
  const { id, link } = await operator.requests.create({
    ...{ requestId: crypto.randomUUID(), accountId: shop.id, madeAt: 'till' },
    bill: { pricesIncludeTax: true, rounding: 'line', lines, tip: 250n },
  });
  await (await salePayer(node, client))(id, '1250');
  await expect.poll(async () => (await operator.requests.get({ id })).status).toBe('paid');

  const customer = await person.open(link);
  await customer.getByRole('button', { name: 'Receipt' }).click();
  const receipt = customer.getByRole('article', { name: 'Receipt' });
  for (const text of ['Books & Tea', 'Tax number DE123', /S-\d{4}-000001/, '12.50 USD', 'Thank you'])
    await expect(receipt).toContainText(text);
  await expect(receipt.getByRole('row', { name: /^Rose/ })).toContainText('10.00');
  await expect(receipt.getByRole('row', { name: /VAT/ })).toContainText('2.00');
  const own = customer.url();
  await looksRightOnRoll(customer);

  // The shop has the same receipt at the till. Its first print is the original.
  await page.goto(`${new URL(page.url()).origin}/till?sale=${id}`);
  await page.getByRole('button', { name: 'Receipt' }).click();
  const paper = page.getByRole('article', { name: 'Receipt' });
  for (const text of ['Books & Tea', /S-\d{4}-000001/, '12.50 USD']) await expect(paper).toContainText(text);
  await expect(paper.getByText('Copy', { exact: true })).toBeHidden();
  // What is printed by the menu of the browser is not counted, so it is a copy.
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect(paper.getByText('Copy', { exact: true })).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  // Some browsers without a printer say that they have printed, others do not. The test says it in the browser's place.
  await page.evaluate(() => Object.assign(window, { print: () => undefined }));
  await page.getByRole('button', { name: 'Print' }).click();
  await expect(page.getByTestId('printed')).toHaveText(/printed once/);
  await expect(paper.getByText('Copy', { exact: true })).toBeHidden();
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(paper.getByText('Copy', { exact: true })).toBeVisible();
  await page.getByText('80 mm', { exact: true }).click();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(paper).toBeVisible();
  const logo = paper.locator('header img');
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.offsetHeight > 50])).toEqual([2, true]);
  expect(await paper.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  await page.emulateMedia({ media: 'screen' });
  await operator.shop.removeLogo();
  await page.reload();
  await expect(paper).toContainText('Books & Tea');
  await expect(logo).toHaveCount(0);

  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as PDF' }).click()]);
  expect(file.suggestedFilename()).toMatch(/^S-\d{4}-000001\.pdf$/);
  // The shop has chosen its roll, and the customer keeps A4.
  const pageOf = async (path: string) => /MediaBox \[0 0 ([\d.]+) /.exec(await readFile(path, 'latin1'))?.[1];
  expect(await pageOf(await file.path())).toBe('226.77');
  const [theirs] = await Promise.all([customer.waitForEvent('download'), customer.getByRole('link', { name: 'Save as PDF' }).click()]);
  expect(theirs.suggestedFilename()).toBe(file.suggestedFilename());
  expect(await pageOf(await theirs.path())).toBe('595.28');

  // What the shop says of itself later changes nothing, and a changed cent is told.
  await operator.shop.set({ ...profile, name: 'Another shop' });
  await customer.goto(own);
  await expect(receipt).toContainText('Books & Tea');
  await expect(receipt.getByText('Copy', { exact: true })).toBeVisible();
  const jws = await (await customer.request.get(`${own}/signed`)).text();
  await customer.getByRole('button', { name: 'Check this receipt' }).click();
  await expect(customer.getByRole('status')).toHaveText('This receipt was made by Books & Tea and is unchanged.');
  await customer.getByLabel('Link or signed text').fill(withAnotherTotal(jws));
  await customer.getByRole('button', { name: 'Check' }).click();
  await expect(customer.getByRole('alert')).toContainText('This shop did not sign what stands there.');
});
