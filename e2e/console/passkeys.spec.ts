import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { Authenticator } from './pages/people/authenticator.ts';
import { PeoplePage } from './pages/people/people-page.ts';
import { WaysPage } from './pages/people/ways-page.ts';
import { Sections } from './pages/sections.ts';

/** The node ends the stream of a page whose person is signed out. */
const CUT_OFF = /net::ERR_INCOMPLETE_CHUNKED_ENCODING/;

test.beforeEach(async ({ desk: { page, operator, problems } }) => {
  problems.expect(/status of 40[13]/);
  problems.allow(CUT_OFF);
  const account = { name: 'till', publicName: 'The till', assetCode: 'USD', assetScale: 2, openingBalance: 1_000n };
  await operator.accounts.create({ requestId: crypto.randomUUID(), ...account });
  await page.goto(new URL('/settings', page.url()).href);
});

/** Opens a sign-in link in a browser of its own, with a device that has passkeys, and goes to the settings. */
async function openAs(page: Page, link: string) {
  const device = await Authenticator.attach(page);
  await page.goto(link);
  await new Sections(page).goTo('Settings');
  return { device, ways: new WaysPage(page) };
}

test('a person adds a passkey, signs out, signs in with it, and cannot when it is removed', async ({
  desk: { page, problems },
  newPerson,
}) => {
  const till = await (await newPerson()).newPage();
  problems.watch(till);
  const { device, ways } = await openAs(till, await new PeoplePage(page).invite('Ada', 'Cashier'));
  await expect(ways.card).toContainText('You have no passkey yet');
  await ways.addPasskey('The tablet');
  await expect(ways.card).toContainText('Not used yet');
  await ways.signOut();
  await ways.withPasskey.click();
  await expect(till.getByText('Ada · Cashier')).toBeVisible();
  await new Sections(till).goTo('Settings');
  await expect(ways.card).toContainText('Last used');

  // Whoever has the device but not the finger, the face or the PIN stays out.
  await ways.signOut();
  await device.verifiesPerson(false);
  await ways.withPasskey.click();
  await expect(till.getByRole('alert')).toContainText('You were not signed in');
  await device.verifiesPerson(true);
  await ways.withPasskey.click();
  await expect(till.getByText('Ada · Cashier')).toBeVisible();

  // The counter of a copy is behind.
  await new Sections(till).goTo('Settings');
  await ways.signOut();
  await device.turnBack();
  await ways.withPasskey.click();
  await expect(till.getByRole('alert')).toContainText('does not open the console');
  await new Sections(page).goTo('Activity');
  await expect(page.getByRole('main')).toContainText('The passkey The tablet was refused: there may be a copy of it');
  await till.context().close();
});

test('attack: a passkey that was removed, and an answer that is sent again', { tag: '@long' }, async ({
  desk: { page, problems },
  newPerson,
}) => {
  const till = await (await newPerson()).newPage();
  problems.watch(till);
  const { ways } = await openAs(till, await new PeoplePage(page).invite('Ada', 'Cashier'));
  await ways.addPasskey('The tablet');
  await ways.signOut();
  const sent = till.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/operator/session'));
  await ways.withPasskey.click();
  const answer = (await sent).postDataJSON() as object;
  await expect(till.getByText('Ada · Cashier')).toBeVisible();
  const again = await till.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json', 'x-paydesk-console': '1' };
    return (await fetch('/operator/session', { method: 'POST', headers, body: JSON.stringify(body) })).status;
  }, answer);
  expect(again).toBe(403);

  await new Sections(till).goTo('Settings');
  await ways.removePasskey('The tablet');
  // Somebody else keeps a passkey, so that the screen still offers to sign in with one.
  await Authenticator.attach(page);
  await page.goto(new URL('/settings', page.url()).href);
  await new WaysPage(page).addPasskey('The desk');
  await ways.signOut();
  await ways.withPasskey.click();
  await expect(till.getByRole('alert')).toContainText('does not open the console');
  await till.context().close();
});
