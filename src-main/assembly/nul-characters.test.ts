import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ALICE, allowed, CAROL, incomingPayment, pathOf, quote, usd } from './testing/error-cases.ts';
import { ORIGIN, openTestNode, type TestNode, type TestRequest } from './testing/test-node.ts';

let node: TestNode;
beforeEach(async () => {
  node = await openTestNode();
});
afterEach(() => node.close());

const creating =
  (path: string, body: object): Request =>
  (on) =>
    allowed(on, { method: 'POST', path, body });
type Request = (on: TestNode) => Promise<TestRequest>;

const form = async (path: string, fields: Record<string, string>): Promise<TestRequest> => ({
  method: 'POST',
  url: path,
  headers: { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN },
  payload: new URLSearchParams(fields).toString(),
});

describe('a NUL character', () => {
  test.each<[string, Request]>([
    ['in a wallet address', creating('/incoming-payments', { walletAddress: `${CAROL}\0` })],
    ['in metadata', creating('/incoming-payments', { walletAddress: CAROL, metadata: { description: 'tea\0' } })],
    ['deep in metadata', creating('/incoming-payments', { walletAddress: CAROL, metadata: { a: [{ b: '\0' }] } })],
    ['in a name of metadata', creating('/incoming-payments', { walletAddress: CAROL, metadata: { 'a\0': 1 } })],
    [
      'in the code of a currency',
      creating('/incoming-payments', { walletAddress: CAROL, incomingAmount: { ...usd('1'), assetCode: '\0' } }),
    ],
    ['in a receiver', creating('/quotes', { walletAddress: ALICE, receiver: `${ORIGIN}/\0`, method: 'ilp', debitAmount: usd('1') })],
    ['in the metadata of a payment', async (on) => creating('/outgoing-payments', await paymentWith({ note: '\0' }))(on)],
    [
      'in a query',
      (on) => allowed(on, { method: 'GET', path: `/incoming-payments?wallet-address=${encodeURIComponent(CAROL)}&cursor=%00` }),
    ],
    [
      'in the form of a visitor',
      async (on) =>
        form(
          `/pay/${pathOf(await incomingPayment(on))
            .split('/')
            .at(-1)}`,
          { wallet: 'a\0', amount: '1' },
        ),
    ],
    ['in the form for a new request', () => form('/pay', { account: 'carol\0', amount: '1' })],
  ])('%s is refused as a request that has not the form', async (_, make) => {
    const answer = await node.app.inject(await make(node));
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: { code: 'invalid_request' } }]);
  });

  const paymentWith = async (metadata: object) => ({ walletAddress: ALICE, quoteId: await quote(node), metadata });

  test('in a path names nothing', async () => {
    for (const path of ['/%00', '/pay/%00', `/incoming-payments/%00`, `/auth/interact/${randomUUID()}/%00`])
      expect((await node.app.inject({ method: 'GET', url: path })).statusCode, path).toBeOneOf([401, 404]);
  });
});
