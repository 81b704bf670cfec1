import { randomUUID } from 'node:crypto';
import { testKey } from '../../access/http-signatures/testing/signed-requests.ts';
import type { EndpointName } from '../../open-payments-api/description/endpoints.ts';
import { ALICE, bodyCases, type Case, type Cases, pathOf, usd } from './error-cases.ts';
import { grantOf, type StartedGrant, startGrant } from './grant-steps.ts';
import { ORIGIN, type TestNode } from './test-node.ts';

type AuthorizationEndpoint = Extract<EndpointName, `${string} /auth${string}`>;

const QUOTING = { access: [{ type: 'quote', actions: ['create'] }] };
const paying = (limits: object, more: object = {}) => ({
  access: [{ type: 'outgoing-payment', actions: ['create'], identifier: ALICE, limits, ...more }],
});
const FINISH = { method: 'redirect', uri: 'https://shop.example/back', nonce: 'n1' };
const INTERACT = { start: ['redirect'], finish: FINISH };
const LIMITED = paying({ debitAmount: usd('1000') });

/** Makes a grant request of the shop with one change. */
const asking =
  (change: object): Case =>
  async (node) =>
    node.signed({ method: 'POST', path: '/auth', body: { client: node.shop.url, access_token: QUOTING, ...change } });

/** The path of a request and the token that it carries. */
type Place = (node: TestNode) => Promise<{ path: string; token: string }>;

/** Makes a request that is signed by a key with the id of the client's key, but which is another key. */
const badlySigned =
  (method: 'POST' | 'DELETE', place: Place): Case =>
  async (node) => {
    const client = { url: node.shop.url, key: await testKey(node.shop.key.kid) };
    return node.signed({ method, ...(await place(node)), client });
  };

/** A grant that waits for the operator. */
const waiting = async (node: TestNode, change: object = {}): Promise<StartedGrant> =>
  await startGrant(node, { access_token: LIMITED, interact: INTERACT, ...change });
const POLLING = { interact: { start: ['redirect'] } };

const continuation: Place = async (node) => (await waiting(node)).continuation;
const managed: Place = async (node) => {
  const { token } = await startGrant(node, { access_token: QUOTING });
  if (token === undefined) throw new Error('no token');
  return token;
};

const continuationCases = (method: 'POST' | 'DELETE') =>
  ({
    ...bodyCases(method, `/auth/continue/${randomUUID()}`),
    client_signature: badlySigned(method, continuation),
    not_found: async (node) => node.signed({ method, path: '/auth/continue/mine', token: 'guessed' }),
    missing_continuation: async (node) => node.signed({ method, path: `/auth/continue/${randomUUID()}` }),
  }) satisfies Record<string, Case>;

const managedCases = (method: 'POST' | 'DELETE') =>
  ({
    ...bodyCases(method, `/auth/token/${randomUUID()}`),
    client_signature: badlySigned(method, managed),
    not_found: async (node) => node.signed({ method, path: '/auth/token/mine', token: 'guessed' }),
    unknown_access_token: async (node) => node.signed({ method, path: `/auth/token/${randomUUID()}`, token: 'guessed' }),
  }) satisfies Record<string, Case>;

const unknownGrant =
  (method: 'POST' | 'DELETE'): Case =>
  async (node) =>
    node.signed({ method, path: `/auth/continue/${randomUUID()}`, token: 'guessed' });

