import type { Page } from '@playwright/test';
import { RunningNode } from '../support/nodes/running-node.ts';
import { TlsProxy } from '../support/nodes/tls-proxy.ts';
import { expect, test } from './fixtures.ts';
import { appCode } from './pages/people/app-code.ts';
import { PeoplePage } from './pages/people/people-page.ts';
import { WaysPage } from './pages/people/ways-page.ts';
import { Sections } from './pages/sections.ts';
import { WelcomePage } from './pages/welcome-page.ts';

/** The node ends the stream of a page whose person is signed out. */
const CUT_OFF = /net::ERR_INCOMPLETE_CHUNKED_ENCODING/;
const PASSWORD = 'four plain words here';

/** Keeps the recovery codes that the page shows. */
async function keepCodes(page: Page): Promise<string[]> {
  const listed = page.getByTestId('recovery-codes').getByRole('listitem');
  await expect(listed).toHaveCount(10);
  const codes = await listed.allInnerTexts();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  return codes;
}

test('a person sets a password with an app for codes, and signs in with a code or a recovery code, each once', async ({
  desk: { page, operator, problems },
  newPerson,
}) => {
  problems.expect(/status of 40[13]/);
  problems.allow(CUT_OFF);
  const account = { name: 'till', publicName: 'The till', assetCode: 'USD', assetScale: 2, openingBalance: 1_000n };
  await operator.accounts.create({ requestId: crypto.randomUUID(), ...account });
  await page.goto(new URL('/settings', page.url()).href);
  const till = await (await newPerson()).newPage();
  problems.watch(till);
  await till.goto(await new PeoplePage(page).invite('Ada', 'Cashier'));
  await new Sections(till).goTo('Settings');
  const ways = new WaysPage(till);
  await ways.card.getByRole('button', { name: 'Set a password' }).click();
  await expect(ways.dialog.getByLabel('Name to sign in')).toHaveValue('Ada');
  const secret = await ways.choosePassword(ways.dialog, { signInName: 'ada', password: PASSWORD });
  const used = appCode(secret, -1);
  await ways.dialog.getByLabel('Code that the app shows').fill(used);
  await ways.dialog.getByRole('button', { name: 'Set the password' }).click();
  const [recovery = ''] = await keepCodes(till);
  await expect(ways.card).toContainText('You sign in as ada');

  await ways.signOut();
  // The code of the set-up is used up, and those before it are too.
  const typed = { signInName: 'ada', password: PASSWORD };
  await ways.signInWithPassword({ ...typed, code: used });
  await expect(till.getByRole('alert')).toContainText('the code is wrong');
  await ways.signInWithPassword({ ...typed, code: appCode(secret, 1) });
  await expect(till.getByText('Ada · Cashier')).toBeVisible();

  await new Sections(till).goTo('Settings');
  await ways.signOut();
  await ways.signInWithPassword({ ...typed, code: recovery });
  await expect(till.getByText('Ada · Cashier')).toBeVisible();
  await new Sections(till).goTo('Settings');
  await expect(ways.card).toContainText('9 recovery codes are left');
  await till.context().close();
});

test('the first visit over the network asks for the setup code, makes the owner, and goes on with the welcome', async ({
  newPerson,
  problems,
}) => {
  problems.expect(/status of 40[13]/);
  problems.allow(CUT_OFF);
  const proxy = await TlsProxy.start();
  const node = await RunningNode.start({ flags: ['--console-url', proxy.origin, '--trusted-proxies', '127.0.0.1,::1'] });
  proxy.serve(node.consoleUrl);
  const context = await newPerson({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  problems.watch(page);
  await page.goto(proxy.origin);
  await expect(page.getByRole('heading', { name: 'Set up this console' })).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(node.dataDir);
  const code = /^ {2}([A-Z2-7-]{29})$/m.exec(node.log.join('\n'))?.[1] ?? '';
  await page.getByLabel('Setup code').fill('AAAA-BBBB-CCCC');
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByText('This is not the setup code')).toBeVisible();
  await page.getByLabel('Setup code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();

  const ways = new WaysPage(page);
  const main = page.getByRole('main');
  const instead = page.getByRole('button', { name: 'Set a password instead' });
  if (await instead.isVisible()) await instead.click();
  const secret = await ways.choosePassword(main, { signInName: 'olga', password: PASSWORD });
  await page.getByLabel('Code that the app shows').fill(appCode(secret));
  await page.getByRole('button', { name: 'Set the password' }).click();
  await keepCodes(page);
  await new WelcomePage(page).heading.waitFor();
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ name: '__Host-paydesk', secure: true, httpOnly: true, sameSite: 'Strict', path: '/' });

  const stranger = await (await newPerson({ ignoreHTTPSErrors: true })).newPage();
  problems.watch(stranger);
  await stranger.goto(proxy.origin);
  await expect(new WaysPage(stranger).signInHeading).toBeVisible();
  await expect(stranger.getByLabel('Setup code')).toBeHidden();
  for (const person of [context, stranger.context()]) await person.close();
  expect(await node.stop()).toBe(0);
  await proxy.stop();
});
