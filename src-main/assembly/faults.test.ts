import { afterEach, expect, test, vi } from 'vitest';
import { grants } from '../access/tables.ts';
import { outgoingPayments } from '../payments/tables.ts';
import { ALICE, EVERYTHING, quote, usd } from './testing/error-cases.ts';
import { grantOf, startGrant } from './testing/grant-steps.ts';
import { openTestNode, type TestNode, type TestRequest } from './testing/test-node.ts';

// Whatever fails while the node finds out who asks and what is allowed: nothing is allowed then.

let node: TestNode;
afterEach(() => node.close());

const SECRET = 'select T0PSECRET from tokens';
const fault = (): Error => Object.assign(new Error(SECRET), { code: 'SQLITE_ERROR', cause: new TypeError(SECRET) });

/**
 * Lets every call fail from the `from`th on that a request makes to what the checks wait for: the database, the keys of
 * the client, the signature's check.
 * @returns how many calls there were.
 */
async function withFaults<T>(from: number, act: () => Promise<T>): Promise<{ calls: number; outcome: T }> {
  let calls = 0;
  const failing = () => {
    calls += 1;
    if (calls >= from) throw fault();
  };
  const { database, access } = node;
  const [read, write, verify] = [database.read, database.write, access.gate.verify];
  const spies = [
    vi.spyOn(database, 'write').mockImplementation(async (job) => {
      failing();
      return await write.call(database, job);
    }),
    vi.spyOn(database, 'read', 'get').mockImplementation(() => {
      failing();
      return read;
    }),
    vi.spyOn(access.gate, 'verify').mockImplementation(async (request, client) => {
      failing();
      return await verify.call(access.gate, request, client);
    }),
  ];
  try {
    return { outcome: await act(), calls };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const ALL = Number.POSITIVE_INFINITY;

/** Requests that need a token, a signature, a limit or an approval. */
const REQUESTS: Record<string, () => Promise<TestRequest>> = {
  'a payment': async () =>
    node.signed({
      method: 'POST',
      path: '/outgoing-payments',
      token: await node.giveToken([
        { type: 'outgoing-payment', actions: ['create'], identifier: ALICE, limits: { debitAmount: usd('100000') } },
      ]),
      body: { walletAddress: ALICE, quoteId: await quote(node) },
    }),
  'a quote that is read': async () =>
    node.signed({ method: 'GET', path: new URL(await quote(node)).pathname, token: await node.giveToken(EVERYTHING) }),
  'a grant request': async () =>
    node.signed({
      method: 'POST',
      path: '/auth',
      body: { client: node.shop.url, access_token: { access: [{ type: 'quote', actions: ['create'] }] } },
    }),
  'a token that is rotated': async () => {
    const { token } = await startGrant(node, { access_token: { access: [{ type: 'quote', actions: ['create'] }] } });
    return node.signed({ method: 'POST', path: token?.path ?? '', token: token?.token ?? '' });
  },
};

test.each(Object.keys(REQUESTS))('%s is refused when any step before its answer fails', async (name) => {
  node = await openTestNode();
  // What the worker does afterwards belongs to no answer.
  await node.payments.worker.stop();
  const request = async () => (await REQUESTS[name]?.()) ?? { method: 'GET' as const, url: '/' };
  const sent = await request();
  const { calls, outcome: unharmed } = await withFaults(ALL, () => node.app.inject(sent));
  expect(Math.floor(unharmed.statusCode / 100)).toBe(2);
  expect(calls).toBeGreaterThan(1);
  for (let from = 1; ; from++) {
    const another = await request();
    const { calls: made, outcome } = await withFaults(from, () => node.app.inject(another));
    // The node remembers some of what it read for the first request. So a later request can take fewer steps.
    if (made < from) {
      expect(from).toBeGreaterThan(2);
      break;
    }
    expect([from, outcome.statusCode]).toEqual([from, 500]);
    expect(outcome.body).not.toMatch(/T0PSECRET|select|SQLITE|\.ts|\bat \w|stack|\\n/i);
  }
});

test('no payment is made when a step fails before it is stored', async () => {
  node = await openTestNode();
  for (let from = 1; from <= 3; from++) {
    const request = (await REQUESTS['a payment']?.()) ?? { method: 'GET' as const, url: '/' };
    await withFaults(from, () => node.app.inject(request));
  }
  expect(await node.database.read.select().from(outgoingPayments)).toEqual([]);
});

/** How many rows every table has. */
async function rowsOf({ test }: TestNode): Promise<Record<string, unknown>> {
  const names = await test.tables();
  const count = async (name: string) => (await test.look(`select count(*) as rows from "${name}"`))[0]?.rows;
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await count(name)])));
}

