import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALICE, CAROL, incomingPayment, outgoingPayment, pathOf, quote } from './testing/error-cases.ts';
import { startGrant } from './testing/grant-steps.ts';
import { type Call, openTestNode, type TestNode } from './testing/test-node.ts';

// A refusal takes the same steps whether the thing that was asked for exists or not, so that its time tells nothing.
// The time itself is measured by `npm run bench -- ids`. Here the steps count: which statements the database runs.

let node: TestNode;
beforeAll(async () => {
  node = await openTestNode();
  // What the node looks for from time to time belongs to no answer.
  await Promise.all([node.access.stop(), node.payments.worker.stop()]);
});
afterAll(() => node.close());

/** Every statement that the database runs meanwhile, in its order. */
async function statementsOf<T>(act: () => Promise<T>): Promise<{ outcome: T; statements: string[] }> {
  const statements: string[] = [];
  // What an earlier call left to look up belongs to no answer either.
  await node.test.idle(20);
  const end = node.test.hear((sql) => statements.push(sql));
  try {
    return { outcome: await act(), statements };
  } finally {
    end();
  }
}

async function stepsOf(call: Call): Promise<{ status: number; body: string; statements: string[] }> {
  const request = node.signed(call);
  const { outcome, statements } = await statementsOf(() => node.app.inject(request));
  return { status: outcome.statusCode, body: outcome.body, statements };
}

const withOtherId = (path: string): string => path.replace(/[\da-f-]{36}/, randomUUID());
const RIGHTS = { access_token: { access: [{ type: 'quote', actions: ['create'] }] } };

test.each([
  { kind: 'continuation', method: 'POST' },
  { kind: 'continuation', method: 'DELETE' },
  { kind: 'token', method: 'POST' },
  { kind: 'token', method: 'DELETE' },
] as const)('$method for a $kind takes the same steps whether its id is absent or belongs to somebody else', async ({ kind, method }) => {
  const [foreign, own] = [await startGrant(node, RIGHTS), await startGrant(node, RIGHTS)];
  const path = foreign[kind]?.path ?? '';
  const token = own[kind]?.token ?? '';
  const [exists, absent] = [await stepsOf({ method, path, token }), await stepsOf({ method, path: withOtherId(path), token })];
  expect(exists).toEqual(absent);
  expect(exists.status).toBeGreaterThanOrEqual(400);
  expect(exists.statements.length).toBeGreaterThan(0);
});

test.each(['continuation', 'token'] as const)('with a made-up value the id of a %s is not looked at', async (kind) => {
  const { path = '' } = (await startGrant(node, RIGHTS))[kind] ?? {};
  const [exists, absent] = [
    await stepsOf({ method: 'POST', path, token: randomUUID() }),
    await stepsOf({ method: 'POST', path: withOtherId(path), token: randomUUID() }),
  ];
  expect(exists).toEqual(absent);
  expect(exists.statements).toHaveLength(1);
});

/** A thing of another client of each kind, and a token with the right to read only the caller's own things. */
const THINGS: Record<string, () => Promise<{ path: string; token: string }>> = {
  'an incoming payment': async () => ({
    path: pathOf(await incomingPayment(node, { walletAddress: CAROL }, node.other)),
    token: await node.giveToken([{ type: 'incoming-payment', actions: ['read'] }]),
  }),
  'an outgoing payment': async () => ({
    path: pathOf(await outgoingPayment(node, node.other)),
    token: await node.giveToken([{ type: 'outgoing-payment', actions: ['read'], identifier: ALICE }]),
  }),
  'a quote': async () => ({
    path: pathOf(await quote(node, node.other)),
    token: await node.giveToken([{ type: 'quote', actions: ['read'] }]),
  }),
};

test.each(Object.keys(THINGS))('%s of somebody else takes the same steps as an absent one', async (name) => {
  const { path, token } = (await THINGS[name]?.()) ?? { path: '', token: '' };
  await stepsOf({ method: 'GET', path: withOtherId(path), token });
  const [foreign, absent] = [
    await stepsOf({ method: 'GET', path, token }),
    await stepsOf({ method: 'GET', path: withOtherId(path), token }),
  ];
  expect(foreign).toEqual(absent);
  expect(foreign.status).toBe(404);
});
