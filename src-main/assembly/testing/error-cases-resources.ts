import { randomUUID } from 'node:crypto';
import { recordDamages } from '../../ledger/audit/damages.ts';
import type { EndpointName } from '../../open-payments-api/description/endpoints.ts';
import { LOOK_UPS } from '../../remote-wallets/look-up-limits.ts';
import {
  ALICE,
  allowed,
  bodyCases,
  CAROL,
  type Case,
  type Cases,
  incomingPayment,
  jsonCases,
  listCases,
  outgoingPayment,
  pathOf,
  peerToken,
  quote,
  tokenCases,
  usd,
} from './error-cases.ts';
import { priceCases } from './error-cases-exchange.ts';
import { ORIGIN, Told } from './test-node.ts';

type ResourceEndpoint = Exclude<EndpointName, `${string} /auth${string}`>;

const creating =
  (path: string, change: object): Case =>
  (node) =>
    allowed(node, { method: 'POST', path, body: change });
const quoting =
  (change: object): Case =>
  async (node) => {
    const body = { walletAddress: ALICE, receiver: await incomingPayment(node), method: 'ilp', ...change };
    return await allowed(node, { method: 'POST', path: '/quotes', body });
  };
/** A request after damage was found in the books of carol. */
const damaged =
  (request: Case): Case =>
  async (node) => {
    const asked = await request(node);
    const damage = { owner: node.accounts.carol.id, finding: 'balance', place: 'customer' } as const;
    await node.database.write((tx) => recordDamages(tx, [damage], node.clock.now()));
    return asked;
  };
const paying =
  (change: object): Case =>
  async (node) => {
    const body = { walletAddress: ALICE, incomingPayment: await incomingPayment(node), debitAmount: usd('500'), ...change };
    return await allowed(node, { method: 'POST', path: '/outgoing-payments', body });
  };
const absent =
  (path: string): Case =>
  (node) =>
    allowed(node, { method: 'GET', path: `${path}/${randomUUID()}` });
const anywhere =
  (path: string): Case =>
  async () => ({ method: 'GET', url: path });

/** Forms from another origin, forms that are too long, and forms about a payment that does not exist. */
function formCases(url: string, field: string, longest: number) {
  const form =
    (site: string, value: string): Case =>
    async () => ({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site },
      payload: new URLSearchParams({ [field]: value }).toString(),
    });
  return {
    invalid_request: form('same-origin', 'a'.repeat(longest + 1)),
    cross_site: form('cross-site', 'a'),
    not_found: form('same-origin', 'a'),
  } satisfies Record<string, Case>;
}

function receiptCases() {
  const url = `/pay/${randomUUID()}/receipt`;
  const { cross_site, not_found } = formCases(url, 'none', 1);
  return { ...bodyCases('POST', url), cross_site, not_found };
}

function claimCases() {
  const url = `/claim/${'a'.repeat(32)}`;
  return { ...bodyCases('POST', url), ...formCases(url, 'wallet', 2_048) };
}

function checkCases() {
  const { invalid_request, cross_site } = formCases('/receipt/check', 'receipt', 60_000);
  return { ...bodyCases('POST', '/receipt/check'), invalid_request, cross_site };
}

const ELSEWHERE = 'https://elsewhere.example/incoming-payments/1';

/** The cases in which a receiver at another wallet cannot be used. */
const remoteCases = (about: (receiver: string) => Case) =>
  ({
    receiver_unreachable: about(ELSEWHERE),
    receiver_refused: async (node) => {
      node.documents.set(ELSEWHERE, { authServer: 'https://elsewhere.example/auth' });
      node.documents.set('POST https://elsewhere.example/auth', new Told(400, { error: { code: 'invalid_client' } }));
      return await about(ELSEWHERE)(node);
    },
    receiver_busy: async (node) => {
      const asker = { client: node.shop.url, walletAddressId: node.accounts.alice.id };
      node.documents.set(ELSEWHERE, new Promise(() => undefined));
      for (let i = 0; i < LOOK_UPS.perCaller; i++) void node.payments.receivers.find(ELSEWHERE, asker);
      return await about(ELSEWHERE)(node);
    },
  }) satisfies Record<string, Case>;

const TOO_MUCH = (2n ** 63n).toString();
const FOREIGN_ASSET = { value: '500', assetCode: 'EUR', assetScale: 2 };

const OCTETS = { 'content-type': 'application/octet-stream' };

