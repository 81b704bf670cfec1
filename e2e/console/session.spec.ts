import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { root } from '../../scripts/project.mjs';
import { createAccount } from '../support/clients/flows.ts';
import { consoleLink } from '../support/nodes/console-link.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { type Appearance, watchFor } from '../support/pages/appearance.ts';
import { test as base, expect } from './fixtures.ts';
import type { Problems } from './hosts/problems.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { SessionPage } from './pages/session-page.ts';
import { SettingsPage } from './pages/settings-page.ts';

const SAID_WITHIN_MS = 2_000;
const LOST = 'The connection to your node is lost.';

interface Fixtures {
  node: RunningNode;
  /** Starts the node again at the same address, after it has ended. */
  restart: () => Promise<RunningNode>;
}

const test = base.extend<Fixtures>({
  node: async ({ browserName: _ }, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'paydesk-session-'));
    const node = await RunningNode.start({ dataDir });
    await createAccount(node, 'till', 1_000n);
    await use(node);
    await node.stop();
    rmSync(dataDir, { recursive: true });
  },
  restart: async ({ node: { dataDir, publicUrl, consoleUrl } }, use) => {
    const flags = ['--listen', new URL(publicUrl).host, '--console', new URL(consoleUrl).host];
    const started: RunningNode[] = [];
    await use(async () => {
      const node = await RunningNode.start({ dataDir, flags });
      started.push(node);
      return node;
    });
    for (const node of started) await node.stop();
  },
});

async function newPage(context: BrowserContext, problems: Problems) {
  const page = await context.newPage();
  problems.watch(page);
  return { page, session: new SessionPage(page), overview: new OverviewPage(page) };
}

test('a link opens the console once, and leaves no secret behind', async ({ node, newPerson, problems }) => {
  problems.expect(/status of 403/);
  const link = await consoleLink(node);
  const secret = new URL(link).hash.replace('#link=', '');
  expect(secret.length).toBeGreaterThan(30);
  const context = await newPerson();
  const { page, overview } = await newPage(context, problems);
  await page.goto(link);
  await expect(overview.account('The till')).toBeVisible();
  expect(page.url()).toBe(`${node.consoleUrl}/`);
  const cookies = await context.cookies();
  // One is that of the session; by the other the node knows the browser again.
  const cookie = expect.objectContaining({ httpOnly: true, sameSite: 'Strict', path: '/', domain: 'localhost' });
  expect(cookies).toEqual([cookie, cookie]);
  expect(await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length])).toEqual(['', 1, 1]);
  await page.reload();
  await expect(overview.account('The till')).toBeVisible();

  const elsewhere = await newPage(await newPerson(), problems);
  await elsewhere.page.goto(link);
  await expect(elsewhere.session.linkRefused).toBeVisible();
  await expect(elsewhere.session.command).toBeVisible();
  expect(await elsewhere.page.context().cookies()).toEqual([]);

  // A used link does not stop a browser that is signed in already.
  const again = await newPage(context, problems);
  await again.page.goto(link);
  await expect(again.session.linkRefused).toBeVisible();
  await again.session.goOn.click();
  await expect(again.overview.account('The till')).toBeVisible();
});

test('without a session the console says how to open it, and shows nothing else', async ({ node, newPerson, problems }) => {
  problems.expect(/status of 401/);
  const { page, session, overview } = await newPage(await newPerson(), problems);
  for (const path of ['/', '/payments', '/accounts/new']) {
    await page.goto(node.consoleUrl + path);
    await expect(session.notSignedIn).toBeVisible();
    // The command finds this node, wherever its folder is.
    await expect(session.command).toHaveText(`npm run console-link -- --data-dir ${node.dataDir}`);
    await expect(page.getByText('The till')).toBeHidden();
  }
  await page.goto(await consoleLink(node));
  await expect(overview.account('The till')).toBeVisible();
});

test('a new tab opens beside one that is signed in, and not with the cookie alone', { tag: '@long' }, async ({
  node,
  newPerson,
  problems,
}) => {
  problems.expect(/status of 401/);
  const context = await newPerson();
  const first = await newPage(context, problems);
  await first.page.goto(await consoleLink(node));
  await expect(first.overview.account('The till')).toBeVisible();
  const second = await newPage(context, problems);
  await second.page.goto(node.consoleUrl);
  await expect(second.overview.account('The till')).toBeVisible();
  await first.page.close();
  await second.page.close();
  const third = await newPage(context, problems);
  await third.page.goto(node.consoleUrl);
  await expect(third.session.notSignedIn).toBeVisible();
  await third.page.goto(await consoleLink(node));
  await expect(third.overview.account('The till')).toBeVisible();
});

