import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KNOWS_SOCKETS, openSockets } from '../../support/nodes/open-sockets.ts';
import { expect, test } from '../fixtures.ts';

/** What the app has told Electron, by the name of the call. */
interface Call {
  api: string;
  args: unknown[];
}

test('the window reaches nothing outside, even without its content policy', async ({ desktop: { electron, page }, problems }) => {
  problems.allow(/ERR_BLOCKED_BY_CLIENT|Failed to load resource/);
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*').end('heard');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Page.setBypassCSP', { enabled: true });
  await page.reload();
  await page.getByRole('main').waitFor();
  const answers = await page.evaluate(async (to) => {
    const image = new Promise((resolve) => {
      const element = new Image();
      element.addEventListener('load', () => resolve('loaded'));
      element.addEventListener('error', () => resolve('refused'));
      element.src = `${to}/image`;
    });
    const script = new Promise((resolve) => {
      const element = document.createElement('script');
      element.addEventListener('load', () => resolve('loaded'));
      element.addEventListener('error', () => resolve('refused'));
      element.src = `${to}/script`;
      document.head.append(element);
    });
    const call = fetch(`${to}/fetch`, { mode: 'no-cors' }).then(
      () => 'loaded',
      () => 'refused',
    );
    return await Promise.all([image, script, call]);
  }, origin);
  expect(answers).toEqual(['refused', 'refused', 'refused']);
  expect(heard).toEqual([]);
  server.close();

  // What only Electron's own Chromium puts into force.
  const calls = await electron.evaluate(() => Reflect.get(globalThis, '__standin').calls as Call[]);
  const argsOf = (name: string) => calls.find(({ api }) => api === name)?.args;
  expect(argsOf('webContents.setWebRTCIPHandlingPolicy')).toEqual(['disable_non_proxied_udp']);
  expect(argsOf('app.commandLine.appendSwitch')).toEqual(['host-resolver-rules', 'MAP * ~NOTFOUND']);
  expect(argsOf('session.setProxy')).toEqual([expect.objectContaining({ proxyRules: 'http://proxy.invalid:9' })]);
});

test('the app listens for the public API only', async ({ desktop: { electron, operator } }) => {
  // Only Linux tells which sockets a process has.
  if (!KNOWS_SOCKETS) return;
  const { publicUrl } = await operator.settings.node();
  // Playwright drives the main process through the inspector of Node.
  const inspector = await electron.evaluate(() => process.getBuiltinModule('node:inspector').url());
  const ofTests = new URL(inspector ?? '').host;
  const { listening, udp } = openSockets(electron.process().pid ?? 0);
  expect(listening.filter((address) => address !== ofTests)).toEqual([new URL(publicUrl).host]);
  expect(udp).toBe(0);
});