/** Makes a request in which a peer hands over a packet. */
const packet =
  (payload: string, type: string): Case =>
  async (node) => ({
    method: 'POST',
    url: '/ilp',
    headers: { authorization: `Bearer ${await peerToken(node)}`, 'content-type': type },
    payload,
  });

/** A message between two nodes that nobody expects. */
const peering =
  (url: string, body: object): Case =>
  async () => ({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) });

export const RESOURCE_CASES: Cases<ResourceEndpoint> = {
  'POST /incoming-payments': {
    ...jsonCases('/incoming-payments'),
    ...tokenCases(async () => ({ method: 'POST', path: '/incoming-payments', body: { walletAddress: CAROL } }), 'incoming-payment'),
    unknown_wallet_address: creating('/incoming-payments', { walletAddress: `${ORIGIN}/nobody` }),
    no_wallet_address: creating('/incoming-payments', {}),
    invalid_amount: creating('/incoming-payments', { walletAddress: CAROL, incomingAmount: FOREIGN_ASSET }),
    account_damaged: damaged(creating('/incoming-payments', { walletAddress: CAROL })),
    invalid_expiry: creating('/incoming-payments', { walletAddress: CAROL, expiresAt: '2025-12-31T23:59:59Z' }),
  },
  'GET /incoming-payments': listCases('/incoming-payments', 'incoming-payment'),
  'GET /incoming-payments/:id': {
    ...tokenCases(async (node) => ({ method: 'GET', path: pathOf(await incomingPayment(node)) }), 'incoming-payment'),
    incoming_payment_not_found: absent('/incoming-payments'),
  },
  'POST /incoming-payments/:id/complete': {
    ...bodyCases('POST', `/incoming-payments/${randomUUID()}/complete`),
    ...tokenCases(async (node) => ({ method: 'POST', path: `${pathOf(await incomingPayment(node))}/complete` }), 'incoming-payment'),
    incoming_payment_not_found: (node) => allowed(node, { method: 'POST', path: `/incoming-payments/${randomUUID()}/complete` }),
    incoming_payment_expired: async (node) => {
      const expiresAt = new Date(node.clock.now() + 1_000).toISOString();
      const path = `${pathOf(await incomingPayment(node, { walletAddress: CAROL, expiresAt }))}/complete`;
      node.clock.advance(1_000);
      return await allowed(node, { method: 'POST', path });
    },
  },
  'POST /quotes': {
    ...jsonCases('/quotes'),
    ...tokenCases(
      async (node) => ({
        method: 'POST',
        path: '/quotes',
        body: { walletAddress: ALICE, receiver: await incomingPayment(node), method: 'ilp', debitAmount: usd('500') },
      }),
      'quote',
    ),
    unknown_wallet_address: quoting({ walletAddress: `${ORIGIN}/nobody`, debitAmount: usd('500') }),
    invalid_receiver: quoting({ receiver: `${ORIGIN}/incoming-payments/${randomUUID()}`, debitAmount: usd('500') }),
    invalid_amount: quoting({}),
    ...remoteCases((receiver) => quoting({ receiver, debitAmount: usd('500') })),
    amount_too_large: quoting({ debitAmount: usd(TOO_MUCH) }),
    ...priceCases((receiver, debit) => quoting({ receiver, debitAmount: usd(debit) })),
  },
  'GET /quotes/:id': {
    ...tokenCases(async (node) => ({ method: 'GET', path: pathOf(await quote(node)) }), 'quote'),
    quote_not_found: absent('/quotes'),
  },
  'POST /outgoing-payments': {
    ...jsonCases('/outgoing-payments'),
    ...tokenCases(
      async (node) => ({ method: 'POST', path: '/outgoing-payments', body: { walletAddress: ALICE, quoteId: await quote(node) } }),
      'outgoing-payment',
    ),
    unknown_wallet_address: paying({ walletAddress: CAROL }),
    unknown_quote: creating('/outgoing-payments', { walletAddress: ALICE, quoteId: `${ORIGIN}/quotes/${randomUUID()}` }),
    invalid_quote: async (node) => {
      const quoteId = await quote(node);
      await outgoingPayment(node, node.shop, quoteId);
      return await allowed(node, { method: 'POST', path: '/outgoing-payments', body: { walletAddress: ALICE, quoteId } });
    },
    invalid_receiver: paying({ incomingPayment: 'https://elsewhere.example/incoming-payments/?1' }),
    invalid_amount: paying({ debitAmount: usd('0') }),
    ...remoteCases((receiver) => paying({ incomingPayment: receiver })),
    amount_too_large: paying({ debitAmount: usd(TOO_MUCH) }),
    ...priceCases((receiver, debit) => paying({ incomingPayment: receiver, debitAmount: usd(debit) })),
    over_limit: async (node) => {
      const limits = { debitAmount: usd('499') };
      const token = await node.giveToken([{ type: 'outgoing-payment', actions: ['create'], identifier: ALICE, limits }]);
      const body = { walletAddress: ALICE, quoteId: await quote(node) };
      return node.signed({ method: 'POST', path: '/outgoing-payments', token, body });
    },
    insufficient_balance: paying({ debitAmount: usd('9999999') }),
    // The receiver, carol, is damaged.
    account_damaged: damaged(paying({})),
  },
  'GET /outgoing-payments': listCases('/outgoing-payments', 'outgoing-payment'),
  'GET /outgoing-payments/:id': {
    ...tokenCases(async (node) => ({ method: 'GET', path: pathOf(await outgoingPayment(node)) }), 'outgoing-payment'),
    outgoing_payment_not_found: absent('/outgoing-payments'),
  },
  'GET /outgoing-payment-grant': tokenCases(async () => ({ method: 'GET', path: '/outgoing-payment-grant' }), 'outgoing-payment'),
  'POST /ilp': {
    payload_too_large: packet('x'.repeat(40_961), 'application/octet-stream'),
    invalid_peer_token: async () => ({
      method: 'POST',
      url: '/ilp',
      headers: { ...OCTETS, authorization: 'Bearer guessed' },
      payload: 'x',
    }),
    not_octets: packet('{}', 'application/json'),
  },
  'POST /ilp/peering': {
    ...jsonCases('/ilp/peering'),
    invalid_peer_token: peering('/ilp/peering', { ask: 'test' }),
  },
  'POST /ilp/invitations/read': {
    ...jsonCases('/ilp/invitations/read'),
    not_found: peering('/ilp/invitations/read', { secret: 'a'.repeat(22) }),
  },
  'POST /ilp/invitations/accept': {
    ...jsonCases('/ilp/invitations/accept'),
    not_found: peering('/ilp/invitations/accept', {
      ...{ secret: 'a'.repeat(22), nonce: 'a'.repeat(43), origin: 'https://other.example' },
      ...{ assetCode: 'USD', assetScale: 2, creditLimit: '100' },
    }),
  },
  'POST /ilp/invitations/confirm': {
    ...jsonCases('/ilp/invitations/confirm'),
    not_found: peering('/ilp/invitations/confirm', { nonce: 'a'.repeat(43), ilpAddress: 'private.other', token: 'a'.repeat(43) }),
  },
  'GET /pay/:id': { not_found: anywhere(`/pay/${randomUUID()}`) },
  'GET /pay/:id/code.svg': { not_found: anywhere(`/pay/${randomUUID()}/code.svg`) },
  'GET /pay/:id/state': { not_found: anywhere(`/pay/${randomUUID()}/state`) },
  'POST /pay/:id': {
    ...bodyCases('POST', `/pay/${randomUUID()}`),
    ...formCases(`/pay/${randomUUID()}`, 'wallet', 2_048),
  },
  'GET /pay/:id/go/:attempt': {},
  'GET /pay/:id/return/:attempt': {},
  'POST /pay': { ...bodyCases('POST', '/pay'), ...formCases('/pay', 'account', 64) },
  'POST /pay/:id/receipt': receiptCases(),
  'GET /receipt/:secret': { not_found: anywhere(`/receipt/${'a'.repeat(32)}`) },
  'GET /receipt/:secret/signed': { not_found: anywhere(`/receipt/${'a'.repeat(32)}/signed`) },
  'GET /receipt/:secret/receipt.pdf': { not_found: anywhere(`/receipt/${'a'.repeat(32)}/receipt.pdf`) },
  'GET /receipt/jwks.json': {},
  'GET /receipt/check': {},
  'POST /receipt/check': checkCases(),
  'GET /claim/:secret': { not_found: anywhere(`/claim/${'a'.repeat(32)}`) },
  'POST /claim/:secret': claimCases(),
  'GET /claim/go/:id': { not_found: anywhere(`/claim/go/${randomUUID()}`) },
  'GET /claim/back/:id': {},
  'GET /pay/logo/:hash': { not_found: anywhere('/pay/logo/none') },
  'GET /': { not_found: anywhere('/') },
  'GET /:name': { not_found: anywhere('/nobody') },
  'GET /:name/jwks.json': { not_found: anywhere('/nobody/jwks.json') },
  'GET /healthz': {},
  'GET /readyz': {},
  'GET /openapi.json': {},
};
