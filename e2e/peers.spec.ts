import { NewPeerPage, PeerPage, PeersPage } from './pages/peers-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';
import { createAccount } from './support/flows.ts';
import { RunningNode } from './support/running-node.ts';

const TOKEN = 'the-token-they-gave-me-1';

test('a peer is added, tested, settled with, paused, edited and removed', async ({ desk: { page, operator }, node }) => {
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
    expect(await operator.peers.list()).toEqual([]);
  } finally {
    await other.stop();
  }
});

test('a peer that does not answer says so, and one with debts stays', async ({ desk: { page, operator }, node, refused }) => {
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
  refused(409);
  await screen.choose('Remove');
  await screen.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(screen.dialog).toContainText('Something is still owed or under way.');
});
