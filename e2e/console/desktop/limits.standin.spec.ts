import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../../support/clients/flows.ts';
import { RunningNode } from '../../support/nodes/running-node.ts';
import { barriers } from '../../support/pages/barriers.ts';
import { openConsoleLink } from '../../support/pages/console-session.ts';
import { browser, expect, test } from '../fixtures.ts';
import { startDesktopApp } from '../hosts/desktop-app.ts';
import { PeoplePage } from '../pages/people/people-page.ts';
import { Sections } from '../pages/sections.ts';

const USD = { assetCode: 'USD', assetScale: 2 };

let profile: string;
test.beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), 'paydesk-e2e-'));
});
test.afterEach(() => rmSync(profile, { recursive: true, force: true }));

test('the app shows the limits and people that came with the books, and keeps to them', async () => {
  // A shop with two persons brings its books to the desktop.
  const served = await RunningNode.start({ dataDir: join(profile, 'node') });
  const shop = await createAccount(served, 'shop', 100_000n);
  await createAccount(served, 'supplier', 0n);
  const { secret } = await served.operator.people.invite({ name: 'Bob', role: 'manager' });
  await openConsoleLink(`${served.consoleUrl}/#link=${secret}`);
  await served.operator.secondPerson.set({ what: 'money', ...USD, above: 10_000n });
  expect(await served.stop()).toBe(0);

  const { page, operator, quit } = await startDesktopApp(browser(), [], { profile });
  const { card, dialog } = new PeoplePage(page);
  await new Sections(page).goTo('Settings');
  await expect(card).toContainText('In this app you are the only person');
  await expect(card).toContainText('Bob · Manager');
  await expect(card).toContainText('Payments and refunds above US$100.00 need a second person.');
  await expect(card).toContainText('Cashiers refund nothing in USD.');
  await expect(card.getByRole('button', { name: 'Invite a person' })).toBeHidden();
  expect(await barriers(page)).toEqual([]);
  await card.getByRole('button', { name: 'Change: Refunds by cashiers in USD' }).click();
  await dialog.getByRole('switch', { name: 'Cashiers may refund' }).click();
  await dialog.getByLabel('At most, of one payment').fill('20');
  await dialog.getByLabel('At most, in one day').fill('100');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(card).toContainText('Cashiers refund up to US$20.00 a payment and US$100.00 a day.');

  // Who sits at the computer does not do alone what needs two, but takes back what they asked for.
  const { publicUrl } = await operator.node.info();
  const from = { requestId: crypto.randomUUID(), accountId: shop.id };
  const payee = `${publicUrl}/supplier`;
  const quote = await operator.payments.quote({ ...from, payee, send: 20_000n });
  await expect(operator.payments.pay({ ...from, quoteId: quote.id, payee })).rejects.toMatchObject({ code: 'WAITS_FOR_SECOND' });
  await expect(operator.secondPerson.set({ what: 'money', ...USD, above: null })).rejects.toMatchObject({ code: 'WAITS_FOR_SECOND' });
  await new Sections(page).goTo('Overview');
  const waiting = page.getByRole('region', { name: 'Waits for a second person' });
  await expect(waiting.getByRole('button', { name: /^Confirm:/ })).toHaveCount(0);
  const withdraw = waiting.getByRole('button', { name: /^Withdraw:/ });
  await expect(withdraw).toHaveCount(2);
  await waiting.getByRole('button', { name: /^Withdraw: Payment of US\$200\.00/ }).click();
  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await expect(withdraw).toHaveCount(1);
  expect((await operator.accounts.get({ id: shop.id })).balance).toBe(100_000n);
  await quit();
});

test('who works alone in the app sees no card of people', { tag: '@long' }, async ({ desktop: { page, operator } }) => {
  const account = { name: 'till', publicName: 'The till', ...USD, openingBalance: 1_000n };
  await operator.accounts.create({ requestId: crypto.randomUUID(), ...account });
  await new Sections(page).goTo('Settings');
  await expect(page.getByRole('region', { name: 'Lock', exact: true })).toBeVisible();
  await expect(new PeoplePage(page).card).toHaveCount(0);
});