test('the settings list the browsers, and sign out others at once', { tag: '@long' }, async ({ node, newPerson, problems }) => {
  problems.expect(/status of 401/);
  // The node ends the streams of browsers that it signs out.
  problems.allow(/net::ERR_(INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|CONNECTION_RESET)/);
  const own = await newPage(await newPerson(), problems);
  await own.page.goto(await consoleLink(node));
  const others = [await newPage(await newPerson(), problems), await newPage(await newPerson(), problems)];
  for (const other of others) {
    await other.page.goto(await consoleLink(node));
    await expect(other.overview.account('The till')).toBeVisible();
  }
  await own.page.goto(`${node.consoleUrl}/settings`);
  const { browsers } = new SettingsPage(own.page);
  await expect(browsers.getByRole('listitem')).toHaveCount(3);
  await expect(browsers.getByRole('listitem').filter({ hasText: 'This one' })).toHaveCount(1);
  await browsers
    .getByRole('button', { name: /^Sign out Chrome/ })
    .first()
    .click();
  await expect(browsers.getByRole('listitem')).toHaveCount(2);
  await own.page.reload();
  await browsers.getByRole('button', { name: /^Sign out Chrome/ }).click();
  await expect(browsers.getByRole('listitem')).toHaveCount(1);
  for (const other of others) await expect(other.session.notSignedIn).toBeVisible();
  await expect(browsers.getByRole('listitem')).toContainText('This one');
});

/** The time at which the node's process ended, in milliseconds since the Unix epoch. */
const endOf = async (node: RunningNode): Promise<number> => {
  await node.exited();
  return Date.now();
};

/** The delay that the machine itself causes is not the console's. */
function expectSaidInTime(lostAt: number, { at, late }: Appearance): void {
  expect(at - lostAt, `after ${late} ms of the machine's own`).toBeLessThanOrEqual(SAID_WITHIN_MS + late);
}

/** The console's built scripts and styles that the page has not fetched yet. */
async function notFetched(page: Page): Promise<string[]> {
  const fetched = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1)));
  const built = join(root, 'out/renderer');
  const [console, passphrase] = ['index.html', 'passphrase.html'].map((name) => readFileSync(join(built, name), 'utf8'));
  // The window that asks for the passphrase has a script of its own.
  const isOfConsole = (file: string) => /\.(js|css)$/.test(file) && (console?.includes(file) || !passphrase?.includes(file));
  // The words of other languages stay where they are until somebody chooses one. Nobody can sign in without a node. A
  // paired till and the customer's screen are no pages of the console.
  const isOfLanguage = (file: string) =>
    /^(words|paired|customer|catalogue|console|first-way|set-up-form|sign-in-ways|take-over|esm)-/.test(file);
  return readdirSync(join(built, 'assets')).filter((file) => isOfConsole(file) && !isOfLanguage(file) && !fetched.includes(file));
}

test('the page says that the connection is lost, and recovers when the node is back', async ({ node, restart, newPerson, problems }) => {
  problems.expect(/net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE)/);
  const { page, session, overview } = await newPage(await newPerson(), problems);
  await page.goto(await consoleLink(node));
  await expect(overview.account('The till')).toContainText('US$10.00');
  await expect(session.connectionLost).toBeHidden();
  await expect.poll(() => notFetched(page)).toEqual([]);

  const said = await watchFor(page, LOST);
  const ending = endOf(node);
  await node.kill();
  expectSaidInTime(await ending, await said());
  // Nothing goes on without a node, and the page cannot know whether there is one.
  await expect(session.connectionLost).toContainText(
    'As long as paydesk runs, payments go on without this page. If it has stopped, start it again.',
  );
  await expect(overview.account('The till')).toContainText('US$10.00');
  // A screen that was never opened still opens, and says what is missing.
  await page.getByRole('link', { name: 'Connected apps' }).click();
  await expect(page.getByRole('heading', { name: 'Connected apps' })).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('This page asks again as soon as the node is back.');

  const restarted = await restart();
  await createAccount(restarted, 'stall', 500n);
  await expect(session.connectionLost).toBeHidden();
  await expect(page.getByText('No app is connected')).toBeVisible();
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(overview.account('The stall')).toContainText('US$5.00');
  const saidAgain = await watchFor(page, LOST);
  const endingAgain = endOf(restarted);
  expect(await restarted.stop()).toBe(0);
  expectSaidInTime(await endingAgain, await saidAgain());
});

test('the page notices a node that hangs with its connection open, and goes on when the node does', { tag: '@long' }, async ({
  node,
  newPerson,
  problems,
}) => {
  const { page, session, overview } = await newPage(await newPerson(), problems);
  await page.goto(await consoleLink(node));
  await expect(overview.account('The till')).toContainText('US$10.00');
  await page.evaluate(() => Reflect.set(window, 'sameDocument', true));
  const said = await watchFor(page, LOST);
  const stoppedAt = Date.now();
  process.kill(node.pid, 'SIGSTOP');
  try {
    expectSaidInTime(stoppedAt, await said());
  } finally {
    process.kill(node.pid, 'SIGCONT');
  }
  await expect(session.connectionLost).toBeHidden();
  await createAccount(node, 'stall', 500n);
  await expect(overview.account('The stall')).toContainText('US$5.00');
  expect(await page.evaluate(() => Reflect.get(window, 'sameDocument'))).toBe(true);
});
