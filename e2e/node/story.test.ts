import { randomUUID } from 'node:crypto';
import { isFinalizedGrantWithAccessToken, OpenPaymentsClientError } from '@interledger/open-payments';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import {
  createAccount,
  finishSpending,
  readCode,
  receivingToken,
  requestSpending,
  type SpendingLimits,
  spendingToken,
  usd,
  waitingRequest,
} from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// The story a merchant and a client live through, with the built node and the official SDK, unmodified.

let node: RunningNode;
let client: ClientWallet;
let shop: Account;
let buyer: Account;

beforeAll(async () => {
  [node, client] = await Promise.all([RunningNode.start(), ClientWallet.start()]);
  [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', 50_000n)];
});
afterAll(async () => {
  await client.stop();
  expect(await node.stop()).toBe(0);
});

const problem = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OpenPaymentsClientError)) throw error ?? new Error('it was not refused');
  return { status: error.status, code: error.code, words: error.description };
};

const incomingToken = () => receivingToken(node, client);
const payingToken = (limits: SpendingLimits) => spendingToken(node, client, buyer.walletAddress, limits);

async function invoice(token: string, value?: string) {
  return await client.sdk.incomingPayment.create(
    { url: node.publicUrl, accessToken: token },
    {
      walletAddress: shop.walletAddress,
      ...(value !== undefined && { incomingAmount: usd(value) }),
      metadata: { description: 'Two books', externalRef: 'INV-7' },
    },
  );
}

async function whenEnded(id: string, accessToken: string) {
  for (;;) {
    const payment = await client.sdk.outgoingPayment.get({ url: id, accessToken });
    if (payment.failed || payment.sentAmount.value === payment.debitAmount.value) return payment;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a client that is paid', () => {
  it('reads the published wallet address and its keys', async () => {
    const walletAddress = await client.sdk.walletAddress.get({ url: shop.walletAddress });
    expect(walletAddress).toEqual({
      id: shop.walletAddress,
      publicName: 'The shop',
      assetCode: 'USD',
      assetScale: 2,
      authServer: `${node.publicUrl}/auth`,
      resourceServer: node.publicUrl,
    });
    // No app has a key there yet. This is the key with which the node itself asks other wallets in the name of the
    // account.
    const { keys } = await client.sdk.walletAddress.getKeys({ url: shop.walletAddress });
    expect(keys).toEqual([expect.objectContaining({ kid: expect.stringMatching(/^paydesk-/), kty: 'OKP', crv: 'Ed25519' })]);
    const page = await fetch(shop.walletAddress, { headers: { accept: 'text/html,application/xhtml+xml' } });
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain(shop.walletAddress);
  });

  it('creates, reads, lists and completes incoming payments', async () => {
    const token = await incomingToken();
    const created = await invoice(token, '1250');
    expect(created).toMatchObject({ completed: false, incomingAmount: usd('1250'), metadata: { externalRef: 'INV-7' } });
    const read = await client.sdk.incomingPayment.get({ url: created.id, accessToken: token });
    expect(read.methods).toEqual(created.methods);
    expect(await client.sdk.incomingPayment.getPublic({ url: created.id })).toEqual({
      authServer: `${node.publicUrl}/auth`,
      receivedAmount: usd('0'),
    });
    const list = await client.sdk.incomingPayment.list({ url: node.publicUrl, accessToken: token, walletAddress: shop.walletAddress });
    expect(list.result.map((payment) => payment.id)).toContain(created.id);
    expect(await client.sdk.incomingPayment.complete({ url: created.id, accessToken: token })).toMatchObject({ completed: true });
    const seen = await node.operator.payments.list({ direction: 'in', unpaid: true });
    expect(seen.items[0]).toMatchObject({ status: 'nothing_received', description: 'Two books', reference: 'INV-7', client: client.url });
  });
});

