import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { ClientWallet } from '../../support/clients/client-wallet.ts';
import { createAccount, receivingToken } from '../../support/clients/flows.ts';
import { RunningNode } from '../../support/nodes/running-node.ts';
import { leaksIn, type Secret } from '../../support/secret-finder.ts';
import { browser, expect, test } from '../fixtures.ts';
import { startDesktopApp } from '../hosts/desktop-app.ts';
import { WelcomePage } from '../pages/welcome-page.ts';

const PASSPHRASE = 'a passphrase of the tests 7f3a';
const NO_KEYCHAIN = { STANDIN_KEYCHAIN: 'basic_text' };

let profile: string;
test.beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), 'paydesk-e2e-'));
});
test.afterEach(() => rmSync(profile, { recursive: true, force: true }));

/** The names of those `secrets` that a file of the profile holds, in any spelling. */
function leaksInProfile(secrets: readonly Secret[]): string[] {
  const files = readdirSync(profile, { recursive: true, encoding: 'utf8' }).map((name) => join(profile, name));
  return files.filter((path) => statSync(path).isFile()).flatMap((path) => leaksIn(readFileSync(path), secrets));
}

const stored = () => JSON.parse(readFileSync(join(profile, 'node/node-secrets.json'), 'utf8'));

/** Types into the page that asks for the passphrase. @returns the console that follows. */
async function type(electron: ElectronApplication, page: Page, passphrase: string, button: string): Promise<Page> {
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  const again = page.getByLabel('The same passphrase again');
  if (await again.isVisible()) await again.fill(passphrase);
  const opened = electron.waitForEvent('window', { timeout: 120_000 });
  await page.getByRole('button', { name: button }).click();
  return await opened;
}

test('keys in clear on disk: the keychain keeps the key of the secrets, and a filled profile holds none of them in clear', async () => {
  // A node that could not encrypt its keys leaves them in clear. The test looks for these keys.
  await (await RunningNode.start({ dataDir: join(profile, 'node') })).stop();
  const inClear: { node: string; stream: string } = stored();
  const app = await startDesktopApp(browser(), ['--log-level', 'trace'], { profile });
  const { operator } = app;
  expect(await operator.desktop.get()).toMatchObject({ keysKeptBy: 'keychain' });
  const token = 'planted-outgoing-token-0123456789abcdef';
  await operator.peers.add({
    requestId: crypto.randomUUID(),
    name: 'A peer',
    assetCode: 'USD',
    assetScale: 2,
    ilpAddress: 'test.peer',
    routes: [],
    endpoint: 'http://127.0.0.1:9/ilp',
    creditLimit: 0n,
    debtLimit: null,
    maxPacketAmount: null,
    deduplicates: false,
    outgoingToken: token,
  });
  const lockPassphrase = 'planted passphrase of the lock 5d1c';
  await operator.lock.protect({ passphrase: lockPassphrase, settings: { idleMinutes: null, atStart: false } });
  const backupPassphrase = 'planted passphrase of backups 9e20';
  await operator.backups.setSchedule({ folder: profile, passphrase: backupPassphrase, everyHours: 24, keep: 1 });
  const { publicUrl } = await operator.node.info();
  const client = await ClientWallet.start();
  const till = await createAccount({ operator, publicUrl }, 'till', 0n);
  const accessToken = await receivingToken({ publicUrl }, client);
  const invoice = await client.sdk.incomingPayment.create({ url: publicUrl, accessToken }, { walletAddress: till.walletAddress });
  await client.stop();
  const method = invoice.methods[0];
  if (method?.type !== 'ilp') throw new Error('no STREAM credentials');
  await expect.poll(async () => (await operator.backups.status()).last?.scheduled).toBe(true);
  const secrets: Secret[] = [
    { what: 'node key', value: Buffer.from(inClear.node, 'base64url') },
    { what: 'STREAM key', value: Buffer.from(inClear.stream, 'base64url') },
    { what: 'shared secret of a payment', value: Buffer.from(method.sharedSecret, 'base64url') },
    { what: 'access token of an app', value: accessToken },
    { what: 'token of a peer', value: token },
    { what: 'passphrase of the lock', value: lockPassphrase },
    { what: 'passphrase of backups', value: backupPassphrase },
  ];
  // The test looks while the app runs, with the write-ahead log, and after it has stopped.
  expect(leaksInProfile(secrets)).toEqual([]);
  await app.quit();
  expect(leaksInProfile(secrets)).toEqual([]);
  expect(leaksIn(app.log.join(''), secrets)).toEqual([]);
  expect(stored()).toMatchObject({ protection: 'keychain' });
  expect(Object.keys(stored()).sort()).toEqual(['protection', 'sealed', 'version']);

  const again = await startDesktopApp(browser(), [], { profile });
  expect((await again.operator.peers.list({})).items.map(({ name }) => name)).toEqual(['A peer']);
  await again.quit();
});

test('without a keychain the person chooses a passphrase, and types it at the next start', { tag: '@long' }, async () => {
  const first = await startDesktopApp(browser(), [], { profile, env: NO_KEYCHAIN });
  await expect(first.page.getByRole('heading', { name: 'Protect your keys' })).toBeVisible();
  await first.page.getByLabel('Passphrase', { exact: true }).fill('short');
  await first.page.getByRole('button', { name: 'Protect and open' }).click();
  const console = await type(first.electron, first.page, PASSPHRASE, 'Protect and open');
  await expect(new WelcomePage(console).heading).toBeVisible();
  await first.quit();
  expect(stored()).toMatchObject({ protection: 'passphrase', scrypt: { N: 131_072, r: 8, p: 1 } });
  expect(leaksInProfile([{ what: 'passphrase', value: PASSPHRASE }])).toEqual([]);
  expect(leaksIn(first.log.join(''), [{ what: 'passphrase', value: PASSPHRASE }])).toEqual([]);

  // This still holds when the system has got a keychain since.
  const again = await startDesktopApp(browser(), [], { profile });
  await expect(again.page.getByRole('heading', { name: 'Open paydesk' })).toBeVisible();
  await again.page.getByLabel('Passphrase').fill('another passphrase');
  await again.page.getByRole('button', { name: 'Open' }).click();
  await expect(again.page.getByRole('alert')).toHaveText('That passphrase does not open the keys.');
  await expect(new WelcomePage(await type(again.electron, again.page, PASSPHRASE, 'Open')).heading).toBeVisible();
  await again.quit();
});
