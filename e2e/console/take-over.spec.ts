import { barriers } from '../support/pages/barriers.ts';
import { expect, test } from './fixtures.ts';
import { LockPage } from './pages/lock-page.ts';
import { Authenticator } from './pages/people/authenticator.ts';
import { PeoplePage } from './pages/people/people-page.ts';
import { TakeOverPage } from './pages/people/take-over-page.ts';
import { WaysPage } from './pages/people/ways-page.ts';
import { Sections } from './pages/sections.ts';

const PIN = '402917';
const WRONG = '836104';
const PASSPHRASE = 'seven plain words';
/** The node ends the stream of a page whose person is signed out. */
const CUT_OFF = /net::ERR_INCOMPLETE_CHUNKED_ENCODING/;

test.beforeEach(async ({ desk: { page, operator, problems } }) => {
  problems.allow(CUT_OFF);
  const account = { name: 'till', publicName: 'The till', assetCode: 'USD', assetScale: 2, openingBalance: 123_456n };
  await operator.accounts.create({ requestId: crypto.randomUUID(), ...account });
  await page.goto(new URL('/settings', page.url()).href);
});

test('a cashier hands the browser over, and the owner takes over by their PIN', async ({ desk: { page } }) => {
  const takeOver = new TakeOverPage(page);
  await expect(takeOver.switchPerson).toBeHidden();
  const link = await new PeoplePage(page).invite('Ada', 'Cashier');
  await takeOver.setPin(PIN);
  await takeOver.switchPerson.click();
  await expect(takeOver.whoIsThere).toBeVisible();

  await page.goto(link);
  await expect(page.getByText('Ada · Cashier')).toBeVisible();
  // The palette offers it as well. No shortcut acts while a person types, and this screen begins in a field.
  await expect(page.getByRole('heading', { level: 1, name: 'Get paid' })).toBeVisible();
  await page.getByRole('button', { name: 'Search or go to…' }).click();
  await expect(page.getByRole('textbox', { name: 'Where to, or what to look for?' })).toBeFocused();
  await page.keyboard.type('switch');
  await page.keyboard.press('Enter');
  // Ada has no way back yet but another link.
  await takeOver.dialog.getByRole('button', { name: 'Hand over' }).click();
  await expect(takeOver.names).toHaveText(['AdaCashier', 'Owner']);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await takeOver.choose('Owner');
  await takeOver.press(PIN);
  await expect(page.getByRole('main')).toContainText('US$1,234.56');
  await new Sections(page).goTo('Settings');
  await expect(takeOver.card).toContainText('You came in by your PIN');
});

test('each person has their own language in the browser that they share', async ({ desk: { page } }) => {
  const takeOver = new TakeOverPage(page);
  const link = await new PeoplePage(page).invite('Ada', 'Cashier');
  await takeOver.setPin(PIN);
  const html = page.locator('html');
  await page.getByRole('combobox', { name: 'Language', exact: true }).click();
  await page.getByRole('option', { name: 'Deutsch' }).click();
  await expect(html).toHaveAttribute('lang', 'de');
  // Ada has chosen none, and goes by the browser.
  await page.goto(link);
  await expect(page.getByText('Ada · Cashier')).toBeVisible();
  await expect(html).toHaveAttribute('lang', 'en');
  await takeOver.switchPerson.click();
  await takeOver.dialog.getByRole('button', { name: 'Hand over' }).click();
  await takeOver.choose('Owner');
  await takeOver.press(PIN);
  await expect(page.getByRole('heading', { level: 1, name: 'Übersicht' })).toBeVisible();
  await expect(html).toHaveAttribute('lang', 'de');
});

test('while the node is locked a person takes over by their PIN or passkey, and only the passphrase opens it', { tag: '@long' }, async ({
  desk: { page, problems, operator },
}) => {
  problems.expect(/status of 403/);
  problems.allow(/status of 4(01|23)/);
  const [takeOver, lock] = [new TakeOverPage(page), new LockPage(page)];
  const ways = new WaysPage(page);
  const main = page.getByRole('main');
  await Authenticator.attach(page);
  const link = await new PeoplePage(page).invite('Mia', 'Manager');
  await ways.addPasskey('The desk');
  await takeOver.setPin(PIN);
  await page.goto(link);
  await new Sections(page).goTo('Settings');
  await takeOver.setPin('918273');
  await takeOver.switchPerson.click();
  await operator.lock.protect({ passphrase: PASSPHRASE, settings: { idleMinutes: null, atStart: true } });
  await operator.lock.now();

  await takeOver.choose('Owner');
  await takeOver.type(PIN);
  await expect(lock.heading).toBeVisible();
  await lock.unlock('seven plain birds');
  await expect(page.getByText('This is not the passphrase.')).toBeVisible();
  await expect(main).not.toContainText('1,234.56');
  await lock.unlock(PASSPHRASE);
  // Mia was in the settings. The owner begins on the first screen.
  await expect(main).toContainText('US$1,234.56');
  await new Sections(page).goTo('Settings');
  await expect(takeOver.card).toContainText('You came in by your PIN');

  await takeOver.switchPerson.click();
  await operator.lock.now();
  await takeOver.choose('Mia');
  await takeOver.type('918273');
  await expect(lock.heading).toBeVisible();
  await page.reload();
  await expect(lock.heading).toBeVisible();
  await lock.unlock(PASSPHRASE);
  await expect(page.getByText('Mia · Manager')).toBeVisible();

  // The screen of a locked node lets another person take over as well. The node stays locked.
  await operator.lock.now();
  await expect(lock.heading).toBeVisible();
  await takeOver.switchPerson.click();
  await expect(takeOver.dialog).toContainText('Whoever comes next still needs the passphrase');
  await takeOver.dialog.getByRole('button', { name: 'Hand over' }).click();
  await takeOver.choose('Owner');
  await takeOver.type(PIN);
  await lock.unlock(PASSPHRASE);
  await expect(main).toContainText('US$1,234.56');

  // The passkey of the device is the owner's, whoever was chosen.
  await takeOver.switchPerson.click();
  await operator.lock.now();
  await takeOver.choose('Mia');
  await ways.withPasskey.click();
  await expect(lock.heading).toBeVisible();
  await expect(page.getByText('Mia')).toHaveCount(0);
  await lock.unlock(PASSPHRASE);
  await expect(main).toContainText('US$1,234.56');
  await new Sections(page).goTo('Settings');
  await expect(takeOver.card).not.toContainText('You came in by your PIN');
  await expect(new PeoplePage(page).card.getByRole('button', { name: 'Invite a person' })).toBeVisible();
});

