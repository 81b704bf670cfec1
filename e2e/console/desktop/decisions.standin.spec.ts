import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../scripts/project.mjs';
import { browser, expect, test } from '../fixtures.ts';
import { standInOptions } from '../hosts/desktop-app.ts';

// The tests read what the app tells Electron. Electron's own answer would hide it or wait for a person.

test('permissions, devtools, debug flags: every permission is refused, but the whole screen to the console', async ({
  desktop: { electron },
}) => {
  const granted = await electron.evaluate(() => {
    const { permissions } = Reflect.get(globalThis, '__standin');
    const names = ['media', 'geolocation', 'notifications', 'midi', 'clipboard-read', 'fullscreen', 'openExternal', 'made-up'];
    const asks = ['paydesk-app://console/till', 'https://shop.example/'].flatMap((url) => names.map((name) => [name, url]));
    return asks.filter(([name, url]) => {
      let requested: unknown;
      permissions.request({ getURL: () => url }, name, (answer: boolean) => {
        requested = answer;
      });
      return requested !== false || permissions.check(null, name) !== false;
    });
  });
  expect(granted).toEqual([['fullscreen', 'paydesk-app://console/till']]);
});

test('the scheme is a standard, secure one, and the sandbox holds for everything', async ({ desktop: { electron } }) => {
  const calls = await electron.evaluate(() => Reflect.get(globalThis, '__standin').calls);
  expect(calls).toContainEqual({
    api: 'protocol.registerSchemesAsPrivileged',
    args: [[{ scheme: 'paydesk-app', privileges: { standard: true, secure: true } }]],
  });
  expect(calls).toContainEqual({ api: 'app.enableSandbox', args: [] });
});

test('a refused start says why, and exits with 1', async () => {
  const profile = mkdtempSync(join(tmpdir(), 'paydesk-e2e-'));
  // The test starts this process itself, because it ends before Playwright could attach to it.
  const { executablePath, env } = standInOptions(browser());
  const app = spawn(executablePath, [root, `--user-data-dir=${profile}`, '--', '--token-lifetime', 'soon'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  app.stderr.on('data', (text) => {
    words += text;
  });
  expect(await once(app, 'close')).toEqual([1, null]);
  expect(words).toContain('paydesk cannot go on: --token-lifetime cannot be "soon"');
  rmSync(profile, { recursive: true, force: true });
});
