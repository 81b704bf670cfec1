import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from '../../src-shared/zod.ts';
import { ALICE, CAROL, incomingPayment } from './testing/error-cases.ts';
import { grantOf, startGrant } from './testing/grant-steps.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
beforeEach(async () => {
  node = await openTestNode();
});
afterEach(() => node.close());

const usd = (value: string) => ({ value, assetCode: 'USD', assetScale: 2 });
const HOUR = 3_600_000;

const TokenAnswer = z.object({
  access_token: z.object({ value: z.string(), manage: z.string(), expires_in: z.number(), access: z.array(z.unknown()) }),
});

/** Asks for a right to spend 10.00. The operator approves it with these terms. */
async function approvedWith(terms: { debitLimit?: bigint; expiresAt?: Date }) {
  const started = await startGrant(node, {
    access_token: {
      access: [{ type: 'outgoing-payment', actions: ['create', 'read', 'list'], identifier: ALICE, limits: { debitAmount: usd('1000') } }],
    },
    interact: { start: ['redirect'], finish: { method: 'redirect', uri: 'https://shop.example/back', nonce: 'n' } },
  });
  const { id } = await grantOf(node, started.continuation);
  const page = await node.app.inject({ url: new URL(started.redirect).pathname, headers: { accept: 'text/html' } });
  const code = /class="code"[^>]*>(\d{4})</.exec(page.body)?.[1] ?? '';
  const { shownHash = '' } = (await node.access.views.getApproval(id)) ?? {};
  expect(await node.access.approvals.approve({ id, code, shownHash, ...terms })).toEqual({ ok: true, value: undefined });
  const fetchToken = () =>
    node.call({
      method: 'POST',
      ...started.continuation,
      body: { interact_ref: node.access.continuations.interactRef(id) },
    });
  return { id, fetchToken, continuation: started.continuation };
}

const pay = async (token: string, value: string) =>
  await node.call({
    method: 'POST',
    path: '/outgoing-payments',
    token,
    body: { walletAddress: ALICE, incomingPayment: await incomingPayment(node, { walletAddress: CAROL }), debitAmount: usd(value) },
  });

test('a client gets the limit the operator has set, is told so, and is held to it', async () => {
  const { fetchToken } = await approvedWith({ debitLimit: 300n });
  const answer = await fetchToken();
  const { access_token: token } = TokenAnswer.parse(answer.body);
  expect(token.access).toEqual([
    { type: 'outgoing-payment', actions: ['create', 'read', 'list'], identifier: ALICE, limits: { debitAmount: usd('300') } },
  ]);
  expect(token.expires_in).toBe(600);
  expect((await pay(token.value, '301')).status).toBe(403);
  expect((await pay(token.value, '300')).status).toBe(201);
  const rotated = await node.call({ method: 'POST', path: new URL(token.manage).pathname, token: token.value });
  expect(TokenAnswer.parse(rotated.body).access_token.access).toEqual(token.access);
});

test('everything that a grant allowed ends at the time that the operator set', async () => {
  const expiresAt = new Date(node.clock.now() + HOUR);
  const { id, fetchToken, continuation } = await approvedWith({ expiresAt });
  let token = TokenAnswer.parse((await fetchToken()).body).access_token;
  node.clock.advance(HOUR - 100_000);
  token = TokenAnswer.parse(
    (await node.call({ method: 'POST', path: new URL(token.manage).pathname, token: token.value })).body,
  ).access_token;
  // This is shorter than the usual lifetime of a token.
  expect(token.expires_in).toBe(100);
  const made = await pay(token.value, '1');
  expect(made.status).toBe(201);
  const { id: url } = z.looseObject({ id: z.string() }).parse(made.body);

  node.clock.advance(99_999);
  const reads: (() => Promise<number>)[] = [
    new URL(url).pathname,
    `/outgoing-payments?wallet-address=${ALICE}`,
    '/outgoing-payment-grant',
  ].map((path) => async () => (await node.call({ method: 'GET', path, token: token.value })).status);
  for (const read of reads) expect(await read()).toBe(200);
  node.clock.advance(1);
  for (const read of reads) expect(await read()).toBe(401);
  expect((await pay(token.value, '1')).status).toBe(401);
  const rotation = await node.call({ method: 'POST', path: new URL(token.manage).pathname, token: token.value });
  expect([rotation.status, rotation.body]).toMatchObject([400, { error: { code: 'invalid_rotation' } }]);
  const again = await fetchToken();
  expect([again.status, JSON.stringify(again.body)]).toEqual([again.status, expect.not.stringContaining('access_token')]);
  expect(again.status).toBeGreaterThanOrEqual(400);
  const { tokens, state } = (await node.access.views.getGrant(id)) ?? {};
  expect(state).toBe('expired');
  expect(await node.access.tokens.rotateByOperator(tokens?.[0]?.id ?? '')).toEqual({ ok: false, error: 'ended' });
  // The payment that the grant made stays, and the client may still end the grant.
  expect(await node.payments.outgoingPayments.find(url.split('/').at(-1) ?? '')).toBeDefined();
  expect((await node.call({ method: 'DELETE', ...continuation })).status).toBe(204);
});

test('the node does not repeat a lost answer after the end of the grant', async () => {
  const { fetchToken } = await approvedWith({ expiresAt: new Date(node.clock.now() + 5_000) });
  expect((await fetchToken()).status).toBe(200);
  node.clock.advance(4_999);
  expect((await fetchToken()).status).toBe(200);
  node.clock.advance(1);
  expect((await fetchToken()).status).toBeGreaterThanOrEqual(400);
});

test('an app is no stranger any more from the moment at which the operator approves', async () => {
  const tier = () => node.access.tiers.tierOf({ kind: 'wallet-address', id: node.shop.url, walletAddress: node.shop.url });
  expect(await tier()).toBe('stranger');
  const { fetchToken } = await approvedWith({});
  expect(await tier()).toBe('known');
  await fetchToken();
  expect(await tier()).toBe('known');
});