export const AUTHORIZATION_CASES: Cases<AuthorizationEndpoint> = {
  'POST /auth': {
    ...bodyCases('POST', '/auth'),
    invalid_json: async (node) => node.signed({ method: 'POST', path: '/auth', text: '{' }),
    invalid_request: asking({ client: undefined }),
    unknown_client: asking({ client: 'https://stranger.example/x' }),
    client_signature: async (node) => {
      const client = { url: node.shop.url, key: await testKey(node.shop.key.kid) };
      return node.signed({ method: 'POST', path: '/auth', body: { client: node.shop.url, access_token: QUOTING }, client });
    },
    client_without_document: async (node) => {
      node.documents.delete(node.shop.url);
      return await asking({ access_token: LIMITED, interact: INTERACT })(node);
    },
    jwk_cannot_interact: async (node) =>
      await asking({ client: { jwk: node.shop.key.jwk }, access_token: LIMITED, interact: INTERACT })(node),
    nothing_requested: asking({ access_token: undefined }),
    missing_interact: asking({ access_token: LIMITED }),
    identifier_required: asking({ access_token: { access: [{ type: 'incoming-payment', actions: ['list-all'] }] }, interact: INTERACT }),
    unknown_identifier: asking({ access_token: { access: [{ ...QUOTING.access[0], identifier: `${ORIGIN}/nobody` }] } }),
    several_paying_rights: asking({
      access_token: { access: [...LIMITED.access, ...paying({ debitAmount: usd('1') }).access] },
      interact: INTERACT,
    }),
    limit_asset_mismatch: asking({
      access_token: paying({ debitAmount: { value: '1', assetCode: 'EUR', assetScale: 2 } }),
      interact: INTERACT,
    }),
    invalid_finish_uri: asking({ access_token: LIMITED, interact: { ...INTERACT, finish: { ...FINISH, uri: 'javascript:alert(1)' } } }),
    repeated_request: async (node) => {
      const request = await asking({})(node);
      const { access_token: token } = (await node.app.inject(request)).json<{ access_token: { value: string; manage: string } }>();
      await node.call({ method: 'POST', path: pathOf(token.manage), token: token.value });
      return request;
    },
    too_many_waiting: async (node) => {
      for (let i = 0; i < 3; i++) await node.app.inject(pathOf((await waiting(node)).redirect));
      return await asking({ access_token: LIMITED, interact: INTERACT })(node);
    },
  },
  'GET /auth/discovery': {},
  'POST /auth/continue/:id': {
    ...continuationCases('POST'),
    unknown_continuation: unknownGrant('POST'),
    unknown_client: async (node) => node.signed({ method: 'POST', ...(await continuation(node)), client: node.other }),
    invalid_json: async (node) => node.signed({ method: 'POST', path: `/auth/continue/${randomUUID()}`, text: '{' }),
    invalid_request: async (node) => node.signed({ method: 'POST', path: `/auth/continue/${randomUUID()}`, body: { interact_ref: 7 } }),
    missing_interact_ref: async (node) => node.signed({ method: 'POST', ...(await continuation(node)), body: { reference: 'abc' } }),
    too_fast: async (node) => node.signed({ method: 'POST', ...(await waiting(node, POLLING)).continuation }),
    polling_refused: async (node) => node.signed({ method: 'POST', ...(await continuation(node)) }),
    not_approved: async (node) => {
      const { continuation: at } = await waiting(node);
      const interact_ref = node.access.continuations.interactRef((await grantOf(node, at)).id);
      return node.signed({ method: 'POST', ...at, body: { interact_ref } });
    },
    not_continuable: async (node) => {
      const { continuation: at } = await waiting(node, POLLING);
      await node.access.approvals.deny((await grantOf(node, at)).id);
      return node.signed({ method: 'POST', ...at });
    },
  },
  'DELETE /auth/continue/:id': { ...continuationCases('DELETE'), unknown_grant: unknownGrant('DELETE') },
  'POST /auth/token/:id': {
    ...managedCases('POST'),
    token_ended: async (node) => {
      const at = await managed(node);
      await node.call({ method: 'DELETE', ...at });
      return node.signed({ method: 'POST', ...at });
    },
  },
  'DELETE /auth/token/:id': managedCases('DELETE'),
  'GET /auth/interact/:id/:nonce': {
    not_found: async (node) => ({
      method: 'GET',
      url: `${pathOf((await waiting(node)).redirect)}`.replace(/interact\/[^/]+/, 'interact/mine'),
    }),
  },
  'GET /auth/interact/:id/:nonce/state': {
    not_found: async () => ({ method: 'GET', url: `/auth/interact/${randomUUID()}/guessed/state` }),
  },
};