test('after five wrong PINs a person signs in without it, and it works again', { tag: '@long' }, async ({
  desk: { page, problems },
  newPerson,
}) => {
  problems.expect(/status of 403/);
  const people = new PeoplePage(page);
  const till = await (await newPerson()).newPage();
  problems.watch(till);
  await Authenticator.attach(till);
  await till.goto(await people.invite('Ada', 'Cashier'));
  await new Sections(till).goTo('Settings');
  await new WaysPage(till).addPasskey('The tablet');
  const takeOver = new TakeOverPage(till);
  await takeOver.setPin(PIN);
  await takeOver.switchPerson.click();
  expect(await barriers(till)).toEqual([]);
  await takeOver.choose('Ada');
  for (const left of ['4 more tries', '3 more tries', '2 more tries', '1 more try']) {
    await takeOver.type(WRONG);
    await expect(takeOver.alert).toContainText(left);
  }
  expect(await barriers(till)).toEqual([]);
  await takeOver.type(WRONG);
  await expect(takeOver.alert).toContainText('Your PIN does not work in this browser now');
  await till.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(till.getByText('Ada · Cashier')).toBeVisible();
  await new Sections(page).goTo('Activity');
  await expect(page.getByRole('main')).toContainText('Too many wrong PINs were tried for Ada');
  await takeOver.switchPerson.click();
  await takeOver.choose('Ada');
  await takeOver.type(PIN);
  await expect(till.getByText('Ada · Cashier')).toBeVisible();
  await till.context().close();
});

test('a browser that nobody uses asks who is there', { tag: '@long' }, async ({ desk: { page, problems } }) => {
  // What the page was asking when the session ended is refused.
  problems.allow(/status of 401/);
  const takeOver = new TakeOverPage(page);
  await new PeoplePage(page).invite('Ada', 'Cashier');
  await takeOver.setPin(PIN);
  await takeOver.card.getByLabel('Ask who is there when nobody uses this browser for').click();
  await page.getByRole('option', { name: '1 minute', exact: true }).click();
  // The choice survives a reload, from which on the page has a clock that the test sets.
  await page.clock.install();
  await page.reload();
  await expect(takeOver.switchPerson).toBeVisible();
  await page.clock.fastForward(50_000);
  await page.keyboard.press('Shift');
  await page.clock.fastForward(50_000);
  await expect(takeOver.switchPerson).toBeVisible();
  await page.clock.fastForward(20_000);
  await expect(takeOver.whoIsThere).toBeVisible();
});

test('a person ends a lost browser from another one: the session there, and the PIN', { tag: '@long' }, async ({
  desk: { page, problems, operator },
  newPerson,
}) => {
  problems.expect(/status of 40[13]/);
  const people = new PeoplePage(page);
  const lost = await (await newPerson()).newPage();
  problems.watch(lost);
  await lost.goto(await people.invite('Mia', 'Manager'));
  await new Sections(lost).goTo('Settings');
  await new TakeOverPage(lost).setPin(PIN);
  const own = await (await newPerson()).newPage();
  problems.watch(own);
  const { people: all } = await operator.people.list();
  const { secret } = await operator.people.makeLink({ id: all.find(({ name }) => name === 'Mia')?.id ?? '' });
  await own.goto(`${new URL(page.url()).origin}/#link=${secret}`);
  await new Sections(own).goTo('Settings');
  const here = new TakeOverPage(own);
  await expect(here.card.getByRole('button', { name: /^Forget me in/ })).toHaveCount(2);
  await here.card
    .getByRole('listitem')
    .filter({ hasNotText: 'This one' })
    .getByRole('button', { name: /^Forget me in/ })
    .click();
  await expect(here.card.getByRole('button', { name: /^Forget me in/ })).toHaveCount(1);
  await expect(lost.getByRole('heading', { name: 'Open the console with a link' })).toBeVisible();
  await own.context().close();
  await lost.context().close();
});
