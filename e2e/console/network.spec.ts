import { hash, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { generate } from 'selfsigned';
import { consoleLink } from '../support/nodes/console-link.ts';
import { quietPort } from '../support/nodes/quiet-port.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { barriers } from '../support/pages/barriers.ts';
import { pageBrowser } from './chrome.ts';
import { expect, test } from './fixtures.ts';
import { Authenticator } from './pages/people/authenticator.ts';
import { WaysPage } from './pages/people/ways-page.ts';
import { Sections } from './pages/sections.ts';
import { WelcomePage } from './pages/welcome-page.ts';

/** The node ends the stream of a page whose person is signed out. */
const CUT_OFF = /net::ERR_INCOMPLETE_CHUNKED_ENCODING/;

let folder: string;
let node: RunningNode;
let origin: string;
let chrome: Browser;
test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-network-'));
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], { algorithm: 'sha256' });
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key);
  // A page has no passkeys where its browser doubts the certificate, so this one takes it for a good one.
  const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  const trusted = `--ignore-certificate-errors-spki-list=${hash('sha256', publicKey, 'base64')}`;
  const { executablePath, args } = pageBrowser();
  chrome = await chromium.launch({ executablePath, args: [...args, trusted] });
  const port = await quietPort();
  origin = `https://desk.localhost:${port}`;
  const tls = ['--tls-cert', join(folder, 'cert.pem'), '--tls-key', join(folder, 'key.pem')];
  node = await RunningNode.start({ flags: ['--console', `0.0.0.0:${port}`, '--console-url', origin, ...tls] });
});
test.afterEach(async () => {
  await chrome.close();
  expect(await node.stop()).toBe(0);
  rmSync(folder, { recursive: true });
});

test('at the first visit the setup code makes the owner, with a passkey of the device', async ({ problems }) => {
  problems.expect(/status of 40[13]/);
  problems.allow(CUT_OFF);
  const context = await chrome.newContext({ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' });
  const page = await context.newPage();
  problems.watch(page);
  await Authenticator.attach(page);
  await page.goto(origin);
  const code = /^ {2}([A-Z2-7-]{29})$/m.exec(node.log.join('\n'))?.[1] ?? '';
  await page.getByLabel('Setup code').fill(code);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByLabel('Name of the device').fill('The laptop');
  await page.getByRole('button', { name: 'Make the passkey' }).click();
  await new WelcomePage(page).heading.waitFor();
  const { people } = await node.operator.people.list();
  expect(people).toMatchObject([{ id: 'owner', role: 'owner' }]);
  // Until there is an account, every screen is the welcome.
  const account = { name: 'till', publicName: 'The till', assetCode: 'USD', assetScale: 2, openingBalance: 0n };
  await node.operator.accounts.create({ requestId: crypto.randomUUID(), ...account });

  // The passkey is the way back, and nobody is asked for a setup code any more.
  await page.goto(`${origin}/settings`);
  const ways = new WaysPage(page);
  await expect(ways.card.getByRole('listitem').filter({ hasText: 'The laptop' })).toBeVisible();
  await ways.signOut();
  await expect(page.getByLabel('Setup code')).toBeHidden();
  await ways.withPasskey.click();
  await expect(ways.card.getByRole('listitem').filter({ hasText: 'The laptop' })).toBeVisible();
  await context.close();
});

test('over the network a person makes a passkey at the node’s own certificate, comes back by it, and sees live what changes', async ({
  problems,
}) => {
  problems.expect(/status of 40[13]/);
  problems.allow(CUT_OFF);
  const account = { name: 'till', publicName: 'The till', assetCode: 'USD', assetScale: 2, openingBalance: 123_456n };
  const till = await node.operator.accounts.create({ requestId: crypto.randomUUID(), ...account });
  const context = await chrome.newContext({ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' });
  const page = await context.newPage();
  problems.watch(page);
  await Authenticator.attach(page);
  // A console link opens nothing here. A sign-in link leads to the way in that its person makes.
  await page.goto(origin + new URL(await consoleLink(node)).hash.replace('#', '/#'));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(node.dataDir);
  await expect(new Sections(page).link('Overview')).toBeHidden();
  const { secret, consoleUrl } = await node.operator.people.invite({ name: 'Mia', role: 'manager' });
  expect(consoleUrl).toBe(origin);
  await page.goto(`${origin}/#link=${secret}`);
  const named = page.getByLabel('Name of the device');
  await expect(named).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await named.fill('The phone');
  await page.getByRole('button', { name: 'Make the passkey' }).click();
  const main = page.getByRole('main');
  await expect(main).toContainText('US$1,234.56');
  const cookies = await context.cookies();
  expect(cookies.map(({ name }) => name).sort()).toEqual(['__Host-paydesk', '__Host-paydesk-browser']);
  for (const cookie of cookies) expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'Strict', path: '/' });

  await node.operator.accounts.deposit({ requestId: crypto.randomUUID(), id: till.id, amount: 100n, note: '' });
  await expect(main).toContainText('US$1,235.56');

  await new Sections(page).goTo('Settings');
  const ways = new WaysPage(page);
  await ways.signOut();
  await ways.withPasskey.click();
  await expect(page.getByText('Mia · Manager')).toBeVisible();
  const { people } = await node.operator.people.list();
  await node.operator.people.remove({ id: people.find(({ name }) => name === 'Mia')?.id ?? '' });
  await expect(page.getByText('Mia · Manager')).toBeHidden();
  await context.close();
});
