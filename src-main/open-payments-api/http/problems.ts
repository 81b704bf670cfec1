import type { GateProblem } from '../../access/clients/signature-gate.ts';

interface Problem {
  status: number;
  /** What programs read; never changes. */
  code: string;
  /** What developers of clients read. Existing clients look for some of these words (facts §7.2, §11.4). */
  words: string;
  /** After how many seconds it is worth trying again, where that is known beforehand. */
  retryAfterSeconds?: number;
}

/**
 * Every way in which the public API refuses: condition → status, code, words. One table for all endpoints; a module adds
 * its conditions here and nowhere else, and says in `endpoints.ts` which endpoint can answer with them.
 */
export const PROBLEMS = {
  // Every endpoint.
  invalid_json: { status: 400, code: 'invalid_request', words: 'The body is not valid JSON.' },
  invalid_request: { status: 400, code: 'invalid_request', words: 'The request does not have the form this endpoint takes.' },
  not_found: { status: 404, code: 'not_found', words: 'Not Found' },
  payload_too_large: { status: 413, code: 'payload_too_large', words: 'The body is larger than 64 KiB.' },
  headers_too_large: { status: 431, code: 'headers_too_large', words: 'The headers are larger than 16 KiB.' },
  cross_site: { status: 403, code: 'cross_site', words: 'This form is taken from pages of this server only.' },
  unsupported_media_type: { status: 415, code: 'unsupported_media_type', words: 'The body must be application/json.' },
  malformed_http: { status: 400, code: 'invalid_request', words: 'The request is not valid HTTP.' },
  timed_out: { status: 408, code: 'timed_out', words: 'The request did not arrive in time.' },
  rate_limited: { status: 429, code: 'too_many_requests', words: 'Too many requests. Try again later.' },
  unavailable: { status: 503, code: 'unavailable', words: 'The service cannot store anything at the moment.' },
  internal: { status: 500, code: 'internal_error', words: 'Something went wrong here. The request id names it.' },

  // Packets of peers.
  invalid_peer_token: { status: 401, code: 'invalid_token', words: 'The bearer token is not one of a peer.' },
  not_octets: { status: 400, code: 'invalid_request', words: 'The body must be one ILP packet as application/octet-stream.' },

  // Tokens and signatures at resources.
  missing_authorization: { status: 401, code: 'missing_authorization', words: 'Missing or invalid authorization header value' },
  invalid_token: { status: 401, code: 'invalid_token', words: 'Invalid Token' },
  invalid_signature: { status: 401, code: 'invalid_signature', words: 'Signature validation error' },
  insufficient_grant: { status: 403, code: 'insufficient_grant', words: 'Insufficient Grant' },

  // Grants, interactions and token management (facts §6).
  unknown_client: { status: 400, code: 'invalid_client', words: 'could not determine client' },
  client_signature: { status: 401, code: 'invalid_client', words: 'invalid signature' },
  client_without_document: { status: 400, code: 'invalid_client', words: 'could not determine client: its wallet address has no document' },
  jwk_cannot_interact: {
    status: 400,
    code: 'invalid_client',
    words: 'JWK client identifier cannot be used for interactive grants',
  },
  nothing_requested: { status: 400, code: 'invalid_request', words: 'subject or access_token required' },
  missing_interact: { status: 400, code: 'invalid_request', words: "missing required request field 'interact'" },
  identifier_required: { status: 400, code: 'invalid_request', words: 'access identifier required' },
  unknown_identifier: { status: 400, code: 'invalid_request', words: 'an identifier or subject is no wallet address of this server' },
  several_paying_rights: { status: 400, code: 'invalid_request', words: 'only one outgoing-payment access item may have create' },
  limit_asset_mismatch: { status: 400, code: 'invalid_request', words: 'the debitAmount limit is not in the asset of the wallet address' },
  invalid_finish_uri: {
    status: 400,
    code: 'invalid_request',
    words: 'interact.finish.uri must be https, http on loopback, or an app scheme with a dot, without user information',
  },
  too_many_waiting: {
    status: 429,
    code: 'too_many_requests',
    words: 'too many grant requests wait for a decision',
    retryAfterSeconds: 60,
  },
  missing_continuation: { status: 401, code: 'invalid_continuation', words: 'missing continuation information' },
  unknown_continuation: { status: 404, code: 'invalid_continuation', words: 'grant not found' },
  /** Of a cancellation; the official document has another code for it than for a continuation. */
  unknown_grant: { status: 404, code: 'invalid_request', words: 'unknown grant' },
  missing_interact_ref: { status: 400, code: 'invalid_request', words: 'missing interaction reference' },
  too_fast: { status: 400, code: 'too_fast', words: 'polled/continued grant faster than "wait" period' },
  polling_refused: { status: 401, code: 'request_denied', words: 'grant cannot be polled' },
  not_approved: { status: 401, code: 'request_denied', words: 'grant interaction not approved' },
  not_continuable: { status: 401, code: 'request_denied', words: 'grant cannot be continued' },
  unknown_access_token: { status: 401, code: 'invalid_client', words: 'invalid access token' },
  token_ended: { status: 400, code: 'invalid_rotation', words: 'the access token cannot be rotated any more' },

  // Wallet addresses and payments.
  unknown_wallet_address: { status: 404, code: 'unknown_wallet_address', words: 'unknown wallet address' },
  no_wallet_address: { status: 400, code: 'no_wallet_address', words: 'The request must say which wallet address it is for.' },
  incoming_payment_not_found: { status: 404, code: 'not_found', words: 'Incoming payment does not exist' },
  outgoing_payment_not_found: { status: 404, code: 'not_found', words: 'Outgoing payment does not exist' },
  quote_not_found: { status: 404, code: 'not_found', words: 'Quote does not exist' },
  invalid_amount: { status: 400, code: 'invalid_amount', words: 'invalid amount' },
  amount_too_large: { status: 400, code: 'amount_too_large', words: 'invalid amount: more than 2^63-1 units cannot move' },
  invalid_expiry: { status: 400, code: 'invalid_expiry', words: 'invalid expiresAt: it must be in the future' },
  incoming_payment_expired: { status: 403, code: 'incoming_payment_expired', words: 'The incoming payment has expired.' },
  invalid_receiver: { status: 400, code: 'invalid_receiver', words: 'invalid receiver' },
  /** Also for a host this node does not talk to: what is behind its network is not to be found out through it. */
  receiver_unreachable: {
    status: 400,
    code: 'receiver_unreachable',
    words: 'invalid receiver: its wallet gave no usable answer. It is not asked again for half a minute.',
  },
  receiver_refused: {
    status: 400,
    code: 'receiver_refused',
    words: 'invalid receiver: its wallet does not let this one read it',
  },
  receiver_busy: {
    status: 429,
    code: 'too_many_requests',
    words: 'Too many receivers at other wallets are being looked up. Try again later.',
    retryAfterSeconds: 1,
  },
  too_small: { status: 400, code: 'non_positive_receive_amount', words: 'non-positive receive amount' },
  no_rate: { status: 400, code: 'no_rate', words: 'could not convert between assets' },
  rate_stale: { status: 400, code: 'rate_stale', words: 'could not convert between assets: the exchange rate is too old' },
  no_liquidity: {
    status: 400,
    code: 'no_liquidity',
    words: "could not convert between assets: there is not enough of the receiver's asset to exchange into",
  },
  no_route: { status: 400, code: 'no_route', words: "invalid receiver: there is no way to the receiver's wallet" },
  route_unreachable: {
    status: 400,
    code: 'route_unreachable',
    words: "invalid receiver: the way to the receiver's wallet did not answer in time. Try again later.",
  },
  unknown_quote: { status: 404, code: 'unknown_quote', words: 'unknown quote' },
  invalid_quote: { status: 400, code: 'invalid_quote', words: 'invalid quote' },
  over_limit: { status: 403, code: 'limit_exceeded', words: 'unauthorized' },
  insufficient_balance: { status: 403, code: 'insufficient_balance', words: 'The account holds less than this payment needs.' },

  // Pages of lists.
  first_and_last: { status: 400, code: 'invalid_pagination', words: 'first and last are mutually exclusive' },
  last_without_cursor: { status: 400, code: 'invalid_pagination', words: 'last requires cursor' },
  unknown_cursor: { status: 400, code: 'unknown_cursor', words: 'The cursor names nothing in this list.' },
} as const satisfies Record<string, Problem>;

