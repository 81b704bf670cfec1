import { afterEach, expect, it } from 'vitest';
import { StrangerRows } from '../access/clients/stranger-rows.ts';
import { strangerRowRule } from '../access/retention.ts';
import { strangerRows } from '../access/tables.ts';
import { EVERYTHING } from './testing/error-cases.ts';
import { ORIGIN, openTestNode, type TestNode } from './testing/test-node.ts';

const PAY = 'update incoming_payments set received = 1 where id = ?';
const LIMITS = { key: 5, origin: 8, network: 8, node: 10, few: 2, nodeWithFew: 12 };
/** What one stranger may do in this time is far more than it does here. */
const RATES = { clientRate: 20_000 };

let node: TestNode;
afterEach(() => node.close());

const ask = (token: string, client = node.shop, more: object = {}) =>
  node.call({ method: 'POST', path: '/incoming-payments', token, client, body: { walletAddress: `${ORIGIN}/alice`, ...more } });
const codeOf = ({ status, body }: Awaited<ReturnType<TestNode['call']>>) =>
  status === 201 ? 201 : [status, (body as { error: { code: string } }).error.code];

it('what a stranger leaves is bounded, and an app that the operator trusts is not', async () => {
  node = await openTestNode({ config: RATES, rowLimits: LIMITS });
  const token = await node.giveToken(EVERYTHING);
  for (let n = 0; n < LIMITS.key; n++) expect(codeOf(await ask(token))).toBe(201);
  const refused = await ask(token);
  expect([codeOf(refused), refused.headers['retry-after']]).toEqual([[429, 'too_many_requests'], '3600']);
  const grant = { client: node.shop.url, access_token: { access: [{ type: 'quote', actions: ['create'] }] } };
  expect((await node.call({ method: 'POST', path: '/auth', body: grant })).status).toBe(429);
  await node.access.tiers.choose(node.shop.url, 'known');
  for (let n = 0; n < 10; n++) expect(codeOf(await ask(token))).toBe(201);
  expect(await node.database.read.select().from(strangerRows)).toHaveLength(LIMITS.key);
});

it('a node that is full of what strangers left still hears those who left little', async () => {
  node = await openTestNode({ config: RATES, rowLimits: { ...LIMITS, key: 100, origin: 100, network: 100 } });
  const { strangerRows: rows } = node.access;
  const maker = (n: number) => ({ key: `k${n}`, origin: `o${n}`, network: `n${n}` });
  for (let n = 0; n < 10; n++) await rows.note(maker(1), `thing ${n}`);
  expect(await rows.refusalOf(maker(1))).toBe('node');
  for (const n of [2, 3]) {
    expect(await rows.refusalOf(maker(n))).toBeUndefined();
    await rows.note(maker(n), `more ${n}`);
  }
  expect(await rows.refusalOf(maker(4))).toBe('node');
});

it('one that has few things has fewer than the limit says, and a thing counts once however often it is noted', async () => {
  node = await openTestNode();
  const { database, clock } = node;
  let asked = 0;
  const countPaid = async () => {
    asked += 1;
    return 0;
  };
  const rows = new StrangerRows({ database, clock, limits: { ...LIMITS, few: 2, node: 3, nodeWithFew: 9 }, countPaid });
  for (const thing of ['1', '2', '3']) await rows.note({ key: 'a' }, thing);
  for (const thing of ['4', '4', '4']) {
    expect(await rows.refusalOf({ key: 'b' }), thing).toBeUndefined();
    await rows.note({ key: 'b' }, thing);
  }
  // A client that finds room costs no look at its payments.
  expect(asked).toBe(0);
  expect(await rows.refusalOf({ key: 'b' })).toBeUndefined();
  await rows.note({ key: 'b' }, '5');
  expect(await rows.refusalOf({ key: 'b' })).toBe('node');
  expect(asked).toBe(1);
});

it('a client that brings money is heard, however much of it lies there, until it brings too little', async () => {
  node = await openTestNode({ config: RATES, rowLimits: LIMITS });
  const token = await node.giveToken(EVERYTHING);
  const ids: string[] = [];
  for (let n = 0; n < LIMITS.key; n++) ids.push(((await ask(token)).body as { id: string }).id);
  expect((await ask(token)).status).toBe(429);
  // Somebody pays two of the five, whose rows the retention has not removed yet. They allow eight things.
  for (const url of ids.slice(0, 2)) await node.test.tamper(PAY, url.slice(url.lastIndexOf('/') + 1));
  node.clock.advance(10_000);
  const answers: number[] = [];
  for (let n = 0; n < 5; n++) {
    answers.push((await ask(token)).status);
    node.clock.advance(10_000);
  }
  expect(answers).toEqual([201, 201, 201, 201, 429]);
  node.clock.advance(31 * 24 * 60 * 60_000);
  expect((await ask(await node.giveToken(EVERYTHING))).status).toBe(429);
});

it('what was paid or has gone does not count, and a copy of a request does not count twice', async () => {
  node = await openTestNode({ config: RATES, rowLimits: LIMITS });
  const token = await node.giveToken(EVERYTHING);
  const request = node.signed({ method: 'POST', path: '/incoming-payments', token, body: { walletAddress: `${ORIGIN}/alice` } });
  for (let n = 0; n < 3; n++) expect((await node.app.inject(request)).statusCode).toBe(201);
  for (let n = 0; n < 2; n++) await ask(token);
  await node.access.strangerRows.note({ key: 'k' }, 'gone');
  const rows = () => node.database.read.select().from(strangerRows);
  expect(await rows()).toHaveLength(4);
  const [one] = await rows();
  await node.test.tamper(PAY, one?.thingId ?? '');
  node.clock.advance(1);
  await strangerRowRule.removeSome(node.database, node.clock.now(), undefined);
  expect((await rows()).map(({ key }) => key)).toEqual([node.shop.url, node.shop.url]);
});

it('what a stranger asks for without an end ends after 90 days', async () => {
  node = await openTestNode({ config: RATES });
  const token = await node.giveToken(EVERYTHING);
  const endOf = async () => ((await ask(token)).body as { expiresAt?: string }).expiresAt;
  expect(await endOf()).toBe(new Date(node.clock.now() + 90 * 24 * 60 * 60_000).toISOString());
  await node.access.tiers.choose(node.shop.url, 'known');
  expect(await endOf()).toBeUndefined();
});

it('visitors who make payments on the page of a wallet address are counted by their network', async () => {
  node = await openTestNode({ config: RATES, rowLimits: LIMITS });
  const visit = async (remoteAddress: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN };
    return (await node.app.inject({ method: 'POST', url: '/pay', headers, remoteAddress, payload: 'account=alice&amount=1' })).statusCode;
  };
  for (let n = 0; n < LIMITS.network; n++) expect(await visit('203.0.113.9')).toBe(303);
  expect([await visit('203.0.113.9'), await visit('203.0.113.10')]).toEqual([429, 303]);
});
