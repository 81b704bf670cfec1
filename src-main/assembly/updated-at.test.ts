import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { z } from '../../src-shared/zod.ts';
import { ALICE, EVERYTHING, incomingPayment, outgoingPayment, pathOf, quote, usd } from './testing/error-cases.ts';
import { type Answer, openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
afterEach(() => node.close());

const CREATED_AT = '2026-01-01T00:00:00.000Z';
const COMPLETED_AT = '2026-01-01T00:00:01.500Z';
/** The time as an HTTP date, which has whole seconds. */
const httpDate = (time: string): string => new Date(time).toUTCString();

/** Each kind of answer about a payment, and when the payment in it last changed. */
async function answers(): Promise<Record<string, { answer: Answer; at: string }>> {
  const token = await node.giveToken(EVERYTHING);
  const list = (kind: string) => `/${kind}?wallet-address=${encodeURIComponent(ALICE)}`;
  const get = (path: string) => node.call({ method: 'GET', path, token });
  const post = (path: string, body?: unknown) => node.call({ method: 'POST', path, token, body });
  const incoming = pathOf(await incomingPayment(node, { walletAddress: ALICE }));
  const outgoing = pathOf(await outgoingPayment(node));
  const created = await post('/incoming-payments', { walletAddress: ALICE, incomingAmount: usd('1') });
  const paid = await post('/outgoing-payments', { walletAddress: ALICE, quoteId: await quote(node) });
  node.clock.advance(1_500);
  return {
    'incoming created': { answer: created, at: CREATED_AT },
    'incoming completed': { answer: await post(`${incoming}/complete`), at: COMPLETED_AT },
    'incoming read': { answer: await get(incoming), at: COMPLETED_AT },
    'incoming listed': { answer: await get(list('incoming-payments')), at: '' },
    'outgoing created': { answer: paid, at: CREATED_AT },
    'outgoing read': { answer: await get(outgoing), at: CREATED_AT },
    'outgoing listed': { answer: await get(list('outgoing-payments')), at: '' },
  };
}

const Payment = z.looseObject({ createdAt: z.literal(CREATED_AT), updatedAt: z.string().optional() });
const List = z.looseObject({ result: z.array(Payment).min(2) });
/** The answers in which current official clients accept `updatedAt` (decisions.md#D-10). */
const COMPATIBLE = ['incoming created', 'incoming read', 'outgoing created'];

test.each(['compatible', 'always'] as const)(
  'bodies have updatedAt as the setting "%s" says, and Last-Modified always says it',
  async (updatedAtInBody) => {
    node = await openTestNode({ config: { updatedAtInBody } });
    for (const [kind, { answer, at }] of Object.entries(await answers())) {
      const isExpected = updatedAtInBody === 'always' || COMPATIBLE.includes(kind);
      if (kind.endsWith('listed')) {
        const given = List.parse(answer.body).result.map(({ updatedAt }) => updatedAt !== undefined);
        expect([kind, ...given]).toEqual([kind, ...given.map(() => isExpected)]);
        expect(answer.headers['last-modified']).toBeUndefined();
      } else {
        expect([kind, Payment.parse(answer.body).updatedAt]).toEqual([kind, isExpected ? at : undefined]);
        expect([kind, answer.headers['last-modified']]).toEqual([kind, httpDate(at)]);
      }
    }
  },
);

/** How `docs/api.md` names these answers. */
const TOLD = {
  'incoming payment, created or read with a token': ['incoming created', 'incoming read'],
  'incoming payment, completed or in a list': ['incoming completed', 'incoming listed'],
  'outgoing payment, created': ['outgoing created'],
  'outgoing payment, read or in a list': ['outgoing read', 'outgoing listed'],
};

test('developers read in docs/api.md which answer has updatedAt at which setting', async () => {
  node = await openTestNode();
  const api = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
  expect(Object.values(TOLD).flat().toSorted()).toEqual(Object.keys(await answers()).toSorted());
  for (const [row, kinds] of Object.entries(TOLD)) {
    const [inCompatible, ...others] = kinds.map((kind) => (COMPATIBLE.includes(kind) ? 'yes' : 'no'));
    expect(others.every((one) => one === inCompatible)).toBe(true);
    expect(api).toContain(`| ${row} | ${inCompatible} | yes |`);
  }
});

test('quotes have no updatedAt, because they never change, and the public side of a payment says when it last changed', async () => {
  node = await openTestNode({ config: { updatedAtInBody: 'always' } });
  const token = await node.giveToken(EVERYTHING);
  const path = pathOf(await quote(node));
  node.clock.advance(1_500);
  const { body, headers } = await node.call({ method: 'GET', path, token });
  expect(body).not.toHaveProperty('updatedAt');
  expect(headers['last-modified']).toBe(httpDate(CREATED_AT));
  const receiver = await incomingPayment(node, { walletAddress: ALICE });
  const wanted = { walletAddress: ALICE, receiver, method: 'ilp', debitAmount: usd('5') };
  const made = await node.call({ method: 'POST', path: '/quotes', token, body: wanted });
  expect([made.status, made.headers['last-modified']]).toEqual([201, httpDate('2026-01-01T00:00:01.500Z')]);
  const answer = await node.app.inject(pathOf(await incomingPayment(node)));
  expect([answer.json().updatedAt, answer.headers['last-modified']]).toEqual([undefined, httpDate('2026-01-01T00:00:01.500Z')]);
});