export type Condition = keyof typeof PROBLEMS;

/** The body of every refusal. */
export interface ProblemBody {
  error: { code: string; description: string; details?: Record<string, unknown> };
}

/** Thrown at the door, and only there, to answer with a row of {@link PROBLEMS}. */
export class ApiProblem extends Error {
  readonly condition: Condition;
  readonly details: Record<string, unknown> | undefined;
  readonly words: string;
  readonly retryAfterSeconds: number | undefined;

  /** @param words more exact than the table's, which they must contain or replace without saying less. */
  constructor(
    condition: Condition,
    more: { details?: Record<string, unknown> | undefined; words?: string; retryAfterSeconds?: number } = {},
  ) {
    super(condition);
    const row: Problem = PROBLEMS[condition];
    this.condition = condition;
    this.details = more.details;
    this.words = more.words ?? row.words;
    this.retryAfterSeconds = more.retryAfterSeconds ?? row.retryAfterSeconds;
  }

  get status(): number {
    return PROBLEMS[this.condition].status;
  }

  get body(): ProblemBody {
    const { code } = PROBLEMS[this.condition];
    return { error: { code, description: this.words, ...(this.details && { details: this.details }) } };
  }
}

/** What is wrong with a signature, in words existing clients know where they know any (facts §7.2). */
export const SIGNATURE_WORDS: Record<GateProblem, string> = {
  missing_signature: 'missing signature',
  malformed_signature: 'malformed signature headers',
  duplicate_header: 'a header occurs twice',
  unsupported_component: 'a covered component is not supported',
  missing_key_id: 'missing keyId in signature input',
  missing_created: 'missing created in signature input',
  missing_component: 'a required component is not covered',
  stale: 'created is too long ago',
  future: 'created is in the future',
  expired: 'the signature has expired',
  invalid_tag: 'the tag is not gnap',
  algorithm_mismatch: 'the algorithm is not that of the key',
  digest_mismatch: 'the content digest does not match the body',
  length_mismatch: 'the content length does not match the body',
  key_id_mismatch: 'invalid key id',
  unknown_key: 'could not find key in list of client keys',
  key_unavailable: 'could not retrieve client keys',
  invalid_signature: 'provided signature is invalid',
  nonce_used: 'the nonce was used before',
};
