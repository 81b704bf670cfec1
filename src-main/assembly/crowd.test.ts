import { eq } from 'drizzle-orm';
import { afterEach, expect, it } from 'vitest';
import { accessTokens, grants, strangerRows } from '../access/tables.ts';
import { events } from '../journal/tables.ts';
import { brokenInvariants } from '../ledger/testing/invariants.ts';
import { crowdRule } from '../payments/crowd.ts';
import { incomingPayments, quotes } from '../payments/tables.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { Retention } from '../platform/retention/retention.ts';
import { EVERYTHING, usd } from './testing/error-cases.ts';
import { grantOf, startGrant, asked as waitingGrant } from './testing/grant-steps.ts';
import { ORIGIN, openTestNode, type TestNode } from './testing/test-node.ts';

const LIMITS = { key: 50, origin: 50, network: 50, node: 10, few: 2, nodeWithFew: 12 };
const HOUR_MS = 60 * 60_000;

let node: TestNode;
afterEach(async () => {
  expect(await brokenInvariants(node.database.read)).toEqual([]);
  expect(await node.test.brokenReferences()).toEqual([]);
  await node.close();
});
const open = async () => {
  node = await openTestNode({ config: { clientRate: 20_000 }, rowLimits: LIMITS });
};
/** A visitor makes a payment on the page of a wallet address. */
const visit = async (remoteAddress: string): Promise<number> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN };
  return (await node.app.inject({ method: 'POST', url: '/pay', headers, remoteAddress, payload: 'account=alice&amount=1' })).statusCode;
};
const makeRoom = async (most: number): Promise<number> => {
  const { database, clock } = node;
  const rules = [crowdRule({ node: most })];
  const retention = new Retention({ database, clock, log: createLogger('error'), rules, pause: async () => undefined });
  return (await retention.runOnce()).get('crowd') ?? 0;
};
const left = async (): Promise<string[]> => (await node.database.read.select().from(strangerRows)).map(({ thingId }) => thingId);
const asked = async () => (await node.database.read.select().from(incomingPayments)).map(({ id }) => id);

it('made-up networks that have taken all places make room within an hour, the oldest things first', async () => {
  await open();
  for (let n = 0; n < LIMITS.nodeWithFew; n++) {
    node.clock.advance(1);
    expect(await visit(`203.0.113.${n}`)).toBe(303);
  }
  expect(await visit('198.51.100.1')).toBe(503);
  expect(await makeRoom(LIMITS.node)).toBe(0);
  const before = await asked();
  node.clock.advance(HOUR_MS + LIMITS.nodeWithFew);
  expect(await makeRoom(LIMITS.node)).toBe(2);
  expect(await asked()).toEqual(before.slice(2));
  expect(await left()).toHaveLength(LIMITS.node);
  const told = await node.database.read.select().from(events);
  expect(told.filter(({ subject }) => before.slice(0, 2).includes(subject))).toEqual([]);
  expect(await visit('198.51.100.1')).toBe(303);
  expect(await makeRoom(20)).toBe(0);
});

it('the network with the most gives way, and what is younger than an hour stays', async () => {
  await open();
  expect(await visit('198.51.100.1')).toBe(303);
  for (let n = 0; n < 8; n++) expect(await visit('203.0.113.9')).toBe(303);
  const [honest] = await asked();
  node.clock.advance(HOUR_MS + 1);
  expect(await visit('203.0.113.9')).toBe(303);
  const young = (await asked()).at(-1);
  expect(await makeRoom(3)).toBe(7);
  expect(await asked()).toEqual([honest, expect.anything(), young]);
  expect(await makeRoom(0)).toBe(2);
  expect(await asked()).toEqual([young]);
});

