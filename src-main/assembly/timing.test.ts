import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALICE, BOB, CAROL, EVERYTHING, incomingPayment, outgoingPayment, pathOf, quote } from './testing/error-cases.ts';
import { startGrant } from './testing/grant-steps.ts';
import { type Call, ORIGIN, openTestNode, type TestNode } from './testing/test-node.ts';

// The time that a refusal takes must not disclose whether the thing that was asked for exists. Two requests take turns,
// so that other work of the computer slows both. The median of their differences counts, so that single slow answers do
// not.

const PAIRS = 200;
const WARM_UP = 30;
/**
 * The largest allowed difference, as a share of the median duration. Nobody could measure so small a difference across
 * a network, and the differences measured here are far smaller still.
 */
const BOUND = 0.25;

let node: TestNode;
beforeAll(async () => {
  node = await openTestNode();
});
afterAll(() => node.close());

interface Probe {
  call: () => Call;
  status: number;
}

async function timeOf({ call, status }: Probe): Promise<number> {
  const request = node.signed(call());
  const before = performance.now();
  const { statusCode } = await node.app.inject(request);
  const took = performance.now() - before;
  expect(statusCode).toBe(status);
  return took;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** How much longer or shorter `other` takes, as a share of what `one` takes. */
async function difference(one: Probe, other: Probe): Promise<number> {
  const durations: number[] = [];
  const differences: number[] = [];
  for (let pair = 0; pair < WARM_UP + PAIRS; pair++) {
    const [first, second] = pair % 2 === 0 ? [one, other] : [other, one];
    const [took, tookNext] = [await timeOf(first), await timeOf(second)];
    if (pair < WARM_UP) continue;
    durations.push(first === one ? took : tookNext);
    differences.push(first === one ? tookNext - took : took - tookNext);
  }
  return Math.abs(median(differences)) / median(durations);
}

const TRIES = 3;

/** Whether the two differ in every one of several attempts. Other work of the computer disturbs only some of them. */
async function tellsApart(one: Probe, other: Probe): Promise<boolean> {
  for (let tried = 0; tried < TRIES; tried++) if ((await difference(one, other)) < BOUND) return false;
  return true;
}

const withOtherId = (path: string): string => path.replace(/[\da-f-]{36}/, randomUUID());

/** For each kind, a thing of another client, and a token with the right to read only the caller's own things. */
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

test.each(Object.keys(THINGS))(
  'nobody can tell by the time of an answer whether %s is absent or belongs to somebody else',
  async (name) => {
    const { path, token } = (await THINGS[name]?.()) ?? { path: '', token: '' };
    const foreign = { call: () => ({ method: 'GET' as const, path, token }), status: 404 };
    const absent = { call: () => ({ method: 'GET' as const, path: withOtherId(path), token }), status: 404 };
    expect(await tellsApart(foreign, absent)).toBe(false);
  },
);

test('nobody can tell by the time of an answer whether a wallet address is absent or outside the right', async () => {
  const token = await node.giveToken([{ type: 'incoming-payment', actions: ['list'], identifier: ALICE }]);
  const list = (wallet: string) => () => ({
    method: 'GET' as const,
    path: `/incoming-payments?${new URLSearchParams({ 'wallet-address': wallet })}`,
    token,
  });
  expect(await tellsApart({ call: list(BOB), status: 404 }, { call: list(`${ORIGIN}/eve`), status: 404 })).toBe(false);
});

test.each(['continuation', 'token'] as const)(
  'nobody can tell by the time of an answer whether a %s is absent or belongs to somebody else',
  async (kind) => {
    const started = await startGrant(node, { access_token: { access: [{ type: 'quote', actions: ['create'] }] } });
    const own = await startGrant(node, { access_token: { access: [{ type: 'quote', actions: ['create'] }] } });
    const [path, token] = [started[kind]?.path ?? '', own[kind]?.token ?? ''];
    const status = kind === 'continuation' ? 404 : 401;
    const foreign = { call: () => ({ method: 'POST' as const, path, token }), status };
    const absent = { call: () => ({ method: 'POST' as const, path: withOtherId(path), token }), status };
    expect(await tellsApart(foreign, absent)).toBe(false);
  },
);

test('the comparison sees a signature that is not verified', async () => {
  const token = await node.giveToken(EVERYTHING);
  const get = (token: string) => () => ({ method: 'GET' as const, path: `/quotes/${randomUUID()}`, token });
  expect(await tellsApart({ call: get(token), status: 404 }, { call: get('guessed'), status: 401 })).toBe(true);
});
