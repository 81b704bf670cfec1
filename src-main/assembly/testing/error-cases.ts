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
 * One case for each condition that each of these endpoints names, and none for others: the compiler holds both
 * together.
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

/** A request with a token for everything. */
export const allowed = async (node: TestNode, call: Omit<Call, 'token'>): Promise<TestRequest> =>
  node.signed({ ...call, token: await node.giveToken(EVERYTHING) });

type Ordinary = (node: TestNode) => Promise<Pick<Call, 'method' | 'path' | 'body'>>;

/** What no token, no valid one, or one without the right gets. */
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

/** Bodies that are refused before anything else is looked at. */
export function bodyCases(method: 'POST' | 'DELETE', url: string) {
  const json = { 'content-type': 'application/json' };
  return {
    payload_too_large: async () => ({ method, url, headers: json, payload: `"${'a'.repeat(65_536)}"` }),
    unsupported_media_type: async () => ({ method, url, headers: { 'content-type': 'text/plain' }, payload: 'hello' }),
  } satisfies Record<string, Case>;
}

/** Bodies that are no JSON, or not of this endpoint's form. */
export const jsonCases = (path: string) =>
  ({
    ...bodyCases('POST', path),
    invalid_json: (node) => allowed(node, { method: 'POST', path, text: '{"walletAddress":"a","walletAddress":"b"}' }),
    invalid_request: (node) => allowed(node, { method: 'POST', path, body: { unknown: true } }),
  }) satisfies Record<string, Case>;

/** Queries of a list of alice's. */
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

/** An incoming payment, by its URL. */
export async function incomingPayment(node: TestNode, body: object = { walletAddress: CAROL }, client = node.shop): Promise<string> {
  const token = await node.giveToken(EVERYTHING, client);
  const { status, body: made } = await node.call({ method: 'POST', path: '/incoming-payments', token, body, client });
  if (status !== 201) throw new Error(`no incoming payment: ${JSON.stringify(made)}`);
  return idOf(made);
}

/** A quote of alice's for 5.00 USD to carol, by its URL. */
export async function quote(node: TestNode, client = node.shop): Promise<string> {
  const token = await node.giveToken(EVERYTHING, client);
  const receiver = await incomingPayment(node, { walletAddress: CAROL });
  const body = { walletAddress: ALICE, receiver, method: 'ilp', debitAmount: usd('500') };
  const { status, body: made } = await node.call({ method: 'POST', path: '/quotes', token, body, client });
  if (status !== 201) throw new Error(`no quote: ${JSON.stringify(made)}`);
  return idOf(made);
}

/** An outgoing payment of alice's, by its URL. */
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
