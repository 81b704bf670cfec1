import { randomUUID } from 'node:crypto';
import { closeConnection, pay, setupPayment, startQuote } from '@interledger/pay';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { contradictions, readBooks } from '../support/books/books.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { receivingToken, spendingToken } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { ReferenceConnector, ReferencePlugin } from '../support/other-nodes/reference-connector.ts';
import { ReferenceWallet } from '../support/other-nodes/reference-wallet.ts';
import { TestPeer } from '../support/other-nodes/test-peer.ts';
import { visit } from '../support/stories/claims.ts';

// A node as peer of the reference implementation, both ways, as far as an emulator with its own STREAM receiver can
// show it.

const MAX_PACKET = 2_000n;
const TOKEN = 'the-token-that-the-reference-takes';
const USD = { assetCode: 'USD', assetScale: 2 };

let node: RunningNode;
let client: ClientWallet;
let reference: ReferenceConnector;
let wallet: ReferenceWallet;
let peer: TestPeer;
let accounts: Record<'USD' | 'EUR', Account>;

/** Ends what was started, the last first, whatever has failed meanwhile. */
const started: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  reference = await new ReferenceConnector({ ...USD, incomingToken: TOKEN, maxPacketAmount: MAX_PACKET }).listen();
  started.push(() => reference.close());
  node = await RunningNode.start({ flags: ['--log-level', 'error'] });
  started.push(async () => expect(await node.stop()).toBe(0));
  wallet = await ReferenceWallet.start(reference);
  started.push(() => wallet.stop());
  client = await ClientWallet.start();
  started.push(() => client.stop());
  const account = async (name: string, assetCode: string): Promise<Account> => {
    const asset = { assetCode, assetScale: 2 };
    return await node.operator.accounts.create({ requestId: randomUUID(), name, publicName: name, ...asset, openingBalance: 1_000_000n });
  };
  accounts = { USD: await account('dollars', 'USD'), EUR: await account('euros', 'EUR') };
  peer = await TestPeer.of(node, {
    ilpAddress: reference.ilpAddress,
    endpoint: reference.endpoint,
    outgoingToken: TOKEN,
    deduplicates: false,
  });
  await node.operator.rates.set({
    ...{ base: 'EUR', quote: 'USD', rate: '1.0893', spreadBps: 0, source: 'made up', asOf: new Date(), maxAgeSeconds: 86_400 },
  });
  await node.operator.rates.fund({ requestId: randomUUID(), ...USD, amount: 1_000_000n, note: '' });
});
afterAll(async () => {
  try {
    await expectRightBooks();
  } finally {
    const ended = await Promise.allSettled(started.toReversed().map((end) => end()));
    expect(ended.filter(({ status }) => status === 'rejected')).toEqual([]);
  }
});

async function expectRightBooks(): Promise<void> {
  expect(readBooks(node, contradictions)).toEqual([]);
  // The books agree to the unit in both directions, and no packet came twice to the peer that would have taken it
  // twice. The test of the peer sends one twice that nobody can fulfil, to an address at which nobody is.
  expect(await peer.position()).toBe(reference.position);
  const probed = `${reference.ilpAddress}.probe`;
  const conditions = reference.arrived
    .filter(({ amount, destination }) => amount !== '0' && destination !== probed)
    .map(({ executionCondition }) => executionCondition.toString('hex'));
  expect(new Set(conditions).size).toBe(conditions.length);
}

async function payFrom(account: Account, incomingPayment: string, value: string) {
  const { assetCode, assetScale, walletAddress } = account;
  const debitAmount = { value, assetCode, assetScale };
  const { value: accessToken } = await spendingToken(node, client, walletAddress, { debitAmount });
  const made = await client.sdk.outgoingPayment.create(
    { url: node.publicUrl, accessToken },
    { walletAddress, incomingPayment, debitAmount },
  );
  await expect
    .poll(async () => (await node.operator.payments.get({ id: made.id.split('/').at(-1) ?? '' })).status, { interval: 20 })
    .toBe('completed');
  return await client.sdk.outgoingPayment.get({ url: made.id, accessToken });
}

it('the node finds that the reference peer is there', async () => {
  expect(await node.operator.peers.test({ id: peer.id })).toMatchObject({ outcome: 'good', finding: 'accepted' });
});

it('the node warns when the setting says that the reference peer recognises repetitions, because it does not', async () => {
  await node.operator.peers.edit({ id: peer.id, deduplicates: true });
  expect(await node.operator.peers.test({ id: peer.id })).toMatchObject({ outcome: 'careful', finding: 'forgets_repetitions' });
  await node.operator.peers.edit({ id: peer.id, deduplicates: false });
});

it('the node pays through the peer, in packets as large as the peer lets through', async () => {
  const { url, payment } = wallet.createPayment();
  const before = reference.arrived.length;
  const paid = await payFrom(accounts.USD, url, '9000');
  expect(paid.sentAmount.value).toBe('9000');
  expect(payment.received).toBe(9_000n);
  const fitting = reference.arrived.slice(before).filter(({ amount }) => BigInt(amount) > 0n && BigInt(amount) <= MAX_PACKET);
  expect(fitting.length).toBe(5);
});

