import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount, spendingToken, usd } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { barriers } from '../support/pages/barriers.ts';
import type { Desk } from './fixtures.ts';
import { LockPage } from './pages/lock-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { RestorePage } from './pages/restore-page.ts';
import { Sections } from './pages/sections.ts';
import { SettingsPage } from './pages/settings-page.ts';
import { expect, test } from './story-fixtures.ts';

// The operator replaces the node with a backup from the node's own console. The node restarts without help, and the
// page reconnects.

const PASSPHRASE = 'five odd words in a row';

let folder: string;
let file: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-restore-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The errors that a browser logs while the node is away. The desktop app's window logs none. */
function expectRestart({ problems }: Desk): void {
  problems.allow(/net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE)/);
  problems.allow(/status of 401/);
}

test('a backup of another node replaces the empty node of a first run', { tag: '@long' }, async ({ desk }) => {
  const { page, operator } = desk;
  const other = await RunningNode.start();
  const account = await createAccount(other, 'bakery', 4_250n);
  ({ file } = await other.operator.backups.make({ folder, passphrase: PASSPHRASE }));
  await other.stop();

  expectRestart(desk);
  const before = (await operator.settings.node()).dataFolder;
  await page.getByRole('link', { name: 'Restore from a backup' }).click();
  const restore = new RestorePage(page);
  await expect(restore.heading).toBeVisible();
  await restore.choose(file, PASSPHRASE);
  await expect(restore.content).toContainText('The bakery');
  await expect(restore.content).toContainText('US$42.50');
  // Nothing has changed yet.
  expect((await operator.accounts.list({})).items).toEqual([]);
  await restore.confirm('replace');
  await expect(restore.consequences).toContainText('Type restore, as it stands here.');
  await restore.confirm();
  await expect(restore.done).toBeVisible();
  const aside = await restore.keptAside.textContent();
  expect(aside).toContain(join(before, 'replaced-'));
  expect(readdirSync(aside ?? '')).toEqual(expect.arrayContaining(['paydesk.db', 'node-secrets.json', 'generation']));
  expect(existsSync(join(before, 'restore-prepared'))).toBe(false);
  await restore.goToOverview();
  await expect(new OverviewPage(page).account('The bakery')).toContainText('US$42.50');
  expect(account.publicName).toBe('The bakery');
});

test('the settings put the node back to a backup, and the page says what has changed', async ({ desk, node, client, refused }) => {
  const { page, operator } = desk;
  expectRestart(desk);
  const till = await createAccount(node, 'till', 10_000n);
  await spendingToken(node, client, till.walletAddress, { debitAmount: usd('5000') });
  ({ file } = await operator.backups.make({ folder, passphrase: PASSPHRASE }));
  await operator.accounts.deposit({ requestId: crypto.randomUUID(), id: till.id, amount: 7_000n, note: 'after the backup' });
  await expect(new OverviewPage(page).account('The till')).toContainText('US$170.00');

  await new Sections(page).goTo('Settings');
  await new SettingsPage(page).restore.getByRole('link', { name: 'Restore a backup' }).click();
  const restore = new RestorePage(page);
  await restore.open.click();
  await expect(page.getByText('Choose the backup file.')).toBeVisible();
  await expect(page.getByText('Enter the passphrase.')).toBeVisible();

  const flipped = join(folder, 'flipped.age');
  const bytes = readFileSync(file);
  bytes[bytes.length - 5_000] = (bytes.at(-5_000) ?? 0) ^ 1;
  writeFileSync(flipped, bytes);
  refused(422);
  await restore.choose(flipped, PASSPHRASE);
  await expect(restore.problem).toContainText('The backup is damaged.');
  await restore.choose(file, 'not the passphrase');
  await expect(restore.problem).toContainText('The passphrase does not open this backup');
  await restore.passphrase.fill(PASSPHRASE);
  await restore.open.click();
  await expect(restore.content).toContainText('US$100.00');
  expect(await barriers(page)).toEqual([]);
  await restore.confirm();
  await expect(restore.done).toBeVisible();
  await expect(page.getByText('Allow your apps again')).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await restore.goToOverview();
  await expect(new OverviewPage(page).account('The till')).toContainText('US$100.00');
  await expect(page.getByRole('main')).toContainText('One permission is frozen since the books were restored.');
  await new Sections(page).goTo('Connected apps');
  await expect(page.getByRole('main')).toContainText('Frozen');
  const frozen = page.getByRole('region', { name: 'Frozen since the books were restored' });
  await frozen.getByRole('checkbox').check();
  await frozen.getByRole('button', { name: 'Allow 1 again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Allow 1 again' }).click();
  await expect(page.getByText('One permission counts again.')).toBeVisible();
  await expect(frozen).toBeHidden();
  await new Sections(page).goTo('Activity');
  await expect(page.getByRole('main')).toContainText('Put the books back from a backup');
  await new Sections(page).goTo('Settings');
  await expect(new SettingsPage(page).restore).toContainText('Last restored');
});

test('only somebody with the passphrase can replace a node with a lock', { tag: '@long' }, async ({ desk, node, refused }) => {
  const { page, operator } = desk;
  expectRestart(desk);
  await createAccount(node, 'till', 10_000n);
  ({ file } = await operator.backups.make({ folder, passphrase: PASSPHRASE }));
  await operator.lock.protect({ passphrase: 'four plain words here', settings: { idleMinutes: null, atStart: false } });
  await page.goto(new URL('/restore', page.url()).href);
  const restore = new RestorePage(page);
  await restore.choose(file, PASSPHRASE);
  await expect(restore.content).toContainText('The till');
  await restore.confirm();
  await expect(page.getByText('Type the passphrase that unlocks the console now.')).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  refused(403);
  await restore.lockPassphrase.fill(PASSPHRASE);
  await restore.start.click();
  await expect(page.getByText('This is not the passphrase.')).toBeVisible();
  await restore.lockPassphrase.fill('four plain words here');
  await restore.start.click();
  await expect(restore.done).toBeVisible({ timeout: 60_000 });
});

test('a locked console takes no backup, and lets no backup replace the node', { tag: '@long' }, async ({
  desk: { page, operator, problems },
  node,
}) => {
  await createAccount(node, 'till', 10_000n);
  ({ file } = await operator.backups.make({ folder, passphrase: PASSPHRASE }));
  await page.goto(new URL('/restore', page.url()).href);
  const restore = new RestorePage(page);
  await restore.choose(file, PASSPHRASE);
  await expect(restore.content).toContainText('The till');
  await operator.lock.protect({ passphrase: 'four plain words here', settings: { idleMinutes: null, atStart: false } });
  await operator.lock.now();
  await expect(new LockPage(page).heading).toBeVisible();
  problems.allow(/status of 423/);
  for (const call of [
    () => operator.restore.begin({ bytes: 10 }),
    () => operator.restore.start({ id: crypto.randomUUID(), confirm: 'restore' }),
    () => operator.restore.last(),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: 'LOCKED' });
  }
});
