import type { Page } from '@playwright/test';
import { createAccount } from '../support/clients/flows.ts';
import { consoleLink } from '../support/nodes/console-link.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { barriers } from '../support/pages/barriers.ts';
import { tabTo } from '../support/pages/keyboard.ts';
import type { NewPerson } from './chrome.ts';
import { expect, test } from './fixtures.ts';
import type { Problems } from './hosts/problems.ts';
import { PayPage } from './pages/pay-page.ts';
import { PaymentPage } from './pages/payments-page.ts';
import { InvitationsPage, PeerPage, PeersPage } from './pages/peers-page.ts';
import { Sections } from './pages/sections.ts';

/** A node with one account, and its console in a browser of its own. */
async function openNode(problems: Problems, newPerson: NewPerson, name: string) {
  const node = await RunningNode.start();
  await createAccount(node, name, 10_000n);
  const person = await newPerson();
  const page = await person.newPage();
  problems.watch(page);
  await page.goto(await consoleLink(node));
  await new Sections(page).goTo('Peers');
  const close = async () => {
    await person.close();
    await node.stop();
  };
  return { node, page, close };
}

async function pay(page: Page, to: string): Promise<void> {
  await new Sections(page).goTo('Pay');
  const pay = new PayPage(page);
  await pay.to.fill(to);
  await pay.find.click();
  await pay.amount.fill('1.50');
  await pay.getPrice.click();
  await pay.pay.click();
  await expect(new PaymentPage(page).fact('Status')).toHaveText('Completed');
}

test('two fresh nodes become peers by one code and pay both ways, in less than two minutes', async ({ problems, newPerson }) => {
  const [a, b] = [await openNode(problems, newPerson, 'anna'), await openNode(problems, newPerson, 'ben')];
  try {
    const began = Date.now();
    const [inviting, accepting] = [new InvitationsPage(a.page), new InvitationsPage(b.page)];
    await expect(new PeersPage(a.page).none).toBeVisible();
    await tabTo(a.page, /Invite a peer/);
    await a.page.keyboard.press('Enter');
    await inviting.make.click();
    await expect(a.page.getByRole('combobox', { name: 'Currency' })).toHaveValue(/USD/);
    await expect(a.page.getByText('Write a word about who you are.')).toBeVisible();
    await inviting.fillInvitation('USD', '50', 'Anna from the garden shop');
    await inviting.make.click();
    await expect(a.page.getByText('may owe you up to US$50.00')).toBeVisible();
    const code = (await inviting.code.innerText()).trim();
    expect(await barriers(a.page)).toEqual([]);
    await inviting.sent.click();
    await expect(inviting.list).toContainText('May owe you up to US$50.00');
    await inviting.list.getByRole('button', { name: 'Change the limit' }).click();
    await inviting.field('The most they may owe you').fill('40.00');
    await a.page.getByRole('button', { name: 'Save' }).click();
    await expect(inviting.list).toContainText('May owe you up to US$40.00');

    await accepting.have.click();
    await accepting.paste.fill(code.slice(0, -4));
    await expect(b.page.getByText('A part of this code is missing or changed')).toBeVisible();
    await accepting.paste.fill(code);
    await accepting.read.click();
    await expect(accepting.offer).toContainText('Anna from the garden shop');
    await expect(accepting.offer).toContainText(a.node.publicUrl);
    await expect(accepting.offer).toContainText('US$40.00');
    await accepting.field('The most they may owe you').fill('20');
    await accepting.field('What you call them').fill('Garden shop');
    await accepting.field('Who you are').fill('Ben’s bakery');
    await expect(b.page.getByText('they may owe you up to US$20.00, and you may owe them up to US$40.00')).toBeVisible();
    expect(await barriers(b.page)).toEqual([]);
    await accepting.accept.click();
    await expect(b.page.getByText('A test packet arrived and was answered.')).toHaveCount(2);

    await expect(new PeersPage(a.page).rows).toHaveText(/Ben’s bakery \(127\.0\.0\.1:\d+\)/);
    await expect(inviting.list).toBeHidden();
    await pay(a.page, `${b.node.publicUrl}/ben`);
    await pay(b.page, `${a.node.publicUrl}/anna`);
    expect(Date.now() - began).toBeLessThan(120_000);

    await new Sections(b.page).goTo('Peers');
    await new PeersPage(b.page).rows.click();
    const peer = new PeerPage(b.page);
    await expect(peer.position).toHaveText('Nothing is owed');
    await peer.choose('Renew the tokens');
    await expect(b.page.getByText('Both nodes use new tokens')).toBeVisible();
    await peer.press('Test the connection');
    await expect(peer.connection).toContainText('It works');
  } finally {
    await Promise.all([a.close(), b.close()]);
  }
});

test('a code that leads to no peer says why, and an invitation can be taken back', { tag: '@long' }, async ({
  desk: { page, operator, problems },
}) => {
  const other = await RunningNode.start();
  try {
    const account = { name: 'till', publicName: 'The till', assetCode: 'USD', assetScale: 2, openingBalance: 0n };
    await operator.accounts.create({ requestId: crypto.randomUUID(), ...account });
    const wanted = { assetCode: 'USD', assetScale: 2, creditLimit: 100n, introduction: 'Somebody' };
    const invite = async () => await other.operator.invitations.create({ requestId: crypto.randomUUID(), ...wanted });
    const cancelled = await invite();
    await other.operator.invitations.cancel({ id: cancelled.invitation.id });
    const own = await operator.invitations.create({ requestId: crypto.randomUUID(), ...wanted });
    // On the desktop no answer comes over HTTP.
    problems.allow(/status of 409/);
    await new Sections(page).goTo('Peers');
    const screen = new InvitationsPage(page);
    await expect(screen.list).toContainText('May owe you up to US$1.00');
    await screen.have.click();
    for (const [code, words] of [
      [cancelled.code, 'has taken this invitation back'],
      [own.code, 'an invitation of your own node'],
    ] as const) {
      await screen.paste.fill(code);
      await screen.read.click();
      await expect(screen.refusal).toContainText(words);
    }
    await new Sections(page).goTo('Peers');
    await screen.list.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await expect(screen.list).toBeHidden();
    expect((await operator.invitations.list()).given).toEqual([]);
  } finally {
    await other.stop();
  }
});