it('of everything that strangers leave, only what nobody paid, used or allowed goes, and nothing that something refers to', async () => {
  await open();
  const token = await node.giveToken(EVERYTHING);
  const post = async (path: string, body: object) => {
    const answer = await node.call({ method: 'POST', path, token, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return String((answer.body as { id: string }).id);
  };
  const request = () => post('/incoming-payments', { walletAddress: `${ORIGIN}/carol`, incomingAmount: usd('100') });
  const quote = (receiver: string) => post('/quotes', { walletAddress: `${ORIGIN}/alice`, receiver, method: 'ilp' });
  const [paid, priced] = [await request(), await request()];
  await request();
  const unused = await quote(priced);
  const used = await quote(paid);
  await post('/outgoing-payments', { walletAddress: `${ORIGIN}/alice`, quoteId: used });
  const nothing = { access_token: { access: [{ type: 'incoming-payment' as const, actions: ['create' as const] }] } };
  const idle = await grantOf(node, (await startGrant(node, nothing)).continuation);
  const waiting = await waitingGrant(node);
  const kept = (await node.database.read.select().from(grants)).filter(({ lastUsedAt, interactive }) => lastUsedAt !== null || interactive);
  node.clock.advance(HOUR_MS + 1);
  // The request with a price goes in the next round, when its price has gone.
  await makeRoom(0);
  await makeRoom(0);
  const idOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
  expect(await asked()).toEqual([idOf(paid)]);
  const prices = (await node.database.read.select().from(quotes)).map(({ id }) => id);
  expect([prices.includes(idOf(unused)), prices.includes(idOf(used))]).toEqual([false, true]);
  const stay = (await node.database.read.select().from(grants)).map(({ id }) => id);
  expect(stay).toEqual(expect.arrayContaining([...kept.map(({ id }) => id), waiting.id]));
  expect(stay).not.toContain(idle.id);
  const tokens = (await node.database.read.select().from(accessTokens)).map(({ grantId }) => grantId);
  expect(tokens.every((id) => stay.includes(id))).toBe(true);
});

it('what was made long ago and is used now stays', async () => {
  await open();
  const grant = { access_token: { access: [{ type: 'incoming-payment' as const, actions: ['create' as const] }] } };
  const { id } = await grantOf(node, (await startGrant(node, grant)).continuation);
  const body = { walletAddress: `${ORIGIN}/carol`, incomingAmount: usd('100') };
  const request = await node.call({ method: 'POST', path: '/incoming-payments', token: await node.giveToken(EVERYTHING), body });
  const { id: receiver } = request.body as { id: string };
  expect(await visit('203.0.113.9')).toBe(303);
  node.clock.advance(HOUR_MS + 1);
  const price = { walletAddress: `${ORIGIN}/alice`, receiver, method: 'ilp' };
  const priced = await node.call({ method: 'POST', path: '/quotes', token: await node.giveToken(EVERYTHING), body: price });
  expect(priced.status).toBe(201);
  await node.database.write((tx) => tx.update(grants).set({ lastUsedAt: node.clock.now() }).where(eq(grants.id, id)));
  await makeRoom(0);
  expect((await node.database.read.select().from(grants)).map((one) => one.id)).toContain(id);
  expect(await asked()).toEqual([receiver.slice(receiver.lastIndexOf('/') + 1)]);
});

it('nothing goes of a client that brings money', async () => {
  await open();
  const token = await node.giveToken(EVERYTHING);
  for (let n = 0; n < 4; n++)
    await node.call({ method: 'POST', path: '/incoming-payments', token, body: { walletAddress: `${ORIGIN}/alice`, metadata: { n } } });
  const [first] = await asked();
  await node.test.tamper('update incoming_payments set received = 1 where id = ?', first ?? '');
  expect(await visit('203.0.113.9')).toBe(303);
  node.clock.advance(HOUR_MS + 1);
  expect(await makeRoom(0)).toBe(1);
  expect(await asked()).toHaveLength(4);
  // After thirty days without another payment it is a stranger again.
  node.clock.advance(30 * 24 * HOUR_MS - HOUR_MS - 60_000);
  expect(await makeRoom(0)).toBe(0);
  node.clock.advance(120_000);
  expect(await makeRoom(0)).toBeGreaterThanOrEqual(3);
  expect(await asked()).toEqual([first]);
  await node.test.tamper('update incoming_payments set received = 0 where id = ?', first ?? '');
});