test.each(Object.keys(REQUESTS))('%s stores nothing when the check of its signature throws', async (name) => {
  node = await openTestNode();
  await node.payments.worker.stop();
  const sent = (await REQUESTS[name]?.()) ?? { method: 'GET' as const, url: '/' };
  const before = await rowsOf(node);
  vi.spyOn(node.access.gate, 'verify').mockRejectedValue(fault());
  expect((await node.app.inject(sent)).statusCode).toBe(500);
  expect(await rowsOf(node)).toEqual(before);
});

/** What can become of a look at the keys of a client. */
const KEY_FAULTS: Record<string, () => unknown> = {
  'the look-up fails': () => Promise.reject(fault()),
  'the answer is no key set': () => ({ keys: 'none' }),
  'the key set is empty': () => ({ keys: [] }),
  'the answer is nothing': () => undefined,
  'the key is another of the same name': () => ({ keys: [{ ...node.other.key.jwk, kid: node.shop.key.kid }] }),
};

test.each(Object.keys(KEY_FAULTS))('nobody gets in and nothing is stored when %s', async (name) => {
  node = await openTestNode();
  await node.payments.worker.stop();
  const quoting = { client: node.shop.url, access_token: { access: [{ type: 'quote', actions: ['create'] }] } };
  const requests = [
    node.signed({ method: 'POST', path: '/auth', body: quoting }),
    node.signed({ method: 'POST', path: '/incoming-payments', token: await node.giveToken(EVERYTHING), body: { walletAddress: ALICE } }),
    node.signed({
      method: 'GET',
      path: `/incoming-payments?wallet-address=${encodeURIComponent(ALICE)}`,
      token: await node.giveToken(EVERYTHING),
    }),
  ];
  const before = await rowsOf(node);
  const { get } = node.documents;
  vi.spyOn(node.documents, 'get').mockImplementation((url) =>
    url.endsWith('/jwks.json') ? KEY_FAULTS[name]?.() : get.call(node.documents, url),
  );
  for (const request of requests) {
    const { statusCode, body } = await node.app.inject(request);
    expect(statusCode, body).toBeGreaterThanOrEqual(400);
    expect(body).not.toMatch(/T0PSECRET|select|SQLITE|\.ts|\bat \w|stack|\\n/i);
  }
  expect(await rowsOf(node)).toEqual(before);
});

test('a look at keys that takes for ever lets nobody in, and the node answers others meanwhile', async () => {
  node = await openTestNode();
  const silent = Promise.withResolvers<unknown>();
  node.documents.set(`${node.shop.url}/jwks.json`, silent.promise);
  const body = (client: string) => ({ client, access_token: { access: [{ type: 'quote', actions: ['create'] }] } });
  let answered = false;
  const waiting = node.call({ method: 'POST', path: '/auth', body: body(node.shop.url) }).finally(() => {
    answered = true;
  });
  for (let time = 0; time < 5; time++) {
    const { status } = await node.call({ method: 'POST', path: '/auth', body: body(node.other.url), client: node.other });
    expect([status, answered]).toEqual([200, false]);
  }
  const before = await rowsOf(node);
  silent.resolve(undefined);
  expect((await waiting).status).toBe(400);
  expect(await rowsOf(node)).toEqual(before);
});

test('nothing is approved when a step of the approval fails', async () => {
  node = await openTestNode();
  const access_token = {
    access: [{ type: 'outgoing-payment', actions: ['create'], identifier: ALICE, limits: { debitAmount: usd('9') } }],
  };
  const { continuation } = await startGrant(node, { access_token, interact: { start: ['redirect'] } });
  const { id } = await grantOf(node, continuation);
  const shown = await node.access.views.getApproval(id);
  const approve = () => node.access.approvals.approve({ id, code: '0000', shownHash: shown?.shownHash ?? '' });
  const { calls } = await withFaults(ALL, approve);
  expect(calls).toBeGreaterThan(0);
  for (let from = 1; from <= calls; from++) await expect(withFaults(from, approve)).rejects.toThrow(SECRET);
  const states = (await node.database.read.select().from(grants)).map(({ state }) => state);
  expect(states).toEqual(['pending']);
});

test('500 forced errors tell no stack, no SQL and no path', async () => {
  node = await openTestNode();
  node.app.addHook('preValidation', async () => {
    throw fault();
  });
  for (let count = 0; count < 500; count++) {
    const { statusCode, body } = await node.app.inject({ method: count % 2 === 0 ? 'GET' : 'POST', url: `/incoming-payments?${count}` });
    expect(statusCode).toBe(500);
    expect(body).not.toMatch(/T0PSECRET|select|SQLITE|\.ts|\bat \w|stack|\//i);
  }
});
