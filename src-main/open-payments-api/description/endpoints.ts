import type { EndpointSegment } from '../../../src-shared/wallet-address-names.ts';
import type { Condition } from '../http/problems.ts';

/** The callers of an endpoint, and what they must bring. */
type Caller =
  /** Everybody, without a signature. */
  | 'anyone'
  /** A client that signs with one of its keys; the body names the client. */
  | 'client'
  /** The client of the token, which signs the request. */
  | 'token'
  /** Both: without an `Authorization` header everybody gets what is public. */
  | 'anyone or token'
  /** A peer, with the bearer token that the operator gave it. */
  | 'peer';

export interface Endpoint {
  summary: string;
  caller: Caller;
  /** The status of a success. */
  success: number;
  /** The conditions of `problems.ts` with which this endpoint can answer, besides {@link EVERYWHERE}. */
  refusals: readonly Condition[];
}

/** The conditions with which every endpoint can answer, and every URL without an endpoint. */
export const EVERYWHERE = [
  'malformed_http',
  'headers_too_large',
  'timed_out',
  'unsupported_encoding',
  'rate_limited',
  'busy',
  'internal',
  'unavailable',
] as const satisfies readonly Condition[];

/** The refusals of endpoints that read a body, also one that they do not want. */
const BODY = ['payload_too_large', 'unsupported_media_type'] as const;
const JSON_BODY = [...BODY, 'invalid_json', 'invalid_request'] as const;
const TOKEN = ['missing_authorization', 'invalid_token', 'invalid_signature', 'insufficient_grant'] as const;
const INCOMING = [...TOKEN, 'incoming_payment_not_found'] as const;
const LIST = [...TOKEN, 'invalid_request', 'first_and_last', 'last_without_cursor', 'unknown_cursor', 'unknown_wallet_address'] as const;
const SIGNATURE = ['unknown_client', 'client_signature'] as const;
const CONTINUATION = ['not_found', ...BODY, 'missing_continuation', ...SIGNATURE] as const;
const CANCELLATION = ['not_found', ...BODY, 'missing_continuation', 'unknown_grant', 'client_signature'] as const;
const MANAGED_TOKEN = ['not_found', ...BODY, 'unknown_access_token', 'client_signature'] as const;
const PRICE = [
  'invalid_receiver',
  'receiver_unreachable',
  'receiver_refused',
  'receiver_busy',
  'invalid_amount',
  'amount_too_large',
  'too_small',
  'no_rate',
  'rate_stale',
  'no_liquidity',
  'no_route',
  'route_unreachable',
] as const;

/** A path begins with the name of a wallet address, or with a segment that no wallet address can have as its name. */
type Path = '/' | `/${EndpointSegment | ':name'}` | `/${EndpointSegment | ':name'}/${string}`;

/**
 * Every endpoint of the public API. A test compares the list with the routes. The OpenAPI document and `docs/api.md`
 * follow from it.
 */
