import type { Page } from '@playwright/test';
import { barriers } from '../support/pages/barriers.ts';
import { expect, test } from './fixtures.ts';
import { GetPaidPage } from './pages/get-paid-page.ts';
import { PayPage } from './pages/pay-page.ts';
import { PeoplePage } from './pages/people/people-page.ts';
import { Sections } from './pages/sections.ts';
import { SessionPage } from './pages/session-page.ts';

/** The time within which a screen notices that its person was removed, and how often that is tried. */
const NOTICED_WITHIN_MS = 1_000;
const TRIES = 5;
/** A loaded computer is slow with everything: so many round trips of the same page may come on top. */
const ROUND_TRIPS = 20;
const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Infinity;
/** The node ends the stream of a page whose person is signed out. */
const CUT_OFF = /net::ERR_INCOMPLETE_CHUNKED_ENCODING/;

/** When a page first shows a text, by the clock of its browser, in milliseconds. */
const noticedAt = (page: Page, text: string): Promise<number> =>
  page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!document.body.innerText.includes(wanted)) return;
          observer.disconnect();
          resolve(Date.now());
        });
        observer.observe(document.body, { childList: true, subtree: true });
      }),
    text,
  );

/** How long the node takes to answer the page, which does nothing else meanwhile, in milliseconds. */
const roundTripOf = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const begun = performance.now();
    await fetch('/operator/ways-in', { headers: { 'x-paydesk-console': '1' } });
    return performance.now() - begun;
  });

test.beforeEach(async ({ desk: { page, operator } }) => {
  const account = { name: 'till', publicName: 'The till', assetCode: 'USD', assetScale: 2, openingBalance: 123_456n };
  await operator.accounts.create({ requestId: crypto.randomUUID(), ...account });
  await page.goto(new URL('/settings', page.url()).href);
});

test('the owner invites a cashier, who sees only what a cashier may, until the owner removes them', async ({
  desk: { page, problems },
  newPerson,
}) => {
  // A link that was used, and the calls of somebody who was signed out.
  problems.expect(/status of 40[13]/);
  problems.allow(CUT_OFF);
  const people = new PeoplePage(page);
  await expect(people.card).toContainText('You work alone here');
  const link = await people.invite('Ada', 'Cashier');
  await expect(people.line('Ada')).toContainText('Invited');

  const till = await (await newPerson()).newPage();
  problems.watch(till);
  await till.goto(link);
  await expect(till.getByRole('heading', { name: 'Get paid' })).toBeVisible();
  expect(await new Sections(till).names()).toEqual(['Get paid', 'Till', 'Settings']);
  await expect(till.getByText('Ada · Cashier')).toBeVisible();
  await expect(people.line('Ada')).toContainText('Signed in in one browser');

  // A request is made and shown; what lies in the account is not.
  await new GetPaidPage(till).amount.fill('4.50');
  await till.getByRole('button', { name: 'Make payment request' }).click();
  await expect(till.getByTestId('payment-link')).toBeVisible();
  await expect(till.getByRole('main')).not.toContainText('1,234');
  await till.getByRole('button', { name: 'Cancel request' }).click();
  await till.getByRole('dialog').getByRole('button', { name: 'Cancel request' }).click();
  await expect(till.getByRole('main')).toContainText('Cancelled');

  const origin = new URL(page.url()).origin;
  for (const path of ['/payments', '/accounts/new', '/peers', '/approvals', '/restore', '/welcome']) {
    await till.goto(`${origin}${path}`);
    await expect(new PeoplePage(till).notYours, path).toBeVisible();
  }
  await expect(till.getByText('Only owners and managers may open this page.')).toBeVisible();
  await till.goto(`${origin}/settings`);
  await expect(till.getByRole('region', { name: 'Browsers' })).toContainText('This one');
  await expect(new PeoplePage(till).card).toBeHidden();
  await expect(till.getByRole('region', { name: 'Backups' })).toBeHidden();

  const again = await (await newPerson()).newPage();
  problems.watch(again);
  await again.goto(link);
  await expect(new SessionPage(again).linkRefused).toBeVisible();

  await people.remove('Ada');
  await expect(new SessionPage(till).notSignedIn).toBeVisible();
  await expect(people.card).toContainText('You work alone here');
  await new Sections(page).goTo('Activity');
  await expect(page.getByRole('main')).toContainText('Removed Ada');
  await expect(page.getByRole('main')).toContainText(/by Ada \(Cashier\) · .*Chrome/);
});

