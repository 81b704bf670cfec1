import { createAccount } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { ReferenceConnector } from '../support/other-nodes/reference-connector.ts';
import { ReferenceWallet } from '../support/other-nodes/reference-wallet.ts';
import { barriers } from '../support/pages/barriers.ts';
import { tabTo } from '../support/pages/keyboard.ts';
import { PaymentsPage } from './pages/payments-page.ts';
import { NewPeerPage, PeerPage, PeersPage } from './pages/peers-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

const TOKEN = 'the-token-they-gave-me-1';

test('the operator adds, tests, settles with, pauses, edits and removes a peer', async ({ desk: { page, operator }, node }) => {
  await createAccount(node, 'till', 0n);
  const other = await RunningNode.start();
  try {
    const self = await operator.peers.self();
    const theirs = await other.operator.peers.self();
    await new Sections(page).goTo('Peers');
    const peers = new PeersPage(page);
    await expect(peers.none).toBeVisible();
    await expect(peers.self).toContainText(self.ilpAddress);
    await peers.add.click();
    const adding = new NewPeerPage(page);
    await adding.submit.click();
    await expect(page.getByText('Enter a name.')).toBeVisible();
    await expect(page.getByText('Choose a currency.')).toBeVisible();
    await adding.fill({ name: 'Valley bank', currency: 'USD', ...theirs, token: TOKEN, credit: '50' });
    await adding.submit.click();
    await expect(adding.give).toContainText(self.endpoint);
    const token = await adding.give.locator('dd').first().innerText();
    await other.operator.peers.add({
      requestId: crypto.randomUUID(),
      name: 'Us',
      assetCode: 'USD',
      assetScale: 2,
      ...self,
      routes: [],
      creditLimit: 0n,
      debtLimit: null,
      maxPacketAmount: null,
      deduplicates: true,
      outgoingToken: token.trim(),
      incomingToken: TOKEN,
    });
    await adding.done.click();
    const peer = new PeerPage(page);
    await expect(peer.title).toHaveText('Valley bank');
    await expect(peer.position).toHaveText('Nothing is owed');
    await peer.press('Test the connection');
    await expect(peer.connection).toContainText('It works');

    await peer.settle('They paid you', '20');
    await expect(peer.position).toHaveText('You owe them US$20.00');
    await peer.settle('You paid them', '32.5');
    await expect(peer.position).toHaveText('They owe you US$12.50');
    await peer.press('Pause');
    await expect(peer.connection).toContainText('Paused');
    await peer.press('Resume');
    await peer.choose('Edit');
    await peer.dialog.getByRole('textbox', { name: 'Name' }).fill('Mountain bank');
    await peer.dialog.getByRole('button', { name: 'Save' }).click();
    await expect(peer.title).toHaveText('Mountain bank');

    await peer.choose('New token');
    await peer.dialog.getByRole('button', { name: 'New token' }).click();
    await expect(peer.give).toBeVisible();
    await expect(peer.give).not.toContainText(token.trim());
    await peer.press('I have kept it');
    await peer.settle('They paid you', '12.5');
    await peer.choose('Remove');
    await peer.dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(peers.none).toBeVisible();
    expect((await operator.peers.list({})).items).toEqual([]);
  } finally {
    await other.stop();
  }
});

test('the console says when a peer does not answer, and keeps a peer with debts', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
  refused,
}) => {
  await createAccount(node, 'till', 0n);
  const { peer } = await operator.peers.add({
    requestId: crypto.randomUUID(),
    name: 'Nobody there',
    assetCode: 'USD',
    assetScale: 2,
    ilpAddress: 'g.nobody',
    routes: [],
    endpoint: 'http://127.0.0.1:9/ilp',
    creditLimit: 10_000n,
    debtLimit: null,
    maxPacketAmount: null,
    deduplicates: false,
    outgoingToken: TOKEN,
  });
  await operator.peers.settle({ id: peer.id, requestId: crypto.randomUUID(), direction: 'paid', amount: 100n, note: '' });
  await new Sections(page).goTo('Peers');
  await expect(new PeersPage(page).rows).toHaveText([/Nobody there.*They owe you US\$1\.00/s]);
  await new PeersPage(page).rows.click();
  const screen = new PeerPage(page);
  await screen.press('Test the connection');
  await expect(screen.connection).toContainText('No answer');
  await expect(screen.connection).toContainText('Not reached');
  await expect(screen.held).not.toContainText('waits for an answer');
  refused(409);
  await screen.choose('Remove');
  await screen.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(screen.dialog).toContainText('Something is still owed or under way.');
});

