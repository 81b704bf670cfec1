import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browser, type DesktopDesk, expect, test } from '../fixtures.ts';
import { appArguments, standInOptions, startDesktopApp } from '../hosts/desktop-app.ts';
import { StandInSystem } from '../hosts/stand-in-system.ts';

const till = () => ({
  requestId: crypto.randomUUID(),
  name: 'till',
  publicName: 'Till',
  assetCode: 'USD',
  assetScale: 2,
  openingBalance: 0n,
});

/**
 * Starts the app once more on the same profile.
 * @returns how the second process ended.
 */
async function startAgain({ profile }: Pick<DesktopDesk, 'profile'>, ...args: string[]): Promise<unknown[]> {
  const { executablePath, env } = standInOptions(browser());
  return await once(spawn(executablePath, appArguments(profile, args), { env, stdio: 'ignore' }), 'exit');
}

test('a second start brings the first window to the front, and exits', async ({ desktop }) => {
  const system = await StandInSystem.of(desktop.electron);
  await system.closeWindow();
  // At a login the system starts the app, which may run already. Nobody has asked for the window then.
  expect(await startAgain(desktop, '--hidden')).toEqual([0, null]);
  expect(await system.window()).toMatchObject({ windows: 1, visible: false });
  expect(await startAgain(desktop)).toEqual([0, null]);
  await expect.poll(() => system.window()).toMatchObject({ windows: 1, visible: true, focused: true });
  expect(new URL(desktop.page.url()).pathname).toBe('/welcome');
});

test('a second start hands over its link, which opens a screen and does nothing else', { tag: '@long' }, async ({ desktop }) => {
  const { page, electron, operator } = desktop;
  await operator.accounts.create(till());
  await startAgain(desktop, 'paydesk://payments');
  await expect(page).toHaveURL(/\/payments$/);
  await expect(page.getByRole('heading', { name: 'Payments', level: 1 })).toBeVisible();
  await startAgain(desktop, 'paydesk://settings');
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  const before = page.url();
  for (const link of ['paydesk://pay?receiver=https://evil.example/pay', 'paydesk://../approvals', 'javascript:document.title="taken"']) {
    await startAgain(desktop, link);
  }
  expect(await (await StandInSystem.of(electron)).window()).toMatchObject({ windows: 1 });
  expect(page.url()).toBe(before);
  expect(await page.title()).not.toBe('taken');
});

test('the app opened with a link shows that screen', { tag: '@long' }, async () => {
  const profile = mkdtempSync(join(tmpdir(), 'paydesk-e2e-'));
  const first = await startDesktopApp(browser(), [], { profile });
  await first.operator.accounts.create(till());
  await first.quit();
  const app = await startDesktopApp(browser(), [], { profile, args: ['paydesk://approvals'] });
  await expect(app.page).toHaveURL(/\/approvals$/);
  await expect(app.page.getByRole('heading', { name: 'Approvals', level: 1 })).toBeVisible();
  await app.quit();
  rmSync(profile, { recursive: true });
});

test('only the packaged app registers for links, and its window has no developer tools', async () => {
  const app = await startDesktopApp(browser(), [], { env: { STANDIN_PACKAGED: '1' } });
  const { calls, developerTools } = await app.electron.evaluate(({ BrowserWindow }) => ({
    calls: Reflect.get(globalThis, '__standin').calls,
    developerTools: BrowserWindow.getAllWindows().map((window) => Reflect.get(window.webContents, 'developerTools')),
  }));
  expect(calls).toContainEqual({ api: 'app.setAsDefaultProtocolClient', args: ['paydesk'] });
  expect(developerTools).toEqual([false]);
  await app.quit();
});
