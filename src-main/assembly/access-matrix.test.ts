import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from '../../src-shared/zod.ts';
import { ACCESS_ACTIONS, ACCESS_TYPES, type AccessAction, type AccessType } from '../access/rights/access-rights.ts';
import type { WireAccess } from '../access/rights/wire-access.ts';
import { ENDPOINTS, type EndpointName, isEndpoint } from '../open-payments-api/description/endpoints.ts';
import { type Condition, PROBLEMS } from '../open-payments-api/http/problems.ts';
import { ALICE, BOB, CAROL, incomingPayment, outgoingPayment, pathOf, quote, usd } from './testing/error-cases.ts';
import { openTestNode, type TestNode, type TestRequest } from './testing/test-node.ts';

/**
 * What each endpoint needs, as protocol-notes.md#PN-16 says. It is written here a second time, so that the tests
 * compare the node with something other than its own code.
 */
interface Rule {
  endpoint: string;
  type: AccessType;
  /** The action that is enough for what the client itself has created. */
  own: AccessAction;
  /** The action that is enough for what any client has created. */
  all?: AccessAction;
  /** The answer for what another client has created, and for what is at another wallet address. */
  absent?: Condition;
  success: 200 | 201;
  /** It is true when the wallet address of the right does not matter. */
  anyIdentifier?: true;
}

const RULES: Rule[] = [
  { endpoint: 'POST /incoming-payments', type: 'incoming-payment', own: 'create', absent: 'unknown_wallet_address', success: 201 },
  {
    endpoint: 'GET /incoming-payments',
    type: 'incoming-payment',
    own: 'list',
    all: 'list-all',
    absent: 'unknown_wallet_address',
    success: 200,
  },
  {
    endpoint: 'GET /incoming-payments/:id',
    type: 'incoming-payment',
    own: 'read',
    all: 'read-all',
    absent: 'incoming_payment_not_found',
    success: 200,
  },
  {
    endpoint: 'POST /incoming-payments/:id/complete',
    type: 'incoming-payment',
    own: 'complete',
    absent: 'incoming_payment_not_found',
    success: 200,
  },
  { endpoint: 'POST /quotes', type: 'quote', own: 'create', absent: 'unknown_wallet_address', success: 201 },
  { endpoint: 'GET /quotes/:id', type: 'quote', own: 'read', all: 'read-all', absent: 'quote_not_found', success: 200 },
  { endpoint: 'POST /outgoing-payments', type: 'outgoing-payment', own: 'create', absent: 'unknown_wallet_address', success: 201 },
  {
    endpoint: 'GET /outgoing-payments',
    type: 'outgoing-payment',
    own: 'list',
    all: 'list-all',
    absent: 'unknown_wallet_address',
    success: 200,
  },
  {
    endpoint: 'GET /outgoing-payments/:id',
    type: 'outgoing-payment',
    own: 'read',
    all: 'read-all',
    absent: 'outgoing_payment_not_found',
    success: 200,
  },
  { endpoint: 'GET /outgoing-payment-grant', type: 'outgoing-payment', own: 'create', success: 200, anyIdentifier: true },
];

const IDENTIFIERS = { none: undefined, this: ALICE, another: BOB } as const;
const OWNERS = ['own', 'foreign'] as const;
type Owner = (typeof OWNERS)[number];

const refusalsOf = (name: EndpointName): readonly Condition[] => ENDPOINTS[name].refusals;
const Refusal = z.object({ error: z.object({ code: z.string() }) });
const List = z.object({ result: z.array(z.object({ id: z.string() })) });

let node: TestNode;
/** Alice's payments and quotes, created by the caller and by another client. */
let things: Record<Owner, { incoming: string; quote: string; outgoing: string }>;
/** Tokens with one right each. */
const tokens = new Map<string, string>();
const tokenOf = (...parts: string[]): string => tokens.get(parts.join(' ')) ?? '';

beforeAll(async () => {
  node = await openTestNode();
  const make = async (client: TestNode['shop']) => ({
    incoming: await incomingPayment(node, { walletAddress: ALICE }, client),
    quote: await quote(node, client),
    outgoing: await outgoingPayment(node, client),
  });
  things = { own: await make(node.shop), foreign: await make(node.other) };
  for (const type of ACCESS_TYPES) {
    for (const action of ACCESS_ACTIONS) {
      for (const [name, identifier] of Object.entries(IDENTIFIERS)) {
        // Some of these rights cannot be asked for in a grant request. A stored one must not open anything either.
        const right = { type, actions: [action], ...(identifier && { identifier }) } as WireAccess;
        tokens.set([type, action, name].join(' '), await node.giveToken([right]));
      }
    }
  }
});
afterAll(() => node.close());