export const ENDPOINTS = {
  'POST /auth': {
    summary: 'Ask for a grant',
    caller: 'client',
    success: 200,
    refusals: [
      ...JSON_BODY,
      ...SIGNATURE,
      'client_without_document',
      'jwk_cannot_interact',
      'nothing_requested',
      'missing_interact',
      'identifier_required',
      'unknown_identifier',
      'several_paying_rights',
      'limit_asset_mismatch',
      'invalid_finish_uri',
      'repeated_request',
      'too_many_waiting',
    ],
  },
  'GET /auth/discovery': { summary: 'What the authorization server supports', caller: 'anyone', success: 200, refusals: [] },
  'POST /auth/continue/:id': {
    summary: 'Continue a grant request, after the interaction or by polling',
    caller: 'token',
    success: 200,
    refusals: [
      ...CONTINUATION,
      'unknown_continuation',
      'invalid_json',
      'invalid_request',
      'missing_interact_ref',
      'too_fast',
      'polling_refused',
      'not_approved',
      'not_continuable',
    ],
  },
  'DELETE /auth/continue/:id': {
    summary: 'Cancel a grant with everything it allows',
    caller: 'token',
    success: 204,
    refusals: CANCELLATION,
  },
  'POST /auth/token/:id': { summary: 'Rotate an access token', caller: 'token', success: 200, refusals: [...MANAGED_TOKEN, 'token_ended'] },
  'DELETE /auth/token/:id': { summary: 'Revoke an access token', caller: 'token', success: 204, refusals: MANAGED_TOKEN },
  'GET /auth/interact/:id/:nonce': { summary: 'The page for the person who asks', caller: 'anyone', success: 200, refusals: ['not_found'] },
  'GET /auth/interact/:id/:nonce/state': {
    summary: 'Wait for the decision on a request',
    caller: 'anyone',
    success: 200,
    refusals: ['not_found'],
  },
  'POST /incoming-payments': {
    summary: 'Create an incoming payment',
    caller: 'token',
    success: 201,
    refusals: [
      ...JSON_BODY,
      ...TOKEN,
      'unknown_wallet_address',
      'no_wallet_address',
      'invalid_amount',
      'invalid_expiry',
      'account_damaged',
    ],
  },
  'GET /incoming-payments': { summary: 'List incoming payments', caller: 'token', success: 200, refusals: LIST },
  'GET /incoming-payments/:id': { summary: 'Read an incoming payment', caller: 'anyone or token', success: 200, refusals: INCOMING },
  'POST /incoming-payments/:id/complete': {
    summary: 'Complete an incoming payment',
    caller: 'token',
    success: 200,
    refusals: [...BODY, ...INCOMING, 'incoming_payment_expired'],
  },
  'POST /quotes': {
    summary: 'Create a quote',
    caller: 'token',
    success: 201,
    refusals: [...JSON_BODY, ...TOKEN, 'unknown_wallet_address', ...PRICE],
  },
  'GET /quotes/:id': { summary: 'Read a quote', caller: 'token', success: 200, refusals: [...TOKEN, 'quote_not_found'] },
  'POST /outgoing-payments': {
    summary: 'Create an outgoing payment',
    caller: 'token',
    success: 201,
    refusals: [
      ...JSON_BODY,
      ...TOKEN,
      'unknown_wallet_address',
      'unknown_quote',
      'invalid_quote',
      ...PRICE,
      'over_limit',
      'insufficient_balance',
      'account_damaged',
    ],
  },
  'GET /outgoing-payments': { summary: 'List outgoing payments', caller: 'token', success: 200, refusals: LIST },
  'GET /outgoing-payments/:id': {
    summary: 'Read an outgoing payment',
    caller: 'token',
    success: 200,
    refusals: [...TOKEN, 'outgoing_payment_not_found'],
  },
  'GET /outgoing-payment-grant': {
    summary: 'What a grant has spent in its current window',
    caller: 'token',
    success: 200,
    refusals: TOKEN,
  },
  'POST /ilp': {
    summary: 'Hand over an ILP PREPARE; the answer is its FULFILL or REJECT',
    caller: 'peer',
    success: 200,
    refusals: ['payload_too_large', 'invalid_peer_token', 'not_octets'],
  },
  'POST /ilp/peering': {
    summary: 'Between peers: test the way back, or renew the tokens',
    caller: 'peer',
    success: 200,
    refusals: [...JSON_BODY, 'invalid_peer_token'],
  },
  'POST /ilp/invitations/read': {
    summary: 'Read an invitation to become a peer',
    caller: 'anyone',
    success: 200,
    refusals: [...JSON_BODY, 'not_found'],
  },
  'POST /ilp/invitations/accept': {
    summary: 'Accept an invitation; the node calls the one that accepts back',
    caller: 'anyone',
    success: 200,
    refusals: [...JSON_BODY, 'not_found'],
  },
  'POST /ilp/invitations/confirm': {
    summary: 'The call back: both nodes tell their ILP address and the token that they take',
    caller: 'anyone',
    success: 200,
    refusals: [...JSON_BODY, 'not_found'],
  },
  'GET /pay/:id': {
    summary: 'The page on which people see and pay an incoming payment',
    caller: 'anyone',
    success: 200,
    refusals: ['not_found'],
  },
  'GET /pay/:id/code.svg': {
    summary: 'The address of the page of an incoming payment as a QR code',
    caller: 'anyone',
    success: 200,
    refusals: ['not_found'],
  },
  'GET /pay/:id/state': { summary: 'Wait for news of an incoming payment', caller: 'anyone', success: 200, refusals: ['not_found'] },
  'POST /pay/:id': {
    summary: 'Begin to pay from a wallet elsewhere; takes the form of its page',
    caller: 'anyone',
    success: 303,
    refusals: [...BODY, 'invalid_request', 'cross_site', 'not_found'],
  },
  'GET /pay/:id/go/:attempt': { summary: 'The page that leads to the wallet elsewhere', caller: 'anyone', success: 200, refusals: [] },
  'GET /pay/:id/return/:attempt': {
    summary: 'Where a browser comes back to from the wallet elsewhere',
    caller: 'anyone',
    success: 303,
    refusals: [],
  },
  'POST /pay': {
    summary: 'Begin to pay into a wallet address; takes the form of its page',
    caller: 'anyone',
    success: 303,
    refusals: [...BODY, 'invalid_request', 'cross_site', 'not_found'],
  },
  'POST /pay/:id/receipt': {
    summary: 'Ask for the receipt of a payment; takes the form of its page',
    caller: 'anyone',
    success: 303,
    refusals: [...BODY, 'cross_site', 'not_found'],
  },
  'GET /receipt/:secret': { summary: 'The page of a receipt', caller: 'anyone', success: 200, refusals: ['not_found'] },
  'GET /receipt/:secret/signed': {
    summary: 'A receipt as the node has signed it',
    caller: 'anyone',
    success: 200,
    refusals: ['not_found'],
  },
  'GET /receipt/:secret/receipt.pdf': {
    summary: 'A receipt as a PDF file',
    caller: 'anyone',
    success: 200,
    refusals: ['not_found'],
  },
  'GET /receipt/jwks.json': { summary: 'The key with which receipts are checked', caller: 'anyone', success: 200, refusals: [] },
  'GET /receipt/check': { summary: 'The page on which anybody checks a receipt', caller: 'anyone', success: 200, refusals: [] },
  'POST /receipt/check': {
    summary: 'Check a receipt; takes the form of its page',
    caller: 'anyone',
    success: 200,
    refusals: [...BODY, 'invalid_request', 'cross_site'],
  },
  'GET /claim/:secret': { summary: 'The page of a claim link', caller: 'anyone', success: 200, refusals: ['not_found'] },
  'POST /claim/:secret': {
    summary: 'Name the wallet to which money goes back; takes the form of its page',
    caller: 'anyone',
    success: 303,
    refusals: [...BODY, 'invalid_request', 'cross_site', 'not_found'],
  },
  'GET /claim/go/:id': {
    summary: 'The page that leads to the wallet that was named',
    caller: 'anyone',
    success: 200,
    refusals: ['not_found'],
  },
  'GET /claim/back/:id': {
    summary: 'Where a browser comes back to from the wallet that was named',
    caller: 'anyone',
    success: 303,
    refusals: [],
  },
  'GET /pay/logo/:hash': { summary: 'The logo of the shop', caller: 'anyone', success: 200, refusals: ['not_found'] },
  'GET /': { summary: 'The shop and its wallet addresses', caller: 'anyone', success: 200, refusals: ['not_found'] },
  'GET /:name': { summary: 'Read a wallet address', caller: 'anyone', success: 200, refusals: ['not_found'] },
  'GET /:name/jwks.json': { summary: 'Read the keys of a wallet address', caller: 'anyone', success: 200, refusals: ['not_found'] },
  'GET /healthz': { summary: 'Whether the node works', caller: 'anyone', success: 200, refusals: [] },
  'GET /readyz': { summary: 'Whether it takes requests that store something', caller: 'anyone', success: 200, refusals: [] },
  'GET /openapi.json': { summary: 'This API as an OpenAPI document', caller: 'anyone', success: 200, refusals: [] },
} as const satisfies Partial<Record<`${'GET' | 'POST' | 'DELETE'} ${Path}`, Endpoint>>;

export type EndpointName = keyof typeof ENDPOINTS;

export const isEndpoint = (name: string): name is EndpointName => Object.hasOwn(ENDPOINTS, name);
