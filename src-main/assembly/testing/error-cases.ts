import { randomUUID } from 'node:crypto';
import { testKey } from '../../access/http-signatures/testing/signed-requests.ts';
import type { AccessType } from '../../access/rights/access-rights.ts';
import type { WireAccess } from '../../access/rights/wire-access.ts';
import type { ENDPOINTS, EndpointName } from '../../open-payments-api/description/endpoints.ts';
import { newPeer } from '../../peers/testing/peers.ts';
import { type Call, ORIGIN, type TestNode, type TestRequest } from './test-node.ts';

/** Makes a request that an endpoint must refuse for one condition. */
export type Case = (node: TestNode) => Promise<TestRequest>;

/**
 * One case for each condition that these endpoints name, and no other case. The compiler checks that the cases and the
 * endpoints agree.
 */
export type Cases<E extends EndpointName> = { [Name in E]: { [C in (typeof ENDPOINTS)[Name]['refusals'][number]]: Case } };

export const ALICE = `${ORIGIN}/alice`;
export const BOB = `${ORIGIN}/bob`;
export const CAROL = `${ORIGIN}/carol`;

export const usd = (value: string) => ({ value, assetCode: 'USD', assetScale: 2 });

/** Every right on every wallet address. */
export const EVERYTHING: WireAccess[] = [
  { type: 'incoming-payment', actions: ['create', 'complete', 'read-all', 'list-all'] },
  { type: 'outgoing-payment', actions: ['create', 'read-all', 'list-all'], identifier: ALICE },
  { type: 'quote', actions: ['create', 'read-all'] },
];
const NEXT: Record<AccessType, WireAccess> = {
  'incoming-payment': { type: 'quote', actions: ['create', 'read-all'] },
  'outgoing-payment': { type: 'incoming-payment', actions: ['create', 'complete', 'read-all', 'list-all'] },
  quote: { type: 'incoming-payment', actions: ['create', 'complete', 'read-all', 'list-all'] },
};

/** The token of a peer that the node knows. */
export async function peerToken(node: TestNode): Promise<string> {
  const added = await node.payments.peers.operator.registry.add(newPeer({ id: randomUUID() }));
  if (!added.ok) throw new Error(added.error);
  return added.value.incomingToken;
}

/** Makes a request with a token that has every right. */
export const allowed = async (node: TestNode, call: Omit<Call, 'token'>): Promise<TestRequest> =>
  node.signed({ ...call, token: await node.giveToken(EVERYTHING) });

type Ordinary = (node: TestNode) => Promise<Pick<Call, 'method' | 'path' | 'body'>>;

/**
 * Requests without an access token, with an unknown one, with a wrong signature, and with a token that lacks the right.
 */
export function tokenCases(ordinary: Ordinary, type: AccessType) {
  return {
    missing_authorization: async (node) => {
      const request = node.signed(await ordinary(node));
      return { ...request, headers: { ...request.headers, authorization: 'Bearer abc' } };
    },
    invalid_token: async (node) => node.signed({ ...(await ordinary(node)), token: 'guessed' }),
    invalid_signature: async (node) => {
      const client = { url: node.shop.url, key: await testKey(node.shop.key.kid) };
      return node.signed({ ...(await ordinary(node)), token: await node.giveToken(EVERYTHING), client });
    },
    insufficient_grant: async (node) => node.signed({ ...(await ordinary(node)), token: await node.giveToken([NEXT[type]]) }),
  } satisfies Record<string, Case>;
}

/** Bodies that the node refuses before it checks anything else. */
export function bodyCases(method: 'POST' | 'DELETE', url: string) {
  const json = { 'content-type': 'application/json' };
  return {
    payload_too_large: async () => ({ method, url, headers: json, payload: `"${'a'.repeat(65_536)}"` }),
    unsupported_media_type: async () => ({ method, url, headers: { 'content-type': 'text/plain' }, payload: 'hello' }),
  } satisfies Record<string, Case>;
}

/** Bodies that are not JSON, and bodies that do not match the endpoint's schema. */
export const jsonCases = (path: string) =>
  ({
    ...bodyCases('POST', path),
    invalid_json: (node) => allowed(node, { method: 'POST', path, text: '{"walletAddress":"a","walletAddress":"b"}' }),
    invalid_request: (node) => allowed(node, { method: 'POST', path, body: { unknown: true } }),
  }) satisfies Record<string, Case>;

/** Wrong queries of one of alice's lists. */
export function listCases(path: '/incoming-payments' | '/outgoing-payments', type: AccessType) {
  const at = (query: string, wallet = ALICE) => `${path}?wallet-address=${encodeURIComponent(wallet)}${query}`;
  const get =
    (query: string, wallet?: string): Case =>
    (node) =>
      allowed(node, { method: 'GET', path: at(query, wallet) });
  return {
    ...tokenCases(async () => ({ method: 'GET', path: at('') }), type),
    invalid_request: get('&first=101'),
    first_and_last: get(`&first=1&last=1&cursor=${randomUUID()}`),
    last_without_cursor: get('&last=1'),
    unknown_cursor: get(`&cursor=${randomUUID()}`),
    unknown_wallet_address: get('', `${ORIGIN}/nobody`),
  } satisfies Record<string, Case>;
}

/** Creates an incoming payment and returns its URL. */
export async function incomingPayment(node: TestNode, body: object = { walletAddress: CAROL }, client = node.shop): Promise<string> {
  const token = await node.giveToken(EVERYTHING, client);
  const { status, body: made } = await node.call({ method: 'POST', path: '/incoming-payments', token, body, client });
  if (status !== 201) throw new Error(`no incoming payment: ${JSON.stringify(made)}`);
  return idOf(made);
}

/** Creates a quote of 5.00 USD from alice to carol and returns its URL. */
export async function quote(node: TestNode, client = node.shop): Promise<string> {
  const token = await node.giveToken(EVERYTHING, client);
  const receiver = await incomingPayment(node, { walletAddress: CAROL });
  const body = { walletAddress: ALICE, receiver, method: 'ilp', debitAmount: usd('500') };
  const { status, body: made } = await node.call({ method: 'POST', path: '/quotes', token, body, client });
  if (status !== 201) throw new Error(`no quote: ${JSON.stringify(made)}`);
  return idOf(made);
}

/** Creates an outgoing payment of alice and returns its URL. */
export async function outgoingPayment(node: TestNode, client = node.shop, quoteId?: string): Promise<string> {
  const token = await node.giveToken(EVERYTHING, client);
  const body = { walletAddress: ALICE, quoteId: quoteId ?? (await quote(node, client)) };
  const { status, body: made } = await node.call({ method: 'POST', path: '/outgoing-payments', token, body, client });
  if (status !== 201) throw new Error(`no outgoing payment: ${JSON.stringify(made)}`);
  return idOf(made);
}

function idOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('id' in body)) throw new Error('an answer without an id');
  return String(body.id);
}

export const pathOf = (url: string): string => new URL(url).pathname;