describe('a client that pays', () => {
  it('asks the operator, who sees who asks for what, and the browser comes back', async () => {
    const asked = await requestSpending(node, client, buyer.walletAddress, { debitAmount: usd('5000') });
    const code = await readCode(client, asked);
    const request = await waitingRequest(node);
    expect(request).toMatchObject({
      client: { id: client.url, host: new URL(client.url).host + new URL(client.url).pathname, selfAssertedName: 'Corner Bookshop' },
      account: { name: 'buyer' },
      returnsTo: client.finishUri,
      unlimited: false,
    });
    const wrong = code === '0000' ? '0001' : '0000';
    await expect(node.operator.approvals.approve({ id: request.id, code: wrong, shownHash: request.shownHash })).rejects.toMatchObject({
      code: 'WRONG_CODE',
    });
    await expect(node.operator.approvals.approve({ id: request.id, code, shownHash: 'something else' })).rejects.toMatchObject({
      code: 'CHANGED',
    });
    await node.operator.approvals.approve({ id: request.id, code, shownHash: request.shownHash });
    const back = await client.follow(asked.grant.interact.redirect);
    expect(back.searchParams.get('session')).toBe('7');
    expect((await finishSpending(node, client, asked, back.searchParams)).access).toHaveLength(2);
    expect(await node.operator.approvals.list()).toEqual([]);
  });

  it('pays from a quote and directly, within the limit but not beyond it', async () => {
    const receiving = await incomingToken();
    const token = await payingToken({ debitAmount: usd('5000') });
    const first = await invoice(receiving, '2600');
    const quote = await client.sdk.quote.create(
      { url: node.publicUrl, accessToken: token.value },
      { walletAddress: buyer.walletAddress, receiver: first.id, method: 'ilp' },
    );
    expect(quote).toMatchObject({ debitAmount: usd('2600'), receiveAmount: usd('2600') });
    const made = await client.sdk.outgoingPayment.create(
      { url: node.publicUrl, accessToken: token.value },
      { walletAddress: buyer.walletAddress, quoteId: quote.id, metadata: { description: 'Books' } },
    );
    expect(made).toMatchObject({ quoteId: quote.id, grantSpentDebitAmount: usd('2600'), grantSpentReceiveAmount: usd('2600') });
    expect(await whenEnded(made.id, token.value)).toMatchObject({ failed: false, sentAmount: usd('2600') });
    expect(await client.sdk.incomingPayment.get({ url: first.id, accessToken: receiving })).toMatchObject({
      completed: true,
      receivedAmount: usd('2600'),
      methods: [],
    });

    const second = await invoice(receiving);
    const direct = (value: string) =>
      client.sdk.outgoingPayment.create(
        { url: node.publicUrl, accessToken: token.value },
        { walletAddress: buyer.walletAddress, incomingPayment: second.id, debitAmount: usd(value) },
      );
    const paid = await direct('2400');
    await whenEnded(paid.id, token.value);
    expect(await problem(direct('1'))).toEqual({ status: 403, code: 'limit_exceeded', words: 'unauthorized' });
    expect(await client.sdk.outgoingPayment.getGrantSpentAmounts({ url: node.publicUrl, accessToken: token.value })).toEqual({
      spentDebitAmount: usd('5000'),
      spentReceiveAmount: usd('5000'),
    });
    const list = await client.sdk.outgoingPayment.list({
      url: node.publicUrl,
      accessToken: token.value,
      walletAddress: buyer.walletAddress,
    });
    expect(list.result.map((payment) => payment.id)).toEqual([paid.id, made.id]);
    const detail = await node.operator.payments.get({ id: made.id.split('/').at(-1) ?? '' });
    expect(detail).toMatchObject({ status: 'completed', packets: 1, client: client.url });
    expect(detail.timeline.map((entry) => entry.type)).toEqual(['outgoing_payment.created', 'outgoing_payment.completed']);
  });

  it('is refused without money, for a closed receiver and for a used quote, and nothing changes', async () => {
    const receiving = await incomingToken();
    const token = await payingToken({ debitAmount: usd('900000') });
    const before = (await node.operator.accounts.get({ id: buyer.id })).balance;
    const open = await invoice(receiving);
    const pay = (receiver: string, value: string) =>
      client.sdk.outgoingPayment.create(
        { url: node.publicUrl, accessToken: token.value },
        { walletAddress: buyer.walletAddress, incomingPayment: receiver, debitAmount: usd(value) },
      );
    expect(await problem(pay(open.id, '800000'))).toMatchObject({ status: 403, code: 'insufficient_balance' });
    const closed = await invoice(receiving);
    await client.sdk.incomingPayment.complete({ url: closed.id, accessToken: receiving });
    expect(await problem(pay(closed.id, '1'))).toMatchObject({ status: 400, words: 'invalid receiver' });
    expect((await node.operator.accounts.get({ id: buyer.id })).balance).toBe(before);
    expect(await client.sdk.outgoingPayment.getGrantSpentAmounts({ url: node.publicUrl, accessToken: token.value })).toEqual({
      spentDebitAmount: null,
      spentReceiveAmount: null,
    });
  });

  it('is told when the operator denies its grant request', async () => {
    const asked = await requestSpending(node, client, buyer.walletAddress, { debitAmount: usd('1') });
    await readCode(client, asked);
    await node.operator.approvals.deny({ id: (await waitingRequest(node)).id });
    const back = await client.follow(asked.grant.interact.redirect);
    expect(Object.fromEntries(back.searchParams)).toEqual({ session: '7', result: 'grant_rejected' });
    const { uri, access_token } = asked.grant.continue;
    const refused = await problem(client.sdk.grant.continue({ url: uri, accessToken: access_token.value }, { interact_ref: randomUUID() }));
    expect(refused.status).toBe(404);
  });
});

