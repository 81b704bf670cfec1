import { readFileSync } from 'node:fs';
import { createAccount, salePayer } from '../support/clients/flows.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

test('the accountant gets a file of everything that moved, with the balances of the ledger', async ({
  desk: { page, operator },
  node,
  client,
}) => {
  const shop = await createAccount(node, 'shop', 20_000n);
  const pay = await salePayer(node, client);
  const { id } = await operator.requests.create({
    ...{ requestId: crypto.randomUUID(), accountId: shop.id, amount: 1_250n, madeAt: 'till' },
    ...{ description: 'Two roses', reference: 'R-7', note: '=Ann' },
  });
  await pay(id, '1250');
  await expect.poll(async () => (await operator.requests.get({ id })).status).toBe('paid');

  await new Sections(page).goTo('Accounts');
  await expect(page.getByRole('heading', { level: 1, name: 'Accounts' })).toBeVisible();
  await page.getByRole('link', { name: /The shop/ }).click();
  await page.getByRole('link', { name: 'Statement', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Statements' })).toBeVisible();
  const summary = page.getByRole('region', { name: 'In these days' });
  await expect(summary).toContainText('Nothing moved in these days.');
  await page.getByRole('combobox', { name: 'Period' }).click();
  await page.getByRole('option', { name: 'This month' }).click();
  await expect(summary).toContainText('US$212.50');
  await expect(summary).toContainText('Today is not over');

  const save = async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save file' }).click()]);
    await expect(page.getByText(/^[23] movements written\./)).toBeVisible();
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'latin1') };
  };
  const table = await save();
  expect(table.name).toMatch(/^shop-\d{4}-\d\d-01-.*\.csv$/);
  expect(table.text).toContain('"\'=Ann"');
  expect(table.text).toContain('212.50');

  const { profile } = await operator.shop.get();
  await operator.shop.set({ ...profile, homeCurrency: 'EUR' });
  await page.reload();
  await page.getByRole('combobox', { name: 'Period' }).click();
  await page.getByRole('option', { name: 'This month' }).click();
  await expect(summary).toContainText('paydesk knew no rate from USD to EUR');
  const rate = { rate: '0.9', spreadBps: 100, source: 'my bank', asOf: new Date(), maxAgeSeconds: 86_400 };
  await operator.rates.set({ base: 'USD', quote: 'EUR', ...rate });
  await operator.accounts.deposit({ requestId: crypto.randomUUID(), id: shop.id, amount: 1_000n, note: '' });
  await expect(summary).not.toContainText('paydesk knew no rate');
  await expect(summary).toContainText('US$222.50');
  const valued = await save();
  expect(valued.text.split('\r\n').at(-3)).toMatch(/,9\.00,"EUR",0\.9,$/);

  await page.getByRole('combobox', { name: 'File' }).click();
  await page.getByRole('option', { name: 'DATEV (batch of bookings)' }).click();
  await page.getByRole('button', { name: 'Save file' }).click();
  await expect(page.getByText('Enter a number from 1001 to 9999999.')).toBeVisible();
  for (const [label, value] of [
    ['Number of the tax adviser', '1001'],
    ['Your number there', '7'],
    ['Ledger account of the wallet', '1800'],
    ['For payments received', '4400'],
    ['For payments sent', '5900'],
    ['For deposits and withdrawals', '1460'],
  ] as const)
    await page.getByRole('textbox', { name: label }).fill(value);
  const batch = await save();
  expect(batch.text).toMatch(/^"EXTF";700;21;"Buchungsstapel";12;/);
  expect(batch.text).toContain('12,50;"S";"USD"');
  expect((await operator.statements.settings()).datev).toMatchObject({ consultant: 1_001, wallet: '1800' });
});
