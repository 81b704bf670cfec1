import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browser, expect, test } from '../fixtures.ts';
import { startHidden } from '../hosts/desktop-app.ts';
import { StandInSystem } from '../hosts/stand-in-system.ts';

test('start at login: the switch writes what the system starts, which is the app without its window', { tag: '@long' }, async ({
  desktop,
}) => {
  // The stand-in runs on Linux, where start at login is a file. On other systems it is a call of Electron.
  const { page, operator, profile } = desktop;
  const entry = join(profile, 'system/autostart/paydesk.desktop');
  await operator.accounts.create({
    ...{ requestId: crypto.randomUUID(), name: 'till', publicName: 'Till', assetCode: 'USD', assetScale: 2, openingBalance: 0n },
  });
  await page.getByRole('link', { name: 'Settings' }).click();
  const wanted = page.getByLabel('Start when I log in');
  expect(existsSync(entry)).toBe(false);
  await wanted.click();
  await expect.poll(() => existsSync(entry)).toBe(true);
  expect(readFileSync(entry, 'utf8')).toMatch(/^Exec=".*" ".*" "--hidden"$/m);
  await page.reload();
  await expect(wanted).toBeChecked();
  await wanted.click();
  await expect.poll(() => existsSync(entry)).toBe(false);
});

test('start at login: the node runs with its tray icon, and without a window until the person asks for it', async () => {
  const profile = mkdtempSync(join(tmpdir(), 'paydesk-e2e-'));
  const electron = await startHidden(browser(), profile);
  const system = await StandInSystem.of(electron);
  await expect.poll(() => system.trayMenu().catch(() => [])).toContain('Open paydesk');
  expect(electron.windows()).toHaveLength(0);
  const opened = electron.waitForEvent('window', { timeout: 120_000 });
  await system.chooseInTray('Open paydesk');
  await expect((await opened).getByRole('heading', { name: 'Welcome to paydesk' })).toBeVisible();
  await electron.close();
  rmSync(profile, { recursive: true, force: true });
});
