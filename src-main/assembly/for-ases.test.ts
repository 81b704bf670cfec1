import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from '../../src-shared/zod.ts';
import { ALICE, CAROL, EVERYTHING, pathOf, usd } from './testing/error-cases.ts';
import { startGrant } from './testing/grant-steps.ts';
import { ORIGIN, openTestNode, type TestNode } from './testing/test-node.ts';

// What the pages "For ASEs" of Open Payments say beside the OpenAPI documents (protocol-notes.md#PN-39), over HTTP, one
// test for each thing that a server must do. Where a file of its own tests it, that file is named there.

let node: TestNode;
beforeEach(async () => {
  node = await openTestNode();
});
afterEach(() => node.close());

const RECEIVE = { access_token: { access: [{ type: 'incoming-payment', actions: ['create', 'read'] }] } };
const PAY = { access_token: { access: [{ type: 'outgoing-payment', actions: ['create', 'read'], identifier: ALICE }] } };
const Incoming = z.object({
  id: z.string(),
  completed: z.boolean(),
  methods: z.array(z.object({ type: z.string(), ilpAddress: z.string(), sharedSecret: z.string() })).optional(),
});

async function request(token: string, more: object = {}) {
  const made = await node.call({ method: 'POST', path: '/incoming-payments', token, body: { walletAddress: CAROL, ...more } });
  return Incoming.parse(made.body);
}
const read = (url: string, token: string) => node.call({ method: 'GET', path: pathOf(url), token });
async function tokenOf(access: object) {
  const { token, continuation } = await startGrant(node, access);
  if (token === undefined) throw new Error('there is no token');
  return { ...token, continuation };
}

describe('the server of wallet addresses', () => {
  it('tells the identifier that was used, the name, the asset and both servers, and the keys beside it', async () => {
    const answer = await node.call({ method: 'GET', path: '/alice' });
    expect(answer).toMatchObject({
      status: 200,
      body: { id: ALICE, publicName: 'alice', assetCode: 'USD', assetScale: 2, authServer: `${ORIGIN}/auth`, resourceServer: ORIGIN },
    });
    expect(await node.call({ method: 'GET', path: '/alice/jwks.json' })).toMatchObject({
      status: 200,
      body: { keys: [{ crv: 'Ed25519' }] },
    });
  });

  it('gives nobody access to one wallet address who has it to another', async () => {
    const { token } = await tokenOf({
      access_token: { access: [{ type: 'incoming-payment', actions: ['create'], identifier: ALICE }] },
    });
    const ask = (walletAddress: string) => node.call({ method: 'POST', path: '/incoming-payments', token, body: { walletAddress } });
    // What is not the client's looks as if it did not exist.
    expect([(await ask(ALICE)).status, (await ask(CAROL)).status]).toEqual([201, 404]);
  });
});

describe('the authorization server', () => {
  it.each(['incoming-payment', 'quote'])('gives a client that only shows its key a token for %s at once', async (type) => {
    const access = { access_token: { access: [{ type, actions: ['create'] }] }, client: { jwk: node.shop.key.jwk } };
    const answer = await node.call({ method: 'POST', path: '/auth', body: access });
    expect(answer).toMatchObject({ status: 200, body: { access_token: { value: expect.any(String) } } });
  });

  it('gives no token to pay before the person has agreed, and lets the client poll with a pause', async () => {
    const body = { ...PAY, interact: { start: ['redirect'] }, client: node.shop.url };
    const answer = await node.call({ method: 'POST', path: '/auth', body });
    expect(answer).toMatchObject({
      status: 200,
      body: { interact: { redirect: expect.any(String) }, continue: { wait: expect.any(Number) } },
    });
    expect(answer.body).not.toHaveProperty('access_token');
    const { continuation } = await startGrant(node, { ...PAY, interact: { start: ['redirect'] } });
    node.clock.advance(60_000);
    const polled = await node.call({ method: 'POST', path: continuation.path, token: continuation.token });
    expect(polled).toMatchObject({ status: 200, body: { continue: { wait: expect.any(Number) } } });
    expect(polled.body).not.toHaveProperty('access_token');
  });

  it('ends the token that was rotated, the one that was revoked, and all of a grant that was ended', async () => {
    const url = (await request(await node.giveToken(EVERYTHING))).id;
    const statusWith = async (token: string) => (await read(url, token)).status;
    const refused = 401;
    const rotated = await tokenOf(RECEIVE);
    expect(await statusWith(rotated.token)).not.toBe(refused);
    expect((await node.call({ method: 'POST', path: rotated.path, token: rotated.token })).status).toBe(200);
    const revoked = await tokenOf(RECEIVE);
    expect((await node.call({ method: 'DELETE', path: revoked.path, token: revoked.token })).status).toBe(204);
    const ended = await tokenOf(RECEIVE);
    const { path, token } = ended.continuation;
    expect((await node.call({ method: 'DELETE', path, token })).status).toBe(204);
    for (const dead of [rotated, revoked, ended]) expect(await statusWith(dead.token)).toBe(refused);
  });
});

describe('the resource server', () => {
  it('gives each incoming payment an ILP address and a secret of 32 bytes, no two the same', async () => {
    const token = await node.giveToken(EVERYTHING);
    const made = [await request(token), await request(token, { metadata: { n: 2 } })];
    const methods = made.flatMap((one) => one.methods ?? []);
    expect(methods.map(({ type }) => type)).toEqual(['ilp', 'ilp']);
    for (const { sharedSecret } of methods) expect(Buffer.from(sharedSecret, 'base64url')).toHaveLength(32);
    expect(new Set(methods.map(({ sharedSecret }) => sharedSecret)).size).toBe(2);
  });

  it('takes no more than was asked for, completes the payment then, and keeps the price of a quote for a while', async () => {
    const token = await node.giveToken(EVERYTHING);
    const { id } = await request(token, { incomingAmount: usd('100') });
    const quote = () => node.call({ method: 'POST', path: '/quotes', token, body: { walletAddress: ALICE, receiver: id, method: 'ilp' } });
    const [first, second] = [await quote(), await quote()];
    expect(first.body).toMatchObject({ debitAmount: usd('100'), receiveAmount: usd('100'), expiresAt: expect.any(String) });
    const pay = (answer: typeof first) =>
      node.call({
        method: 'POST',
        path: '/outgoing-payments',
        token,
        body: { walletAddress: ALICE, quoteId: (answer.body as { id: string }).id },
      });
    const made = await pay(first);
    expect(made.status).toBe(201);
    await node.payments.worker.start();
    await expect.poll(async () => (await read(id, token)).body).toMatchObject({ completed: true, receivedAmount: usd('100') });
    if (second.status === 201) expect((await pay(second)).status).toBe(400);
    expect((await quote()).status).toBe(400);
  });
});
