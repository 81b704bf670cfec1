import { createAccount } from '../support/clients/flows.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

test('the palette opens every screen with the keyboard alone', async ({ desk: { page }, node }) => {
  await createAccount(node, 'shop', 0n);
  await expect(new Sections(page).link('Overview')).toBeVisible();
  const search = page.getByRole('textbox', { name: 'Where to, or what to look for?' });
  await page.keyboard.press('ControlOrMeta+k');
  await expect(search).toBeFocused();
  // The name of a group is not an element of its own.
  const groups = page.getByRole('dialog').locator('.mantine-Spotlight-actionsGroup');
  const written = await groups.evaluateAll((all) => all.map((one) => getComputedStyle(one, '::before').textTransform));
  expect([...new Set(written)]).toEqual(['none']);
  await page.keyboard.type('connected');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/apps$/);
  await expect(search).toBeHidden();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(search).toBeFocused();
  await expect(search).toHaveValue('');
  await page.keyboard.type('roses');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/payments\?text=roses$/);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(search).toBeFocused();
  await page.keyboard.type('the shop');
  // The node found the account after the text was typed. Enter takes it all the same, because it stands first.
  await expect(page.getByRole('dialog').getByRole('button', { name: 'The shop shop' })).toHaveAttribute('data-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'The shop', level: 1 })).toBeVisible();
});

test('the palette finds payments by their amount, in the form in which it is typed', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
}) => {
  const shop = await createAccount(node, 'shop', 0n);
  for (const amount of [1_250n, 123_450n, 700n])
    await operator.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount, description: `Sale ${amount}` });
  await expect(new Sections(page).link('Overview')).toBeVisible();
  const search = page.getByRole('textbox', { name: 'Where to, or what to look for?' });
  for (const [typed, found] of [
    ['12,50', 'Sale 1250'],
    ['1.234,50', 'Sale 123450'],
  ] as const) {
    await page.keyboard.press('ControlOrMeta+k');
    await expect(search).toBeFocused();
    await page.keyboard.type(typed);
    await expect(page.getByRole('dialog').getByRole('button', { name: `Payments of ${typed}` })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('list', { name: 'Payments' }).getByRole('link')).toHaveText([new RegExp(found)]);
  }
});

test('the palette locks the console, chooses its colours and leads to the backups', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
}) => {
  await createAccount(node, 'shop', 0n);
  await expect(new Sections(page).link('Overview')).toBeVisible();
  const search = page.getByRole('textbox', { name: 'Where to, or what to look for?' });
  const start = async (typed: string) => {
    await page.keyboard.press('ControlOrMeta+k');
    await expect(search).toBeFocused();
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await expect(search).toBeHidden();
  };
  for (const scheme of ['dark', 'light']) {
    await start(scheme);
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
  }
  await start('backup');
  await expect(page).toHaveURL(/\/settings$/);
  await operator.lock.protect({ passphrase: 'four plain words here', settings: { idleMinutes: null, atStart: false } });
  await expect(page.getByRole('button', { name: 'Lock', exact: true }).first()).toBeVisible();
  await start('lock');
  await expect(page.getByRole('heading', { name: 'Locked' })).toBeVisible();
});

test('shortcuts are listed, open screens, and do nothing while the operator types', { tag: '@long' }, async ({ desk: { page }, node }) => {
  await createAccount(node, 'shop', 0n);
  await expect(new Sections(page).link('Overview')).toBeVisible();
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(list).toContainText('Show this list');
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  // The console waits a second and a half for the second key.
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('g');
    await expect(page).toHaveURL(/\/get-paid$/, { timeout: 5_000 });
  }).toPass();
  const note = page.getByLabel('Note');
  await note.fill('');
  await note.pressSequentially('g?p');
  await expect(note).toHaveValue('g?p');
  await expect(page).toHaveURL(/\/get-paid$/);
});
