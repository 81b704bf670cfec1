import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { grants } from '../access/tables.ts';
import { newPeer } from '../peers/testing/peers.ts';
import type { OutboundHttp } from '../platform/outbound-http/outbound-http.ts';
import { ok, refuse } from '../platform/result.ts';
import { EVERYTHING } from './testing/error-cases.ts';
import { ORIGIN, openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
beforeEach(async () => {
  node = await openTestNode({ config: { clientRate: 20_000 } });
});
afterEach(() => node.close());

/** Bodies near the largest that is taken. */
const LARGE = { text: 'x'.repeat(15_000) };
/** More than a stranger may store at once, and less than an hour of strangers. */
const MANY = 300;

/** Asks for payments until the node refuses one. */
async function payments(token: string): Promise<{ made: number; last: Awaited<ReturnType<TestNode['call']>> }> {
  const ask = (n: number) =>
    node.call({
      method: 'POST',
      path: '/incoming-payments',
      token,
      body: { walletAddress: `${ORIGIN}/alice`, metadata: { ...LARGE, n } },
    });
  for (let made = 0; ; made++) {
    const last = await ask(made);
    if (last.status !== 201 || made === MANY) return { made, last };
  }
}

it('a stranger that stores all it can is told when it may go on', async () => {
  const { made, last } = await payments(await node.giveToken(EVERYTHING));
  expect(made).toBeLessThan(MANY);
  expect([last.status, Number(last.headers['retry-after']) > 0]).toEqual([429, true]);
  node.clock.advance(Number(last.headers['retry-after']) * 1_000);
  expect((await payments(await node.giveToken(EVERYTHING))).made).toBeGreaterThan(0);
});

it('a stranger pays for the grant that the node keeps of a receiver elsewhere', async () => {
  const limits = node.app.rateLimits;
  if (limits === undefined) throw new Error('the node has no limits');
  const costs = vi.spyOn(limits, 'refuseCost');
  const token = await node.giveToken(EVERYTHING);
  const receiver = 'https://wallet.example/incoming-payments/1';
  await node.call({ method: 'POST', path: '/quotes', token, body: { walletAddress: `${ORIGIN}/alice`, method: 'ilp', receiver } });
  const elsewhere = costs.mock.calls.filter(([, , asked]) => asked === receiver);
  expect(elsewhere.map(([, cost]) => cost)).toEqual([{ outbound: 4, bytes: 16_000 }]);
});

it('an app that the operator allowed is no stranger', async () => {
  const token = await node.giveToken(EVERYTHING);
  await node.database.write((tx) => tx.update(grants).set({ interactive: true }).where(eq(grants.clientId, node.shop.url)));
  expect((await payments(token)).made).toBe(MANY);
});

it('nobody makes the node ask for keys of unknown clients without end', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 200; n++) {
    const body = { client: `https://h${n}.example/x`, access_token: { access: [{ type: 'quote', actions: ['create'] }] } };
    statuses.push((await node.call({ method: 'POST', path: '/auth', body })).status);
  }
  expect(statuses.filter((status) => status !== 429)).toHaveLength(150);
});

it('when strangers from everywhere have used up what the node asks for them, the next one hears that the node is busy', async () => {
  const payload = JSON.stringify({ client: 'https://h.example/x', access_token: { access: [{ type: 'quote', actions: ['create'] }] } });
  const ask = (n: number) =>
    node.app.inject({
      method: 'POST',
      url: '/auth',
      headers: { 'content-type': 'application/json' },
      remoteAddress: `203.0.${n >> 8}.${n & 255}`,
      payload,
    });
  for (let n = 0; n < 500; n++) await ask(n);
  const { statusCode, headers, body } = await ask(600);
  expect([statusCode, JSON.parse(body).error.code, Number(headers['retry-after']) > 0]).toEqual([503, 'busy', true]);
});

it('a client whose key the node has no place to look up hears that the node is busy, at a resource and at the authorization server', async () => {
  await node.close();
  const full: OutboundHttp = { getJson: async () => refuse('busy'), requestJson: async () => refuse('busy'), close: () => undefined };
  node = await openTestNode({ others: new Map([[new URL(node.shop.url).origin, full]]) });
  const grantRequest = { client: node.shop.url, access_token: { access: [{ type: 'quote', actions: ['create'] }] } };
  const answers = [
    await node.call({ method: 'GET', path: '/quotes/1', token: await node.giveToken(EVERYTHING) }),
    await node.call({ method: 'POST', path: '/auth', body: grantRequest }),
  ];
  for (const { status, headers, body } of answers) {
    expect([status, body, headers['retry-after']]).toMatchObject([503, { error: { code: 'busy' } }, '2']);
  }
});

it('what a visitor of a payment page makes the node ask counts for the network of the visitor', async () => {
  await node.close();
  const asked: unknown[] = [];
  const wallet = {
    id: 'https://wallet.example/v',
    assetCode: 'USD',
    assetScale: 2,
    authServer: 'https://wallet.example/auth',
    resourceServer: 'https://wallet.example',
  };
  const http: OutboundHttp = {
    getJson: async (url, behalf) => {
      asked.push(['GET', behalf?.pool, behalf?.caller]);
      return ok({ status: 200, body: wallet, url });
    },
    requestJson: async (method, _url, behalf) => {
      asked.push([method, behalf.pool, behalf.caller]);
      return refuse('unreachable');
    },
    close: () => undefined,
  };
  node = await openTestNode({ others: new Map([['https://wallet.example', http]]) });
  await node.payments.peers.operator.registry.add(newPeer({ id: randomUUID(), creditLimit: 100_000n }));
  const made = await node.call({
    method: 'POST',
    path: '/incoming-payments',
    token: await node.giveToken(EVERYTHING),
    body: { walletAddress: `${ORIGIN}/alice`, incomingAmount: { value: '100', assetCode: 'USD', assetScale: 2 } },
  });
  const id = (made.body as { id: string }).id.split('/').at(-1);
  await node.app.inject({
    method: 'POST',
    url: `/pay/${id}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN },
    remoteAddress: '203.0.113.9',
    payload: 'wallet=https%3A%2F%2Fwallet.example%2Fv',
  });
  expect(asked).toEqual([
    ['GET', 'checkout', '203.0.113.9'],
    ['POST', 'checkout', '203.0.113.9'],
    // Without a price the node looks why there is none.
    ['POST', 'checkout', '203.0.113.9'],
  ]);
});
