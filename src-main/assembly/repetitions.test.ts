import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signRequest } from '../access/http-signatures/testing/signed-requests.ts';
import { signatureRule } from '../access/retention.ts';
import { grants, seenSignatures } from '../access/tables.ts';
import { incomingPayments, outgoingPayments, quotes } from '../payments/tables.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { Retention } from '../platform/retention/retention.ts';
import { ALICE, CAROL, EVERYTHING, incomingPayment, quote, usd } from './testing/error-cases.ts';
import { ORIGIN, openTestNode, type TestNode, type TestRequest } from './testing/test-node.ts';

// A copy of a signed request makes nothing a second time (decisions.md#D-45).

let node: TestNode;
beforeEach(async () => {
  node = await openTestNode();
});
afterEach(() => node.close());

type Counted = typeof incomingPayments | typeof quotes | typeof outgoingPayments | typeof grants | typeof seenSignatures;
const countOf = async (table: Counted): Promise<number> => (await node.database.read.select().from(table)).length;

/** Each request that makes something: what it says, and how many such things there are. */
const CREATORS = {
  'an incoming payment': {
    path: '/incoming-payments',
    body: async () => ({ walletAddress: CAROL, incomingAmount: usd('5') }),
    count: () => countOf(incomingPayments),
  },
  'a quote': {
    path: '/quotes',
    body: async () => ({ walletAddress: ALICE, receiver: await incomingPayment(node), method: 'ilp', debitAmount: usd('5') }),
    count: () => countOf(quotes),
  },
  'an outgoing payment': {
    path: '/outgoing-payments',
    body: async () => ({ walletAddress: ALICE, quoteId: await quote(node) }),
    count: () => countOf(outgoingPayments),
  },
  'an outgoing payment without a quote': {
    path: '/outgoing-payments',
    body: async () => ({ walletAddress: ALICE, incomingPayment: await incomingPayment(node), debitAmount: usd('5') }),
    count: () => countOf(outgoingPayments),
  },
  'a grant': {
    path: '/auth',
    body: async () => ({ client: node.shop.url, access_token: { access: [{ type: 'quote', actions: ['create'] }] } }),
    count: () => countOf(grants),
  },
  'a grant that waits for the operator': {
    path: '/auth',
    body: async () => ({
      client: node.shop.url,
      access_token: { access: [{ type: 'outgoing-payment', actions: ['create'], identifier: ALICE, limits: { debitAmount: usd('9') } }] },
      interact: { start: ['redirect'] },
    }),
    count: () => countOf(grants),
  },
};

type Creator = (typeof CREATORS)[keyof typeof CREATORS];

/** The same request with one or two signatures, in either order. */
async function signedTwice({ path, body }: Creator): Promise<Record<'both' | 'swapped' | 'first' | 'second', TestRequest>> {
  const text = JSON.stringify(await body());
  const token = path === '/auth' ? {} : { token: await node.giveToken(EVERYTHING) };
  const sign = (label: string, moreParameters: string) =>
    signRequest({ method: 'POST', url: ORIGIN + path, body: text, ...token }, node.shop.key, {
      created: Math.floor(node.clock.now() / 1_000),
      label,
      moreParameters,
    });
  const one = sign('one', ';n=1001');
  const two = sign('two', ';n=1002');
  const joined = (...signed: Record<string, string>[]): TestRequest => ({
    method: 'POST',
    url: path,
    payload: text,
    headers: {
      ...one,
      signature: signed.map(({ signature }) => signature).join(', '),
      'signature-input': signed.map((headers) => headers['signature-input']).join(', '),
    },
  });
  return { both: joined(one, two), swapped: joined(two, one), first: joined(one), second: joined(two) };
}

describe.each(Object.entries(CREATORS))('%s', (_, creator) => {
  /** What must be equal in the answers to all copies. A payment goes on between two answers, so its id counts. */
  const answerTo = async (request: TestRequest) => {
    const { statusCode, body } = await node.app.inject(request);
    const answer = JSON.parse(body) as { id?: string };
    return { statusCode, answer: answer.id ?? answer };
  };

  it('is made once by a request that was signed twice, whichever signature a copy has lost', async () => {
    const { both, swapped, first, second } = await signedTwice(creator);
    const before = await creator.count();
    const answer = await answerTo(both);
    expect(Math.floor(answer.statusCode / 100)).toBe(2);
    for (const copy of [both, swapped, first, second]) expect(await answerTo(copy)).toEqual(answer);
    expect(await creator.count()).toBe(before + 1);
  });

  it('is made once by a request whose copy has a signature more', async () => {
    const { both, first, second } = await signedTwice(creator);
    const before = await creator.count();
    const answer = await answerTo(first);
    for (const copy of [both, second]) expect(await answerTo(copy)).toEqual(answer);
    expect(await creator.count()).toBe(before + 1);
  });

  it('is made once by ten copies at the same moment', async () => {
    const { first } = await signedTwice(creator);
    const before = await creator.count();
    const answers = await Promise.all(Array.from({ length: 10 }, () => answerTo(first)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await creator.count()).toBe(before + 1);
  });
});

it('what a key signed and its nonces are kept as hashes, and only for as long as a copy would be taken', async () => {
  const { both } = await signedTwice(CREATORS['an incoming payment']);
  await node.app.inject(both);
  for (const nonce of ['a', 'n'.repeat(128)]) {
    const headers = signRequest({ method: 'GET', url: `${ORIGIN}/quotes/mine`, token: await node.giveToken(EVERYTHING) }, node.shop.key, {
      created: Math.floor(node.clock.now() / 1_000),
      moreParameters: `;nonce="${nonce}"`,
    });
    await node.app.inject({ method: 'GET', url: `/quotes/mine`, headers });
  }
  const rows = await node.database.read.select().from(seenSignatures);
  expect(rows.map(({ mark }) => mark.length)).toEqual([43, 43, 43, 43]);
  node.clock.advance(302_000);
  await new Retention({ database: node.database, clock: node.clock, log: createLogger('silent'), rules: [signatureRule] }).runOnce();
  expect(await countOf(seenSignatures)).toBe(0);
});