/** The request to an endpoint about what an owner has created for alice. */
async function requestFor({ endpoint }: Rule, owner: Owner) {
  const [method = '', route = ''] = endpoint.split(' ');
  const { incoming, quote: quoteUrl, outgoing } = things[owner];
  const list = `?wallet-address=${encodeURIComponent(ALICE)}`;
  const id = (route.startsWith('/incoming') ? incoming : route.startsWith('/quotes') ? quoteUrl : outgoing).split('/').at(-1) ?? '';
  const bodies: Record<string, () => Promise<unknown>> = {
    'POST /incoming-payments': async () => ({ walletAddress: ALICE }),
    'POST /quotes': async () => ({
      walletAddress: ALICE,
      receiver: await incomingPayment(node, { walletAddress: CAROL }, node[owner === 'own' ? 'shop' : 'other']),
      method: 'ilp',
      debitAmount: usd('1'),
    }),
    'POST /outgoing-payments': async () => ({ walletAddress: ALICE, quoteId: await quote(node, node[owner === 'own' ? 'shop' : 'other']) }),
  };
  const isList = method === 'GET' && route.endsWith('s');
  const path = isList ? route + list : route.replace(':id', id);
  return { method: method === 'GET' ? ('GET' as const) : ('POST' as const), path, body: await bodies[endpoint]?.() };
}

/** The expected answer: a success, or the condition for which the node refuses the request. */
function expected(
  rule: Rule,
  right: { type: AccessType; action: AccessAction; identifier: keyof typeof IDENTIFIERS },
  owner: Owner,
): Condition | undefined {
  if (right.type !== rule.type || (right.action !== rule.own && right.action !== rule.all)) return 'insufficient_grant';
  if (right.identifier === 'another' && !rule.anyIdentifier) return rule.absent;
  if (owner === 'own' || right.action === rule.all) return undefined;
  // A quote belongs to the client that asked for it. Everything else that a request here creates has no owner yet.
  if (rule.endpoint === 'POST /outgoing-payments') return 'unknown_quote';
  return rule.endpoint.includes(':id') ? rule.absent : undefined;
}

let cases = 0;
let successes = 0;
afterAll(() => console.log(`access matrix: ${cases} cases, ${successes} of them allowed`));

for (const rule of RULES) {
  test.each(OWNERS)(`${rule.endpoint} takes only the tokens whose right covers it, for what is %s`, async (owner) => {
    for (const type of ACCESS_TYPES) {
      for (const action of ACCESS_ACTIONS) {
        for (const identifier of ['none', 'this', 'another'] as const) {
          const token = tokenOf(type, action, identifier);
          const { status, headers, body } = await node.call({ ...(await requestFor(rule, owner)), token });
          const reason = expected(rule, { type, action, identifier }, owner);
          const told = [type, action, identifier, status, reason === undefined ? undefined : Refusal.parse(body).error.code];
          const { status: wanted, code } = reason === undefined ? { status: rule.success, code: undefined } : PROBLEMS[reason];
          expect(told).toEqual([type, action, identifier, wanted, code]);
          expect(headers['www-authenticate']).toBeUndefined();
          if (reason === undefined && rule.endpoint.match(/GET .*s$/)) expectItems(body, action === rule.all, rule);
          cases += 1;
          if (reason === undefined) successes += 1;
        }
      }
    }
  });

  test(`${rule.endpoint} takes no request without a token or signature, with a wrong token, or with another client’s key`, async () => {
    const token = tokenOf(rule.type, rule.own, 'this');
    const request = await requestFor(rule, 'own');
    const { signature: _, ...unsigned } = node.signed({ ...request, token }).headers ?? {};
    const attempts: [Condition, { status: number; headers: Record<string, unknown>; body: unknown }][] = [
      ['invalid_token', await node.call({ ...request, token: 'guessed' })],
      ['invalid_signature', await node.call({ ...request, token, client: node.other })],
      ['invalid_signature', await injected({ ...node.signed({ ...request, token }), headers: unsigned })],
      [
        'missing_authorization',
        await injected({ ...node.signed(request), headers: { ...node.signed(request).headers, authorization: `Bearer ${token}` } }),
      ],
    ];
    if (rule.endpoint !== 'GET /incoming-payments/:id') attempts.push(['missing_authorization', await node.call(request)]);
    for (const [condition, { status, headers, body }] of attempts) {
      expect([status, body]).toMatchObject([401, { error: { code: PROBLEMS[condition].code } }]);
      expect(headers['www-authenticate']).toBe('GNAP as_uri=https://pay.example/auth');
      cases += 1;
    }
  });
}

async function injected(request: TestRequest) {
  const { statusCode: status, headers, body } = await node.app.inject(request);
  return { status, headers, body: JSON.parse(body) as unknown };
}

/**
 * Checks that a list holds what the client itself has created. What another client has created must be in it when `all`
 * is true, and must not be in it otherwise.
 */
function expectItems(body: unknown, all: boolean, { type }: Rule): void {
  const ids = List.parse(body).result.map(({ id }) => id);
  const of = (owner: Owner) => (type === 'incoming-payment' ? things[owner].incoming : things[owner].outgoing);
  expect([ids.includes(of('own')), ids.includes(of('foreign'))]).toEqual([true, all]);
}

test('the rules above cover every endpoint that takes an access token', () => {
  const withToken = Object.keys(ENDPOINTS).filter((name) => isEndpoint(name) && refusalsOf(name).includes('insufficient_grant'));
  expect(RULES.map(({ endpoint }) => endpoint).sort()).toEqual(withToken.sort());
});

test('an incoming payment shows only its public side to a request without authorization', async () => {
  const answer = await node.app.inject(pathOf(things.own.incoming));
  expect([answer.statusCode, Object.keys(answer.json())]).toEqual([200, ['receivedAmount', 'authServer']]);
});