it('the node completes an incoming payment at the peer out of another currency', async () => {
  const { url, payment } = wallet.createPayment(3_267n);
  const paid = await payFrom(accounts.EUR, url, '3000');
  expect(payment).toMatchObject({ completed: true, received: 3_267n });
  expect(paid.receiveAmount).toEqual({ ...USD, value: '3267' });
});

/** Somebody at the reference peer pays an incoming payment of the node. */
async function paidThroughPeer({ methods: [method] }: Invoice, amount = '7531') {
  if (method?.type !== 'ilp') throw new Error('it cannot be paid');
  const plugin = new ReferencePlugin(reference, { endpoint: peer.endpoint, token: peer.token });
  const destination = await setupPayment({
    plugin,
    destinationAddress: method.ilpAddress,
    sharedSecret: Buffer.from(method.sharedSecret, 'base64url'),
  });
  const quote = await startQuote({
    ...{ plugin, destination, sourceAsset: reference.asset, amountToDeliver: amount, slippage: 0.01, prices: { USD: 1 } },
  });
  const progress = await pay({ plugin, destination, quote });
  await closeConnection(plugin, destination);
  return progress;
}

type Invoice = Pick<Awaited<ReturnType<typeof client.sdk.incomingPayment.create>>, 'methods'>;

it('the node is paid by the peer and tells the receiver what arrived', async () => {
  const token = await receivingToken(node, client);
  const invoice = await client.sdk.incomingPayment.create(
    { url: node.publicUrl, accessToken: token },
    { walletAddress: accounts.USD.walletAddress, incomingAmount: { ...USD, value: '7531' } },
  );
  const progress = await paidThroughPeer(invoice);
  const read = await client.sdk.incomingPayment.get({ url: invoice.id, accessToken: token });
  expect(read).toMatchObject({ completed: true, receivedAmount: { value: progress.amountDelivered.toString() } });
});

it('the node waits while the peer has no liquidity, and pays when the peer has some', async () => {
  const { url, payment } = wallet.createPayment();
  reference.liquidity = reference.position + 500n;
  const paying = payFrom(accounts.USD, url, '1500');
  await expect.poll(() => reference.refused.T04 ?? 0).toBeGreaterThan(0);
  reference.liquidity = 2n ** 62n;
  expect((await paying).sentAmount.value).toBe('1500');
  expect(payment.received).toBe(1_500n);
});

describe('a claim link of what somebody at the reference wallet has paid', () => {
  /** Alice pays a request and gets a claim link, and names her wallet there. */
  async function named() {
    const token = await receivingToken(node, client);
    const asked = { walletAddress: accounts.USD.walletAddress, incomingAmount: { ...USD, value: '1200' } };
    const invoice = await client.sdk.incomingPayment.create({ url: node.publicUrl, accessToken: token }, asked);
    await paidThroughPeer(invoice, '1200');
    wallet.hasPaid(invoice.id, 1_200n);
    const paymentId = invoice.id.split('/').at(-1) ?? '';
    await expect.poll(async () => (await node.operator.payments.get({ id: paymentId })).status).toBe('paid');
    const id = randomUUID();
    const { link } = await node.operator.claims.make({ requestId: id, paymentId, amount: 1_200n });
    const page = await visit(link ?? '', '', { wallet: `${wallet.origin}/alice` });
    const stands = async () => (await node.operator.claims.of({ paymentId })).claims.find((one) => one.id === id);
    return { ...{ id, paymentId, link: link ?? '', page, stands } };
  }

  it('is refunded there once she has allowed the node to ask what she has paid', async () => {
    const { paymentId, page, stands } = await named();
    const go = await visit(node.publicUrl + page.location, page.cookie);
    const interact = /url=([^"]+)"/.exec(go.body)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(new URL(interact).origin).toBe(wallet.origin);
    const before = reference.position;
    await visit((await visit(interact, '')).location, page.cookie);
    await expect.poll(async () => (await stands())?.state).toBe('refunded');
    await expect
      .poll(async () => (await node.operator.payments.get({ id: paymentId })).refunds.map(({ state }) => state))
      .toEqual(['done']);
    expect(reference.position - before).toBe(1_200n);
  });

  it('is left to the operator, in words, where her wallet gives no permission to ask', async () => {
    wallet.tellsPayments = false;
    const { id, paymentId, link, page, stands } = await named();
    await expect.poll(stands).toMatchObject({ state: 'deciding', wallet: { finding: 'grant_refused' } });
    expect(messages.claims.finding.grant_refused).toBe('This wallet does not let your node ask about payments. Nothing is proven.');
    expect((await visit(link, page.cookie)).body).toContain('The shop decides');
    expect((await node.operator.payments.get({ id: paymentId })).refunds).toEqual([]);
    const walletId = (await stands())?.wallet?.id ?? '';
    await node.operator.claims.refund({ id, walletId });
    await expect
      .poll(async () => (await node.operator.payments.get({ id: paymentId })).refunds.map(({ state }) => state))
      .toEqual(['done']);
    wallet.tellsPayments = true;
  });
});
