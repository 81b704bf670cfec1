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
const fault = (): Error => Object.assign(new Error(SECRET), { code: 'SQLITE_IOERR', cause: new TypeError(SECRET) });

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
  for (let from = 1; from <= calls; from++) {
    const another = await request();
    const { outcome } = await withFaults(from, () => node.app.inject(another));
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
