import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browser, expect, test } from '../fixtures.ts';
import { startDesktopApp, startHidden } from '../hosts/desktop-app.ts';
import { StandInSystem } from '../hosts/stand-in-system.ts';
import { WelcomePage } from '../pages/welcome-page.ts';

/** How long a page may take to open again on a busy machine. */
const PATIENTLY = { timeout: 120_000 };

test('the window opens where it was, and on a screen that exists', { tag: '@long' }, async () => {
  const profile = mkdtempSync(join(tmpdir(), 'paydesk-e2e-'));
  const screens = (list: object[]) => ({ STANDIN_SCREENS: JSON.stringify(list) });
  const [main, left] = [
    { x: 0, y: 0, width: 1600, height: 900 },
    { x: -1280, y: 0, width: 1280, height: 1024 },
  ];
  const first = await startDesktopApp(browser(), [], { profile, env: screens([main, left]) });
  const bounds = { x: -1200, y: 60, width: 900, height: 700 };
  await first.electron.evaluate(({ BrowserWindow }, wanted) => {
    BrowserWindow.getAllWindows()[0]?.setBounds(wanted);
    BrowserWindow.getAllWindows()[0]?.maximize();
  }, bounds);
  await first.quit();

  const again = await startDesktopApp(browser(), [], { profile, env: screens([main, left]) });
  expect(await (await StandInSystem.of(again.electron)).window()).toMatchObject({ bounds, maximized: true });
  await again.quit();

  const without = await startDesktopApp(browser(), [], { profile, env: screens([main]) });
  expect(await (await StandInSystem.of(without.electron)).window()).toMatchObject({ bounds: { x: 350, y: 100, width: 900, height: 700 } });
  await without.quit();
  rmSync(profile, { recursive: true });
});

test('a crash of the page opens the window again, and leaves the node alone', { tag: '@long' }, async ({ desktop }) => {
  const { electron, operator } = desktop;
  const { publicUrl } = await operator.node.info();
  const system = await StandInSystem.of(electron);
  const isShown = () => expect.poll(() => system.window()).toMatchObject({ windows: 1, visible: true });
  for (const times of [1, 2]) {
    await isShown();
    const opened = electron.waitForEvent('window', PATIENTLY);
    await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer());
    expect((await fetch(`${publicUrl}/auth/discovery`)).status).toBe(200);
    const page = await opened;
    await expect(new WelcomePage(page).heading, `after crash ${times}`).toBeVisible(PATIENTLY);
  }
  await isShown();
  // A third crash within a minute is not an accident. The app tells the person, who may ask for the window again.
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer());
  await expect.poll(() => system.questions()).toEqual(['The window keeps breaking.']);
  await system.answer('Leave it closed');
  await expect.poll(() => system.window()).toBeUndefined();
  expect((await fetch(`${publicUrl}/auth/discovery`)).status).toBe(200);
  const opened = electron.waitForEvent('window', PATIENTLY);
  await system.chooseInTray('Open paydesk');
  await expect(new WelcomePage(await opened).heading).toBeVisible(PATIENTLY);
});

test('a page that crashes before it is seen is opened again, and after repeated crashes the app asks', { tag: '@long' }, async () => {
  const profile = mkdtempSync(join(tmpdir(), 'paydesk-e2e-'));
  const electron = await startHidden(browser(), profile);
  const system = await StandInSystem.of(electron);
  await expect.poll(() => system.trayMenu().catch(() => [])).toContain('Open paydesk');
  const isShown = () => expect.poll(() => system.window(), PATIENTLY).toMatchObject({ windows: 1, visible: true });

  await electron.evaluate(({ app }) => app.once('web-contents-created', (_event, contents) => contents.forcefullyCrashRenderer()));
  await system.chooseInTray('Open paydesk');
  await isShown();
  expect(await system.questions()).toEqual([]);

  const always = await electron.evaluateHandle(({ app }) => {
    const crash = (_event: unknown, contents: { forcefullyCrashRenderer(): void }) => contents.forcefullyCrashRenderer();
    app.on('web-contents-created', crash);
    return () => app.off('web-contents-created', crash);
  });
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer());
  await expect.poll(() => system.questions(), PATIENTLY).toEqual(['The window keeps breaking.']);
  await system.answer('Open it again');
  await expect.poll(() => system.questions(), PATIENTLY).toEqual(['The window keeps breaking.', 'The window keeps breaking.']);
  await always.evaluate((stop) => stop());
  const opened = electron.waitForEvent('window', PATIENTLY);
  await system.answer('Open it again');
  await expect(new WelcomePage(await opened).heading).toBeVisible(PATIENTLY);
  await electron.close();
  rmSync(profile, { recursive: true, force: true });
});