test('the screen of a person who is removed notices it within a second', async ({ desk: { page, operator, problems }, newPerson }) => {
  problems.expect(/status of 401/);
  problems.allow(CUT_OFF);
  const till = await (await newPerson()).newPage();
  problems.watch(till);
  const [noticed, roundTrips]: number[][] = [[], []];
  for (let nth = 0; nth < TRIES; nth += 1) {
    const name = `Ada ${nth}`;
    const { secret } = await operator.people.invite({ name, role: 'cashier' });
    await till.goto(`${new URL(page.url()).origin}/#link=${secret}`);
    await expect(till.getByText(`${name} · Cashier`)).toBeVisible();
    roundTrips?.push(await roundTripOf(till));
    const { people } = await operator.people.list();
    const seen = noticedAt(till, 'Open the console with a link');
    await operator.people.remove({ id: people.find((one) => one.name === name)?.id ?? '' });
    const removed = Date.now();
    noticed?.push((await seen) - removed);
  }
  const [delay, roundTrip] = [median(noticed ?? []), median(roundTrips ?? [])];
  console.log(`from the removal to the removed person's screen: ${delay} ms, with a round trip of ${roundTrip.toFixed(1)} ms`);
  expect(delay).toBeLessThan(NOTICED_WITHIN_MS + ROUND_TRIPS * roundTrip);
  // It would go on asking a node that has ended.
  await till.context().close();
});

test('a person whose role changes is signed out at once, and comes back with it by a new link', { tag: '@long' }, async ({
  desk: { page, problems },
  newPerson,
}) => {
  problems.expect(/status of 401/);
  problems.allow(CUT_OFF);
  const people = new PeoplePage(page);
  const link = await people.invite('Bob', 'Accountant');
  const books = await (await newPerson()).newPage();
  problems.watch(books);
  await books.goto(link);
  await expect(new Sections(books).link('Overview')).toBeVisible();
  expect(await new Sections(books).names()).not.toContain('Get paid');
  expect(await new Sections(books).names()).not.toContain('Pay');
  await people.change('Bob', 'Manager');
  // The story before this one measures how soon that is.
  await expect(new SessionPage(books).notSignedIn).toBeVisible();
  await people.card.getByRole('button', { name: 'New link for Bob' }).click();
  await books.goto(await people.takeLink());
  await expect(new Sections(books).link('Pay')).toBeVisible();
  await expect(books.getByText('Bob · Manager')).toBeVisible();
  await books.context().close();
});

test('a link for somebody else in the same browser makes its other tabs theirs', { tag: '@long' }, async ({ desk: { page, problems } }) => {
  // The session of the person before ends.
  problems.allow(CUT_OFF);
  const people = new PeoplePage(page);
  const link = await people.invite('Ada', 'Cashier');
  const second = await page.context().newPage();
  await second.goto(link);
  await expect(second.getByText('Ada · Cashier')).toBeVisible();
  await expect(page.getByText('Ada · Cashier')).toBeVisible();
  await expect(people.card).toBeHidden();
});

test('a person signs out of the browser at which they work', { tag: '@long' }, async ({ desk: { page, problems }, newPerson }) => {
  problems.expect(/status of 401/);
  problems.allow(CUT_OFF);
  const link = await new PeoplePage(page).invite('Ada', 'Cashier');
  const context = await newPerson();
  const till = await context.newPage();
  problems.watch(till);
  await till.goto(link);
  await new Sections(till).goTo('Settings');
  await till
    .getByRole('region', { name: 'Browsers' })
    .getByRole('button', { name: /^Sign out/ })
    .click();
  await expect(new SessionPage(till).notSignedIn).toBeVisible();
  await context.close();
});