describe('the node', () => {
  it('lets the client rotate and revoke its token, and lets the operator revoke too', async () => {
    const token = await payingToken({ debitAmount: usd('100'), interval: 'R/2026-01-01T00:00:00Z/P1M' });
    const use = (accessToken: string) => client.sdk.outgoingPayment.getGrantSpentAmounts({ url: node.publicUrl, accessToken });
    const rotated = await client.sdk.token.rotate({ url: token.manage, accessToken: token.value });
    expect(rotated.access_token.value).not.toBe(token.value);
    expect((await problem(use(token.value))).status).toBe(401);
    await use(rotated.access_token.value);

    const { items } = await node.operator.apps.grants({});
    const grant = items.find((item) => item.tokens.some(({ id }) => rotated.access_token.manage.endsWith(id)));
    expect(grant).toMatchObject({ state: 'issued', client: { id: client.url } });
    expect(grant?.budgets[0]).toMatchObject({ limit: { value: 100n }, spent: { value: 0n } });
    const current = grant?.tokens[0]?.id ?? '';
    await node.operator.apps.rotateToken({ id: current });
    expect(await problem(use(rotated.access_token.value))).toMatchObject({ status: 401, words: 'Invalid Token' });
    const next = await client.sdk.token.rotate({ url: rotated.access_token.manage, accessToken: rotated.access_token.value });
    await use(next.access_token.value);

    const after = await node.operator.apps.grant({ id: grant?.id ?? '' });
    await node.operator.apps.revokeToken({ id: after.tokens[0]?.id ?? '' });
    expect((await problem(use(next.access_token.value))).status).toBe(401);
  });

  it('ends everything a grant allowed when the client cancels it', async () => {
    const grant = await client.sdk.grant.request(
      { url: `${node.publicUrl}/auth` },
      { access_token: { access: [{ type: 'incoming-payment', actions: ['create', 'read'] }] } },
    );
    if (!isFinalizedGrantWithAccessToken(grant)) throw new Error('no token');
    const created = await invoice(grant.access_token.value, '5');
    await client.sdk.grant.cancel({ url: grant.continue.uri, accessToken: grant.continue.access_token.value });
    expect((await problem(invoice(grant.access_token.value, '5'))).status).toBe(401);
    expect(await client.sdk.incomingPayment.getPublic({ url: created.id })).toMatchObject({ receivedAmount: usd('0') });
  });
});
