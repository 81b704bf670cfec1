import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../../support/clients/flows.ts';
import { handOver } from '../../support/nodes/hand-over.ts';
import type { Operator } from '../../support/nodes/running-node.ts';
import { browser, expect, test } from '../fixtures.ts';
import { startDesktopApp } from '../hosts/desktop-app.ts';
import { StandInSystem } from '../hosts/stand-in-system.ts';
import { LockPage } from '../pages/lock-page.ts';

// These tests show what the app does while a backup replaces its node.

const BACKUP = 'five odd words in a row';
const LOCK = 'four plain words here';

let folder: string;
test.beforeEach(() => {
  test.setTimeout(240_000);
  folder = mkdtempSync(join(tmpdir(), 'paydesk-restart-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a backup of a node with an account, and sends it to the node, ready to replace it. */
async function readyToRestore(operator: Operator): Promise<string> {
  await createAccount({ publicUrl: (await operator.node.info()).publicUrl, operator }, 'till', 5_000n);
  const { file } = await operator.backups.make({ folder, passphrase: BACKUP });
  return (await handOver(operator, file, BACKUP)).id;
}

test('a screen that is locked meanwhile locks the console, although the backup does not know about it', { tag: '@long' }, async () => {
  const app = await startDesktopApp(browser());
  const { operator, page } = app;
  const system = await StandInSystem.of(app.electron);
  await operator.lock.protect({ passphrase: LOCK, settings: { idleMinutes: null, atStart: false } });
  const id = await readyToRestore(operator);
  await operator.restore.start({ id, confirm: 'restore', lockPassphrase: LOCK });
  await system.report('lock-screen');
  const starts = () => app.log.join('').split('the node is ready').length - 1;
  await expect.poll(starts, { timeout: 60_000 }).toBe(2);
  await page.reload();
  const lock = new LockPage(page);
  await expect(lock.heading).toBeVisible({ timeout: 60_000 });
  await lock.unlock(LOCK);
  await expect(page.getByText('The till').first()).toBeVisible();
  await app.quit();
});

test('an app that is told to quit meanwhile ends cleanly, and then starts with the backup', { tag: '@long' }, async () => {
  const profile = join(folder, 'profile');
  const app = await startDesktopApp(browser(), [], { profile });
  const id = await readyToRestore(app.operator);
  const account = (await app.operator.accounts.list({})).items[0]?.id ?? '';
  await app.operator.accounts.deposit({ requestId: crypto.randomUUID(), id: account, amount: 1_000n, note: 'after the backup' });
  const exited = once(app.electron.process(), 'exit');
  await app.operator.restore.start({ id, confirm: 'restore' });
  await app.electron.evaluate(({ app }) => app.quit()).catch(() => undefined);
  expect(await exited, app.log.join('')).toEqual([0, null]);
  expect(existsSync(join(profile, 'node', 'restored.json'))).toBe(true);

  const again = await startDesktopApp(browser(), [], { profile });
  expect((await again.operator.accounts.list({})).items).toMatchObject([{ name: 'till', balance: 5_000n }]);
  await again.quit();
});
