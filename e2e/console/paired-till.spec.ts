import { createAccount, salePayer } from '../support/clients/flows.ts';
import { barriers } from '../support/pages/barriers.ts';
import { TillPage } from './pages/till/till-page.ts';
import { TillsPage } from './pages/till/tills-page.ts';
import { expect, test } from './story-fixtures.ts';

/** The wait until the screen of a till says what became of it, even on a busy machine, in milliseconds. */
const WITHIN_MS = 5_000;
/** The node ends the stream of a till that may not sell any more, and refuses its next call. */
const REFUSED = /status of 40[13]|ERR_INCOMPLETE_CHUNKED_ENCODING/;

test('a tablet becomes a till by a code, sells until green, and says when it is removed', { tag: '@once' }, async ({
  desk: { page, operator, problems },
  node,
  client,
  person,
}) => {
  problems.allow(REFUSED);
  await createAccount(node, 'shop', 0n);
  await page.goto(new URL('/settings', page.url()).href);
  const tills = new TillsPage(page);
  await expect(tills.card).toContainText('No device is a till yet');
  const tablet = await person.open(await tills.add('Window'));
  const till = new TillPage(tablet);
  await expect(tablet.getByRole('heading', { level: 1 })).toHaveText('Window');
  await expect(tills.dialog).toContainText('Window is paired, and may sell.');
  await tills.dialog.getByRole('button', { name: 'Done' }).click();
  await expect(tills.line('Window')).toContainText('Paired');

  await till.press('450');
  await till.charge.click();
  await expect(till.code).toBeVisible();
  const id = till.sale() ?? '';
  expect(await operator.requests.get({ id })).toMatchObject({ madeAt: 'till', till: { name: 'Window' }, amount: { value: 45_000n } });
  const pay = await salePayer(node, client);
  await pay(id, '45000');
  await expect(till.end).toContainText('Paid');
  await expect(till.end).toHaveAttribute('data-paid', 'true');
  await expect(till.back).toHaveCount(0);

  await tills.confirm('Window', 'Remove');
  await expect(tablet.getByRole('heading', { name: 'This till was removed in the console' })).toBeVisible({ timeout: WITHIN_MS });
  await expect(till.end).toHaveCount(0);
  await expect(tills.card).toContainText('No device is a till yet');
});

test('a till is paused and goes on, opens without its line, and fits a narrow screen', { tag: '@long' }, async ({
  desk: { operator, problems },
  node,
  person,
}) => {
  problems.allow(REFUSED);
  problems.allow(/ERR_INTERNET_DISCONNECTED/);
  await createAccount(node, 'shop', 0n);
  const { till, link } = await operator.tills.add({ name: 'Window', accountId: null });
  const phone = await person.open(link);
  await phone.setViewportSize({ width: 320, height: 640 });
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Window');
  expect(await barriers(phone)).toEqual([]);
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  const said = phone.getByRole('heading', { name: 'This till was paused in the console' });
  await operator.tills.pause({ id: till.id });
  await expect(said).toBeVisible({ timeout: WITHIN_MS });
  expect(await barriers(phone)).toEqual([]);
  await operator.tills.goOn({ id: till.id });
  await expect(phone.getByRole('button', { name: 'Charge' })).toBeVisible();

  // The page has told the browser which files it needs.
  await expect.poll(() => phone.evaluate(async () => (await (await caches.open('paydesk-till')).keys()).length)).toBeGreaterThan(5);
  const sale = new TillPage(phone);
  await sale.press('450');
  await sale.charge.click();
  await expect(sale.code).toBeVisible();
  await phone.context().setOffline(true);
  await phone.reload();
  await expect(phone.getByRole('heading', { name: 'No connection' })).toBeVisible();
  await expect(phone.getByText('Paid', { exact: true })).toHaveCount(0);
  await phone.context().setOffline(false);
  await expect(sale.state).toHaveText('Waiting');

  await operator.tills.pairAnew({ id: till.id });
  await expect(phone.getByRole('heading', { name: 'This device is no till yet' })).toBeVisible({ timeout: WITHIN_MS });
  expect(await barriers(phone)).toEqual([]);
  await phone.goto(link);
  await expect(phone.getByText('This code was used before')).toBeVisible();
});
