import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../../support/clients/flows.ts';
import { browser, expect, test } from '../fixtures.ts';
import { startDesktopApp } from '../hosts/desktop-app.ts';
import { Sections } from '../pages/sections.ts';
import { CustomerScreen } from '../pages/till/customer-screen.ts';
import { TillPage } from '../pages/till/till-page.ts';

test('the customer’s screen fills the second screen, and has no way to the node', async () => {
  const profile = mkdtempSync(join(tmpdir(), 'paydesk-e2e-'));
  const [main, second] = [
    { x: 0, y: 0, width: 1600, height: 900 },
    { x: 1600, y: 0, width: 1024, height: 600 },
  ];
  const app = await startDesktopApp(browser(), [], { profile, env: { STANDIN_SCREENS: JSON.stringify([main, second]) } });
  const { electron, page, operator } = app;
  const { publicUrl } = await operator.node.info();
  await createAccount({ publicUrl, operator }, 'shop', 0n);
  await new Sections(page).goTo('Till');
  const till = new TillPage(page);
  await expect(till.charge).toBeVisible();
  const button = page.getByRole('button', { name: 'Customer’s screen' });
  const [opened] = await Promise.all([electron.waitForEvent('window', { timeout: 60_000 }), button.click()]);
  const screen = new CustomerScreen(opened);
  await expect(screen.main).toContainText('The shop');
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  const windows = () =>
    electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => [one.getNormalBounds(), one.isFullScreen()]));
  await expect.poll(windows).toEqual([expect.anything(), [second, true]]);
  await till.press('4.50');
  await expect(screen.main).toContainText('US$4.50');
  expect(await opened.evaluate(() => 'paydesk' in window)).toBe(false);
  // It stays where it is, whatever somebody gets it to do.
  await opened.evaluate(() => location.assign('/'));
  await opened.evaluate(() => window.open('/customer.html'));
  await expect(screen.main).toContainText('US$4.50');
  expect(new URL(opened.url()).pathname).toBe('/customer.html');
  expect(electron.windows()).toHaveLength(2);

  // The window goes, and the till notices and opens it anew.
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[1]?.close());
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  const [again] = await Promise.all([electron.waitForEvent('window', { timeout: 60_000 }), button.click()]);
  await expect(new CustomerScreen(again).main).toContainText('US$4.50');
  await app.quit();
  rmSync(profile, { recursive: true });
});
