import type { Page } from '@playwright/test';
import { createAccount, requestSpending, usd } from '../support/clients/flows.ts';
import { ApprovalsPage } from './pages/approval-page.ts';
import { LockPage } from './pages/lock-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { Sections } from './pages/sections.ts';
import { WaitingPage } from './pages/waiting-page.ts';
import { expect, test } from './story-fixtures.ts';

const PASSPHRASE = 'seven plain words';
/** What the browser says of a request that was on its way when somebody else locked the console. */
const LOCKED_MEANWHILE = /status of 423/;

/**
 * Waits in the page until it says that the person must wait.
 * @returns these words, and whether the button was disabled at that moment.
 */
const slowedDown = (page: Page) =>
  page.evaluate(async () => {
    for (;;) {
      const words = /You can try again in .*/.exec(document.body.innerText)?.[0];
      const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.includes('Unlock'));
      if (words !== undefined) return { words, disabled: button?.disabled };
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });

/** Everything on the page that could still show something. */
const traces = (page: Page) => page.evaluate(() => document.documentElement.outerHTML + document.title);

test('a locked console shows nothing, keeps what arrives, and opens only with the passphrase', async ({
  desk: { page, operator },
  node,
  client,
  person,
  refused,
}) => {
  refused(403);
  const lock = new LockPage(page);
  const sections = new Sections(page);
  const buyer = await createAccount(node, 'buyer', 50_000n);
  await expect(new OverviewPage(page).account('The buyer')).toBeVisible();
  await expect(lock.lockButton).toBeHidden();
  const { dataFolder } = await operator.settings.node();
  await sections.goTo('Settings');
  await lock.protect(PASSPHRASE);
  await sections.goTo('Overview');
  await expect(new OverviewPage(page).account('The buyer')).toContainText('US$500.00');

  await lock.lockButton.click();
  await expect(lock.heading).toBeVisible();
  await expect(lock.passphrase).toBeFocused();
  await expect(sections.link('Overview')).toBeHidden();
  for (const word of ['The buyer', '500.00', buyer.walletAddress]) expect(await traces(page)).not.toContain(word);
  await expect(operator.accounts.list({})).rejects.toMatchObject({ code: 'LOCKED' });

  // An app asks meanwhile. The page in front of its person works, and the locked console shows nothing.
  const asked = await requestSpending(node, client, buyer.walletAddress, { debitAmount: usd('700') });
  await new WaitingPage(await person.open(asked.grant.interact.redirect)).readCode();
  expect(await page.title()).toBe('Locked · paydesk');
  expect(await traces(page)).not.toContain(new URL(client.url).host);

  await lock.unlock('seven plain birds');
  await expect(page.getByText('This is not the passphrase.')).toBeVisible();
  await expect(lock.removal).toHaveText(`npm run -s headless -- remove-lock --data-dir ${dataFolder}`);
  await expect(lock.passphrase).toHaveValue('');
  await lock.unlock(PASSPHRASE);
  await expect(new OverviewPage(page).account('The buyer')).toBeVisible();
  await sections.goTo('Approvals');
  await expect(new ApprovalsPage(page).requestOf(new URL(client.url).host)).toBeVisible();
});

test('the console locks when it is locked elsewhere, and a reload does not open it', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
  problems,
}) => {
  problems.allow(LOCKED_MEANWHILE);
  const lock = new LockPage(page);
  await createAccount(node, 'till', 1_000n);
  await expect(new OverviewPage(page).account('The till')).toBeVisible();
  await operator.lock.protect({ passphrase: PASSPHRASE, settings: { idleMinutes: null, atStart: true } });
  await operator.lock.now();
  await expect(lock.heading).toBeVisible();
  expect(await traces(page)).not.toContain('The till');
  await page.reload();
  await expect(lock.heading).toBeVisible();
  expect(await traces(page)).not.toContain('The till');
  await lock.unlock(PASSPHRASE);
  await expect(new OverviewPage(page).account('The till')).toBeVisible();
});

test('wrong passphrases cause a delay, and the screen counts its seconds', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
  refused,
  problems,
}) => {
  refused(403);
  problems.allow(LOCKED_MEANWHILE);
  const lock = new LockPage(page);
  await createAccount(node, 'till', 1_000n);
  await operator.lock.protect({ passphrase: PASSPHRASE, settings: { idleMinutes: 5, atStart: true } });
  await operator.lock.now();
  const slowed = slowedDown(page);
  for (let count = 0; count < 4; count += 1) {
    await lock.unlock(`guess number ${count}`);
    await expect(lock.passphrase).toHaveValue('');
    await expect(lock.unlockButton).not.toHaveAttribute('data-loading');
  }
  expect(await slowed).toEqual({ words: expect.stringMatching(/\d seconds?\.$/), disabled: true });
  await expect(lock.unlockButton).toBeEnabled();
  await lock.unlock(PASSPHRASE);
  await expect(new OverviewPage(page).account('The till')).toBeVisible();
});

test('the passphrase is changed and removed with the current one', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
  refused,
}) => {
  refused(403);
  const lock = new LockPage(page);
  await createAccount(node, 'till', 1_000n);
  await new Sections(page).goTo('Settings');
  await lock.protect(PASSPHRASE, '1 minute');
  expect((await operator.lock.state()).settings).toEqual({ idleMinutes: 1, atStart: true });
  await lock.card.getByRole('switch', { name: 'Lock when paydesk starts' }).click({ force: true });
  await expect.poll(async () => (await operator.lock.state()).settings.atStart).toBe(false);

  await lock.card.getByRole('button', { name: 'Change the passphrase' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Present passphrase').fill('something else');
  await dialog.getByLabel('New passphrase').fill('eight plain words');
  await dialog.getByLabel('The same once more').fill('eight plain words');
  await dialog.getByRole('button', { name: 'Change the passphrase' }).click();
  await expect(dialog.getByText('This is not the passphrase.')).toBeVisible();
  await dialog.getByLabel('Present passphrase').fill(PASSPHRASE);
  await dialog.getByRole('button', { name: 'Change the passphrase' }).click();
  await expect(dialog).toBeHidden();

  await lock.card.getByRole('button', { name: 'Remove it' }).click();
  await dialog.getByLabel('Present passphrase').fill('eight plain words');
  await dialog.getByRole('button', { name: 'Remove it' }).click();
  await expect(lock.card.getByText('There is no passphrase')).toBeVisible();
  expect(await operator.lock.state()).toMatchObject({ protected: false, locked: false });
});
