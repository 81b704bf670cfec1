import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { createAccount, salePayer } from '../support/clients/flows.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

test('the day is closed once, what comes later is in the next one, and the closed day stays as it is', async ({
  desk: { page, operator },
  node,
  client,
}) => {
  const shop = await createAccount(node, 'shop', 20_000n);
  const { profile } = await operator.shop.get();
  await operator.shop.set({ ...profile, name: 'Books & Tea', address: ['High Street 12'], taxNumber: 'DE123' });
  const pay = await salePayer(node, client);
  const sell = async (amount: bigint) => {
    const { id } = await operator.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount, madeAt: 'till' });
    await pay(id, amount.toString());
    await expect.poll(async () => (await operator.requests.get({ id })).status).toBe('paid');
  };
  await sell(450n);
  await sell(1_250n);

  await new Sections(page).goTo('Overview');
  await page.getByRole('link', { name: 'Day closing' }).click();
  const report = page.getByRole('article', { name: 'Interim report (X)' });
  await expect(report).toContainText('Books & Tea');
  await expect(report).toContainText('Tax number DE123');
  const table = (name: RegExp) => page.getByRole('table', { name });
  await expect(table(/The shop/).getByRole('row', { name: /^Received/ })).toHaveText(/2 ×.*US\$17\.00/);
  await expect(table(/The shop/).getByRole('row', { name: /^Closing balance/ })).toContainText('US$217.00');
  await expect(table(/By place/)).toContainText('Till');

  await page.getByRole('button', { name: 'Close the day' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close the day?' });
  await dialog.getByRole('button', { name: 'Close the day' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Day closing 1' })).toBeVisible();
  const paper = page.getByRole('article', { name: 'Day closing 1' });
  await expect(paper).toContainText('US$217.00');
  await expect(paper).toContainText('not a fiscal device');
  await expect(paper.getByText(/^\d+ \w+ \d{4}$/)).toBeVisible();
  // What was said of the closing does not lie on the paper that is printed at once.
  const said = page.getByText('The day is closed with number 1.');
  await expect(said).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(said).toBeHidden({ timeout: 1_000 });
  await page.emulateMedia({ media: 'screen' });

  await sell(300n);
  await operator.shop.set({ ...profile, name: 'Books & Tea', dayEndsAt: 600 });
  await expect(paper).toContainText('US$217.00');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(paper).toBeVisible();
  await page.emulateMedia({ media: 'screen' });

  await page.getByRole('link', { name: 'Back to day closing' }).click();
  await expect(table(/The shop/).getByRole('row', { name: /^Received/ })).toHaveText(/1 ×.*US\$3\.00/);
  await expect(table(/The shop/).getByRole('row', { name: /^Opening balance/ })).toContainText('US$217.00');
  await expect(page.getByRole('list', { name: 'Closings so far' }).getByRole('listitem')).toHaveCount(1);
});

test('a closing of many accounts shows the first hundred, and the others by the keyboard', async ({ desk: { page, operator }, node }) => {
  await Promise.all(Array.from({ length: 102 }, (_, nth) => createAccount(node, `stand-${String(nth).padStart(3, '0')}`, 100n)));
  await page.goto(new URL('/closings', page.url()).href);
  await expect(page.getByRole('article', { name: 'Interim report (X)' })).toContainText('The closing will list 2 more accounts.');
  await operator.closings.close({ requestId: crypto.randomUUID(), last: 0 });
  await page.goto(new URL('/closings/1', page.url()).href);
  const paper = page.getByRole('article', { name: 'Day closing 1' });
  await expect(paper.getByRole('status')).toHaveText('100 of 102 accounts are shown.');
  await expect(paper.getByRole('table', { name: 'The stand-101' })).toBeHidden();
  await paper.getByRole('button', { name: 'Show more' }).press('Enter');
  await expect(paper.getByRole('table', { name: 'The stand-101' })).toContainText('US$1.00');
  await expect(paper.getByRole('status')).toHaveText('102 of 102 accounts are shown.');
  await expect(paper.getByRole('button', { name: 'Show more' })).toBeHidden();
  await expect(paper.getByRole('alert')).toBeHidden();

  // Somebody changes the further accounts behind the node's back.
  const { dataFolder } = await operator.settings.node();
  const books = new Sqlite(join(dataFolder, 'paydesk.db'));
  const changed = books.prepare("update closing_accounts set accounts = replace(accounts, 'stand', 'bench') where piece = 1").run();
  books.close();
  expect(changed.changes).toBe(1);
  await page.reload();
  await expect(paper.getByRole('alert')).toBeHidden();
  await paper.getByRole('button', { name: 'Show more' }).click();
  await expect(paper.getByRole('alert')).toContainText('The 2 accounts below do not fit their hash.');
});

test('the shop says who it is in the settings, and its customers see it', async ({ desk: { page, operator }, node, person }) => {
  const shop = await createAccount(node, 'shop', 0n);
  await new Sections(page).goTo('Settings');
  const card = page.getByRole('region', { name: 'Your shop' });
  await card.getByLabel('Name of the shop').fill('Books & Tea');
  await card.getByLabel('Address', { exact: true }).fill('High Street 12\nTown');
  await card.getByRole('button', { name: 'Add a tax rate' }).click();
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(card).toContainText('Enter a number from 0 to 100.');
  await card.getByLabel('Name', { exact: true }).fill('Reduced');
  await card.getByLabel('Percent').fill('5,5');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('What your shop says of itself is saved.')).toBeVisible();
  expect((await operator.shop.get()).profile).toMatchObject({
    name: 'Books & Tea',
    address: ['High Street 12', 'Town'],
    taxRates: [{ name: 'Reduced', rate: 5_500 }],
  });
  const { link } = await operator.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount: 450n });
  const checkout = await person.open(link);
  await expect(checkout.getByText('Books & Tea')).toBeVisible();
  await expect(checkout.getByText('High Street 12')).toBeVisible();
  const root = await person.open(node.publicUrl);
  await expect(root.getByRole('link', { name: /The shop/ })).toBeVisible();
});
