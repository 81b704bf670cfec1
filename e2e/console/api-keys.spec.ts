import { expect, test } from './fixtures.ts';
import { Sections } from './pages/sections.ts';

test('the owner makes a key for a till, the till makes a request with it and nothing else, and the owner ends it', async ({
  desk: { page, operator },
}) => {
  const account = await operator.accounts.create({
    ...{ requestId: crypto.randomUUID(), name: 'till', publicName: 'Till', assetCode: 'USD', assetScale: 2, openingBalance: 0n },
  });
  await new Sections(page).goTo('Settings');
  const card = page.getByRole('region', { name: 'Keys for your own software' });
  await expect(card).toContainText('No software has a key');
  await card.getByRole('button', { name: 'Make a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make a key' }).click();
  await expect(dialog).toContainText('Give it a name');
  await dialog.getByLabel('Name').fill('Till at the door');
  await dialog.getByRole('button', { name: 'Make a key' }).click();
  await expect(dialog).toContainText('It is shown only this once');
  const value = /paydesk_[\w-]{43}/.exec((await dialog.textContent()) ?? '')?.[0] ?? '';
  await dialog.getByRole('button', { name: 'I have it' }).click();
  await expect(card).toContainText('Not used yet');

  const api = `${new URL(page.url()).origin}/operator/api`;
  const headers = { authorization: `Bearer ${value}`, 'content-type': 'application/json' };
  const asked = { requestId: crypto.randomUUID(), accountId: account.id, amount: '450', description: 'Two coffees' };
  const statusOf = async (path: string, init: RequestInit = {}) => (await fetch(`${api}${path}`, { headers, ...init })).status;
  expect(await statusOf('/requests', { method: 'POST', body: JSON.stringify(asked) })).toBeLessThan(300);
  expect(await statusOf('/requests')).toBe(200);
  expect(await statusOf('/accounts')).toBe(403);
  expect(await statusOf('/api-keys')).toBe(403);

  await page.reload();
  await expect(card).toContainText('Cashier');
  await expect(card).toContainText('Last used');
  await card.getByRole('button', { name: 'New value for Till at the door' }).click();
  await dialog.getByRole('button', { name: 'New value' }).click();
  await expect(page.getByRole('dialog', { name: 'The key of Till at the door' })).toContainText('paydesk_');
  await page.getByRole('button', { name: 'I have it' }).click();
  await expect(card).toContainText('The former value works until');
  expect(await statusOf('/requests')).toBe(200);

  await card.getByRole('button', { name: 'End the key of Till at the door' }).click();
  await dialog.getByRole('button', { name: 'End', exact: true }).click();
  await expect(card).toContainText('No software has a key');
  expect(await statusOf('/requests')).toBe(401);
  await new Sections(page).goTo('Activity');
  await expect(page.getByRole('main')).toContainText('Ended the key of Till at the door');
});

test('a key that only makes requests, in two of three accounts, may do just that, and the list says so', async ({
  desk: { page, operator },
}) => {
  const accounts = [];
  for (const publicName of ['Shop', 'Café', 'Private']) {
    const asset = { assetCode: 'USD', assetScale: 2, openingBalance: 0n };
    const name = `${publicName.charCodeAt(0)}-account`;
    accounts.push(await operator.accounts.create({ requestId: crypto.randomUUID(), name, publicName, ...asset }));
  }
  await new Sections(page).goTo('Settings');
  const card = page.getByRole('region', { name: 'Keys for your own software' });
  await card.getByRole('button', { name: 'Make a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Web shop');
  await dialog.getByLabel('Only a part of this').check();
  await dialog.getByRole('button', { name: 'Make a key' }).click();
  await expect(dialog).toContainText('Choose at least one.');
  await dialog.getByLabel('make and cancel payment requests').check();
  await dialog.getByLabel('see payment requests').check();
  await expect(dialog.getByLabel('see today’s takings')).toBeVisible();
  await dialog.getByLabel('Only in some accounts').check();
  await expect(dialog.getByLabel('see today’s takings')).toBeHidden();
  await dialog.getByRole('combobox', { name: 'Accounts' }).click();
  for (const name of ['Shop (USD)', 'Café (USD)']) await page.getByRole('option', { name }).click();
  await page.keyboard.press('Tab');
  const said = 'May see payment requests and make and cancel payment requests, in Shop and Café.';
  await expect(dialog).toContainText(said);
  await dialog.getByRole('button', { name: 'Make a key' }).click();
  await expect(dialog).toContainText('It is shown only this once');
  const value = /paydesk_[\w-]{43}/.exec((await dialog.textContent()) ?? '')?.[0] ?? '';
  await dialog.getByRole('button', { name: 'I have it' }).click();
  await expect(card).toContainText(said);

  const api = `${new URL(page.url()).origin}/operator/api`;
  const headers = { authorization: `Bearer ${value}`, 'content-type': 'application/json' };
  const ask = async (accountId: string | undefined) => {
    const body = JSON.stringify({ requestId: crypto.randomUUID(), accountId, amount: '450' });
    return (await fetch(`${api}/requests`, { method: 'POST', headers, body })).status;
  };
  expect(await Promise.all(accounts.map(({ id }) => ask(id)))).toEqual([201, 201, 404]);
  const refused = await fetch(`${api}/closings/current`, { headers });
  expect([refused.status, (await refused.json()).code]).toEqual([403, 'KEY_MAY_NOT']);
});