test('the last owner stays an owner', { tag: '@long' }, async ({ desk: { page, problems } }) => {
  problems.expect(/status of 409/);
  const people = new PeoplePage(page);
  await people.invite('Olga', 'Owner');
  await people.card.getByRole('button', { name: 'Change You' }).click();
  await people.dialog.getByLabel('Name').fill('Otto');
  await people.dialog.getByRole('radio', { name: 'Accountant' }).check();
  await people.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(people.dialog).toContainText('There must always be an owner');
  await people.dialog.getByRole('radio', { name: 'Owner' }).check();
  await people.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(people.line('Otto')).toContainText('You');
});

test('a payment above an amount waits until a second person confirms it on the overview', { tag: '@long' }, async ({
  desk: { page, operator, problems },
  newPerson,
}) => {
  const account = { name: 'supplier', publicName: 'The supplier', assetCode: 'USD', assetScale: 2, openingBalance: 0n };
  const supplier = await operator.accounts.create({ requestId: crypto.randomUUID(), ...account });
  // A payment that waits is answered by 409. At the end the node ends the streams of both pages.
  problems.expect(/status of 409/);
  problems.allow(CUT_OFF);
  const people = new PeoplePage(page);
  const link = await people.invite('Bob', 'Manager');
  await expect(people.card).toContainText('Nobody else can confirm yet.');
  const books = await (await newPerson()).newPage();
  problems.watch(books);
  await books.goto(link);
  await expect(new Sections(books).link('Overview')).toBeVisible();

  const change = people.card.getByRole('button', { name: 'Change: Payments and refunds in USD' });
  await change.click();
  await people.dialog.getByRole('switch', { name: 'A second person must confirm' }).click();
  await people.dialog.getByLabel('Above').fill('100');
  await people.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(people.card).toContainText('Payments and refunds above US$100.00 need a second person.');

  expect(await barriers(page)).toEqual([]);

  await new Sections(books).goTo('Pay');
  const pay = new PayPage(books);
  await pay.to.fill(supplier.walletAddress);
  await pay.from.fill('till');
  await books.getByRole('option', { name: /The till/ }).click();
  await pay.find.click();
  await pay.amount.fill('250');
  await pay.note.fill('Flour');
  await pay.getPrice.click();
  await pay.pay.click();
  await expect(books.getByRole('main')).toContainText('It waits for a second person.');
  await expect(books.getByRole('button', { name: /^Withdraw: Payment of US\$250\.00/ })).toBeVisible();
  await expect(books.getByRole('button', { name: /^Confirm:/ })).toBeHidden();
  expect((await operator.accounts.get({ id: supplier.id })).balance).toBe(0n);

  await new Sections(page).goTo('Overview');
  const waiting = page.getByRole('region', { name: 'Waits for a second person' });
  await expect(waiting).toContainText('Asked by Bob');
  expect(await barriers(page)).toEqual([]);
  await waiting.getByRole('button', { name: /^Confirm:/ }).click();
  await expect(people.dialog).toContainText('Confirm what Bob asked for?');
  await expect(people.dialog).toContainText('Flour');
  expect(await barriers(page)).toEqual([]);
  await people.dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(people.dialog).toBeHidden();
  await expect(waiting).toBeHidden();
  await expect.poll(async () => (await operator.accounts.get({ id: supplier.id })).balance).toBe(25_000n);
  await new Sections(page).goTo('Activity');
  await expect(page.getByRole('main')).toContainText('Confirmed, as the second person after Bob: Payment of US$250.00');
  await expect(page.getByRole('main')).toContainText('by Bob (Manager)');

  // Less protection waits as well, and Bob sees it without a reload.
  await new Sections(page).goTo('Settings');
  await change.click();
  await people.dialog.getByLabel('Above').fill('1000');
  await people.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(people.dialog).toContainText('It waits for a second person.');
  await new Sections(books).goTo('Overview');
  await books.getByRole('button', { name: /^Refuse: Payments and refunds need a second person only above/ }).click();
  await books.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click();
  await expect(books.getByRole('region', { name: 'Waits for a second person' })).toBeHidden();
  await people.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(people.card).toContainText('Payments and refunds above US$100.00 need a second person.');
  await books.context().close();
});
