import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { grants } from '../access/tables.ts';
import { EVERYTHING } from './testing/error-cases.ts';
import { openTestNode, type TestClient, type TestNode } from './testing/test-node.ts';

const NAT = '192.0.2.1';
const PATH = '/outgoing-payment-grant';
const ASKED = { access_token: { access: [{ type: 'incoming-payment', actions: ['create'] }] } };

let node: TestNode;
beforeEach(async () => {
  node = await openTestNode({ config: { addressRate: 20_000, clientRate: 20_000 } });
});
afterEach(() => node.close());

/** A token of a client that the operator has allowed. */
async function allowedToken(client: TestClient): Promise<string> {
  const token = await node.giveToken(EVERYTHING, client);
  await node.database.write((tx) => tx.update(grants).set({ interactive: true }).where(eq(grants.clientId, client.url)));
  return token;
}

async function from(remoteAddress: string, call: Parameters<TestNode['signed']>[0]): Promise<number> {
  return (await node.app.inject({ ...node.signed(call), remoteAddress })).statusCode;
}

const grantOf = (client: TestClient) => ({ method: 'POST' as const, path: '/auth', client, body: { client: client.url, ...ASKED } });

/** A thousand bad signatures a second. */
async function attack(seconds: number, token = 'guessed', client = node.other): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  for (let n = 0; n < seconds * 1_000; n++) {
    node.clock.advance(1);
    const status = await from(NAT, { method: 'GET', path: PATH, token, client });
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

it('a network that fails too often is refused unread, and the app behind its address that signs well is not', async () => {
  const token = await allowedToken(node.shop);
  const read = { method: 'GET' as const, path: PATH, token };
  expect(await from(NAT, read)).toBe(200);
  const statuses = await attack(3);
  expect(statuses[401]).toBeLessThanOrEqual(200 + 3 * 2);
  const refused = await node.app.inject({ url: PATH, remoteAddress: NAT });
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1']);

  expect(await from(NAT, read)).toBe(200);
  expect(await from(NAT, grantOf(node.shop))).toBe(200);
  expect(await from('192.0.2.2', grantOf(node.other))).toBe(200);
});

it('an app with a token never waits because a stranger writes the id of the app’s key', async () => {
  const token = await allowedToken(node.shop);
  expect(await from(NAT, { method: 'GET', path: PATH, token })).toBe(200);
  const forger = { ...node.other, key: { ...node.other.key, jwk: { ...node.other.key.jwk, kid: node.shop.key.jwk.kid } } };
  const statuses = await attack(3, 'guessed', forger);
  expect(statuses[401]).toBeLessThanOrEqual(2 * (200 + 3 * 2));
  expect(await from(NAT, { method: 'GET', path: PATH, token })).toBe(200);
  expect(await from('192.0.2.2', grantOf(node.shop))).toBe(200);
});

it('a key that somebody made up does not make its network known', async () => {
  const token = await node.giveToken(EVERYTHING, node.shop);
  expect(await from(NAT, { method: 'GET', path: PATH, token })).toBe(200);
  await attack(1);
  expect(await from(NAT, { method: 'GET', path: PATH, token })).toBe(429);
});

it('an app that is allowed no more is a stranger among strangers', async () => {
  const token = await allowedToken(node.shop);
  expect(await from(NAT, { method: 'GET', path: PATH, token })).toBe(200);
  await node.database.write((tx) => tx.update(grants).set({ interactive: false }));
  node.clock.advance(5_000);
  expect(await from(NAT, { method: 'GET', path: PATH, token })).toBe(200);
  await attack(1);
  expect(await from(NAT, { method: 'GET', path: PATH, token })).toBe(429);
});

it('a stranger that signs well and makes the node fail is refused unread, and the app that does so is not', async () => {
  const [own, other] = [await allowedToken(node.shop), await node.giveToken(EVERYTHING, node.other)];
  const failing = vi.spyOn(node.payments.quotes, 'find').mockRejectedValue(new Error('a fault of the node'));
  const id = randomUUID();
  const provoke = (token: string, client: TestClient) => from(NAT, { method: 'GET', path: `/quotes/${id}`, token, client });
  for (let n = 0; n < 300; n++) expect(await provoke(own, node.shop)).toBe(500);
  expect(await from(NAT, { method: 'GET', path: PATH, token: other, client: node.other })).toBe(200);
  let caused = 0;
  while (caused < 1_000 && (await provoke(other, node.other)) === 500) caused += 1;
  expect(caused).toBeLessThanOrEqual(200);
  expect((await node.app.inject({ url: PATH, remoteAddress: NAT })).statusCode).toBe(429);
  expect(await provoke(own, node.shop)).toBe(500);
  failing.mockRestore();
});

it('whoever watches the node is answered whatever others do behind the same address', async () => {
  await attack(1);
  for (const url of ['/healthz', '/readyz']) expect((await node.app.inject({ url, remoteAddress: NAT })).statusCode).toBe(200);
});

describe('a refusal', () => {
  let waiting: PromiseWithResolvers<void>[];
  beforeEach(async () => {
    waiting = [];
    await node.close();
    const holdBack = () => {
      const held = Promise.withResolvers<void>();
      waiting.push(held);
      return held.promise;
    };
    node = await openTestNode({ config: { addressRate: 20_000, clientRate: 20_000 }, holdBack });
  });

  it('keeps a stranger waiting that comes again at once, and nobody else', async () => {
    const token = await allowedToken(node.shop);
    const guess = { method: 'GET' as const, path: PATH, token: 'guessed', client: node.other };
    expect(await from(NAT, { method: 'GET', path: PATH, token })).toBe(200);
    for (let n = 0; n < 200; n++) expect(await from(NAT, guess)).toBe(401);
    expect(waiting).toEqual([]);
    const refused = from(NAT, guess);
    await vi.waitUntil(() => waiting.length === 1);
    expect(await from(NAT, { method: 'GET', path: PATH, token })).toBe(200);
    waiting[0]?.resolve();
    expect(await refused).toBe(429);
  });
});