test('the page of a peer shows the money for which it gave no answer, and links to the payment', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
}) => {
  test.setTimeout(600_000);
  const usd = { assetCode: 'USD', assetScale: 2 };
  const connector = await new ReferenceConnector({ ...usd, incomingToken: TOKEN }).listen();
  const wallet = await ReferenceWallet.start(connector);
  try {
    // While the packet is lost, its receiver gets other money. So its count says nothing about the packet, and the
    // money stays held.
    connector.accident = () => {
      for (const payment of connector.payments.values()) payment.received += 1_000n;
      return 'lost on the way';
    };
    const buyer = await createAccount(node, 'buyer', 10_000n);
    const { peer } = await operator.peers.add({
      ...{ requestId: crypto.randomUUID(), name: 'Valley bank', ...usd, ilpAddress: connector.ilpAddress, routes: [] },
      ...{ endpoint: connector.endpoint, creditLimit: 0n, debtLimit: null, maxPacketAmount: null },
      ...{ deduplicates: false, outgoingToken: TOKEN },
    });
    await new Sections(page).goTo('Peers');
    await new PeersPage(page).rows.click();
    const screen = new PeerPage(page);
    await expect(screen.connection).toContainText('Active');
    await expect(screen.held).toBeHidden();

    const ours = { accountId: buyer.id, note: 'Rent' };
    const quote = await operator.payments.quote({ requestId: crypto.randomUUID(), ...ours, payee: wallet.createPayment().url, send: 500n });
    await operator.payments.pay({ requestId: crypto.randomUUID(), ...ours, quoteId: quote.id });
    // The page notices without a reload.
    await expect(screen.held).toContainText('US$5.00 that you sent waits for an answer. Your node does not send it again');
    await expect(screen.held).toContainText('finds out from the receiver whether it arrived');
    await expect(screen.held).toContainText('Your node could not reach it');
    await expect(screen.connection).toContainText('Not reached');
    await expect(page.getByText('US$5.00 on its way')).toBeVisible();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await barriers(page), colorScheme).toEqual([]);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    expect(scrollWidth).toBe(clientWidth);

    await tabTo(page, /^Look at outgoing payments$/);
    await expect(screen.held.getByRole('link')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/payments\?direction=out$/);
    await expect(new PaymentsPage(page).rows).toHaveText([/Rent/]);

    // The node asks again a peer that answers a repeated packet as it did the first time.
    await operator.peers.edit({ id: peer.id, deduplicates: true });
    await page.goBack();
    await expect(screen.held).toContainText('Your node asks again by itself until there is one');
    connector.accident = undefined;
    // Once the peer answers anything, the way to it works.
    await screen.press('Test the connection');
    await expect(screen.connection).toContainText('It works');
    await expect(screen.held).toBeHidden();
    await expect(screen.connection).toContainText('Active');
    await expect(page.getByText('US$5.00 on its way')).toBeHidden();
  } finally {
    await wallet.stop();
    await connector.close();
  }
});

test('a new token is shown only with its own peer', { tag: '@long' }, async ({ desk: { page, operator }, node }) => {
  await createAccount(node, 'till', 0n);
  for (const name of ['valley', 'mountain']) {
    await operator.peers.add({
      ...{ requestId: crypto.randomUUID(), name, assetCode: 'USD', assetScale: 2, ilpAddress: `g.${name}`, routes: [] },
      ...{ endpoint: 'http://127.0.0.1:9/ilp', creditLimit: 0n, debtLimit: null, maxPacketAmount: null },
      ...{ deduplicates: false, outgoingToken: `${TOKEN}-${name}` },
    });
  }
  await new Sections(page).goTo('Peers');
  await new PeersPage(page).rows.filter({ hasText: 'valley' }).click();
  const peer = new PeerPage(page);
  await peer.choose('New token');
  await peer.dialog.getByRole('button', { name: 'New token' }).click();
  await expect(peer.give).toBeVisible();
  await expect(peer.dialog).toBeHidden();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('textbox', { name: 'Where to, or what to look for?' }).fill('mountain');
  await page.getByRole('dialog').getByRole('button', { name: 'mountain', exact: true }).click();
  await expect(peer.title).toHaveText('mountain');
  await expect(peer.give).toBeHidden();
});
