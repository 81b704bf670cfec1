import type { Page } from '@playwright/test';
import { TestPrinter } from '../../src-main/printing/testing/test-printer.ts';
import { createAccount, salePayer } from '../support/clients/flows.ts';
import { barriers } from '../support/pages/barriers.ts';
import { test as base, expect } from './story-fixtures.ts';

/** The wait until the worker has found what it has to print, even on a busy machine, in milliseconds. */
const WITHIN_MS = 20_000;

/** A PNG of one black point. */
const LOGO = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==', 'base64');

const test = base.extend<{ printer: TestPrinter }>({
  printer: async ({ browserName: _ }, use) => {
    const printer = await TestPrinter.start();
    await use(printer);
    await printer.switchOff();
  },
});

const open = (page: Page, path: string) => page.goto(new URL(path, page.url()).href);

test('a shop sets up a receipt printer, prints a test and a sale, and what waits for a printer that is off comes out later', async ({
  desk: { page, operator },
  node,
  client,
  printer,
}) => {
  const shop = await createAccount(node, 'shop', 0n);
  await open(page, '/settings');
  const card = page.getByRole('region', { name: 'Receipt printer' });
  await expect(card).toContainText('No receipt printer yet');
  // Only the desktop app offers the printers of its computer beside it.
  const ofComputer = card.getByRole('button', { name: 'Printer of this computer' });
  await expect(ofComputer).toHaveCount(test.info().project.name === 'headless' ? 0 : 1);
  await card.getByRole('button', { name: /^Add a receipt printer$|in the network$/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add a receipt printer' }).click();
  await expect(dialog).toContainText('Enter an IP address or a name, without blanks and without http.');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Counter');
  await dialog.getByRole('textbox', { name: 'Address' }).fill('127.0.0.1');
  await dialog.getByRole('textbox', { name: 'Port' }).fill(String(printer.port));
  await dialog.getByRole('button', { name: 'Add a receipt printer' }).click();
  await expect(card).toContainText('Ready');
  expect(await barriers(page)).toEqual([]);
  const profile = page.getByRole('region', { name: 'Your shop' });
  await profile.locator('input[type="file"]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: LOGO });
  await expect(profile.getByText('On a receipt printer')).toBeVisible();
  await card.getByRole('button', { name: 'Print a test receipt' }).click();
  await expect.poll(() => printer.texts[0], { timeout: WITHIN_MS }).toContain('This is not a receipt');
  // GS v 0, with 20 bytes in a line and 160 lines: the black point of the logo, as large as a logo may be.
  const picture = Buffer.concat([Buffer.from([0x1d, 0x76, 0x30, 0, 20, 0, 160, 0]), Buffer.alloc(20 * 160, 0xff)]);
  expect(printer.papers[0]?.includes(picture)).toBe(true);
  const queue = card.getByRole('list', { name: 'Queue' }).getByRole('listitem');
  await expect(queue.filter({ hasText: 'Test receipt' })).toContainText('Printed');

  const { id } = await operator.requests.create({
    ...{ requestId: crypto.randomUUID(), accountId: shop.id, madeAt: 'till', amount: 1_250n, description: 'Two roses' },
  });
  await (await salePayer(node, client))(id, '1250');
  await expect.poll(async () => (await operator.requests.get({ id })).status).toBe('paid');
  await open(page, `/till?sale=${id}`);
  await page.getByRole('button', { name: 'Print on Counter' }).click();
  await expect.poll(() => printer.texts[1], { timeout: WITHIN_MS }).toContain('12.50');
  await expect(page.getByTestId('print-state')).toHaveText('The receipt was printed.');

  // The printer is off: the till goes on, and the receipt waits where everybody sees it.
  await printer.switchOff();
  await page.getByRole('button', { name: 'Receipt', exact: true }).click();
  await page.getByRole('button', { name: 'Print on Counter' }).click();
  await expect(page.getByTestId('print-state')).toHaveText(/^The receipt waits .*does not answer/, { timeout: WITHIN_MS });
  await open(page, '/settings');
  await expect(card.getByTestId('queue')).toHaveText('One receipt waits.');
  await expect(card).toContainText('Does not answer');
  await expect(card.getByRole('button', { name: /Cancel the print of S-\d{4}-000001/ })).toBeVisible();
  await printer.switchOn();
  await card.getByRole('button', { name: 'Try now' }).click();
  await expect.poll(() => printer.texts[2], { timeout: WITHIN_MS }).toContain('Copy');
  await expect(card.getByTestId('queue')).toHaveText('Nothing waits for the printer.');
  await expect(card).toContainText('Ready');
});

test('sales at the till print by themselves once a shop wants that', { tag: ['@long', '@once'] }, async ({
  desk: { page, operator },
  node,
  client,
  printer,
}) => {
  const shop = await createAccount(node, 'shop', 0n);
  const place = { name: 'Counter', host: '127.0.0.1', port: printer.port } as const;
  await operator.printing.set({ ...place, paper: 'roll58', language: 'en', printsSales: true });
  const { id } = await operator.requests.create({
    ...{ requestId: crypto.randomUUID(), accountId: shop.id, madeAt: 'till', amount: 450n, description: 'Rose' },
  });
  await (await salePayer(node, client))(id, '450');
  await expect.poll(() => printer.texts[0], { timeout: WITHIN_MS }).toContain('Rose');
  await open(page, `/till?sale=${id}`);
  await expect(page.getByTestId('print-state')).toHaveText('The receipt was printed.');
});
