import { createAccount, salePayer } from '../support/clients/flows.ts';
import { TillPage } from './pages/till/till-page.ts';
import { TillsPage } from './pages/till/tills-page.ts';
import { expect, test } from './story-fixtures.ts';

/** What the screen of a till says at the latest, in milliseconds. */
const WITHIN_MS = 1_500;
/** The node ends the stream of a till that may not sell any more, and refuses its next call. */
const REFUSED = /status of 40[13]|ERR_INCOMPLETE_CHUNKED_ENCODING/;

test('a tablet becomes a till by a code, sells until green, and says when it is removed', async ({
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
