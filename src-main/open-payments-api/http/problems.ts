import type { GateProblem } from '../../access/clients/signature-gate.ts';

interface Problem {
  status: number;
  /** The code, for programs. It never changes (decisions.md#D-08). */
  code: string;
  /** The words, for developers of clients. Existing clients look for some of them (protocol-notes.md#PN-29). */
  words: string;
  /** The client may try again after this many seconds, where that is known beforehand. */
  retryAfterSeconds?: number;
}

/** Conditions that share a status and a code. Only their words differ. */
const alike = <Name extends string>(status: number, code: string, words: Record<Name, string>): Record<Name, Problem> =>
  mapped(words, (text) => ({ status, code, words: text }));

/** Conditions whose own name is their code. */
const named = <Name extends string>(status: number, words: Record<Name, string>): Record<Name, Problem> =>
  mapped(words, (text, code) => ({ status, code, words: text }));

const mapped = <Name extends string>(words: Record<Name, string>, problem: (text: string, name: Name) => Problem) =>
  Object.fromEntries(Object.entries<string>(words).map(([name, text]) => [name, problem(text, name as Name)])) as Record<Name, Problem>;

/**
 * Every way in which the public API refuses a request: condition → status, code, words. One table serves all
 * endpoints. A module adds its conditions here, and `endpoints.ts` says which endpoint can answer with them.
 *
 * The words are part of the protocol, in English for every client, so they stand here and not in `src-shared/words`.
 */
export const PROBLEMS = {
  // Every endpoint.
  ...alike(400, 'invalid_request', {
    invalid_json: 'The body is not valid JSON.',
    invalid_request: 'The request does not have the form this endpoint takes.',
    malformed_http: 'The request is not valid HTTP.',
  }),
  not_found: { status: 404, code: 'not_found', words: 'Not Found' },
  rate_limited: { status: 429, code: 'too_many_requests', words: 'Too many requests. Try again later.' },
  internal: { status: 500, code: 'internal_error', words: 'Something went wrong here. The request id names it.' },
  ...named(413, {
    payload_too_large: 'The body is larger than 64 KiB.',
  }),
  ...named(431, {
    headers_too_large: 'The headers are larger than 16 KiB.',
  }),
  ...named(415, {
    unsupported_media_type: 'The body must be application/json.',
    unsupported_encoding: 'The body must come without a content encoding.',
  }),
  ...named(403, {
    cross_site: 'This form is taken from pages of this server only.',
  }),
  ...named(408, {
    timed_out: 'The request did not arrive in time.',
  }),
  unavailable: { status: 503, code: 'unavailable', words: 'The service cannot store anything at the moment.', retryAfterSeconds: 5 },
  account_damaged: {
    status: 503,
    code: 'account_damaged',
    words: 'This account takes part in no payment until its books are mended. Nothing was changed.',
  },
  /** The client did nothing wrong: it can come again. */
  busy: { status: 503, code: 'busy', words: 'The node is busy. Try again later.', retryAfterSeconds: 2 },

  // Packets of peers.
  invalid_peer_token: { status: 401, code: 'invalid_token', words: 'The bearer token is not one of a peer.' },
  not_octets: { status: 400, code: 'invalid_request', words: 'The body must be one ILP packet as application/octet-stream.' },

  // Tokens and signatures at resources.
  ...named(401, {
    missing_authorization: 'Missing or invalid authorization header value',
    invalid_token: 'Invalid Token',
    invalid_signature: 'Signature validation error',
  }),
  ...named(403, {
    insufficient_grant: 'Insufficient Grant',
  }),

  // Grants, interactions and token management.
  ...alike(400, 'invalid_client', {
    unknown_client: 'could not determine client',
    client_without_document: 'could not determine client: its wallet address has no document',
    jwk_cannot_interact: 'JWK client identifier cannot be used for interactive grants',
  }),
  ...alike(401, 'invalid_client', {
    client_signature: 'invalid signature',
    unknown_access_token: 'invalid access token',
  }),
  ...alike(400, 'invalid_request', {
    nothing_requested: 'subject or access_token required',
    missing_interact: "missing required request field 'interact'",
    identifier_required: 'access identifier required',
    unknown_identifier: 'an identifier or subject is no wallet address of this server',
    several_paying_rights: 'only one outgoing-payment access item may have create',
    limit_asset_mismatch: 'the debitAmount limit is not in the asset of the wallet address',
    invalid_finish_uri: 'interact.finish.uri must be https, http on loopback, or an app scheme with a dot, without user information',
    missing_interact_ref: 'missing interaction reference',
  }),
  /** The node cannot tell the secrets of its first answer again: they were used since, or the node was restarted. */
  repeated_request: {
    status: 400,
    code: 'invalid_request',
    words: 'this very request was answered before; sign a new one',
  },
  too_many_waiting: { status: 429, code: 'too_many_requests', words: 'too many grant requests wait for a decision', retryAfterSeconds: 60 },
  missing_continuation: { status: 401, code: 'invalid_continuation', words: 'missing continuation information' },
  unknown_continuation: { status: 404, code: 'invalid_continuation', words: 'grant not found' },
  /** The answer to a cancellation. The official document has another code for it than for a continuation. */
  unknown_grant: { status: 404, code: 'invalid_request', words: 'unknown grant' },
  ...named(400, {
    too_fast: 'polled/continued grant faster than "wait" period',
  }),
  ...alike(401, 'request_denied', {
    polling_refused: 'grant cannot be polled',
    not_approved: 'grant interaction not approved',
    not_continuable: 'grant cannot be continued',
  }),
  token_ended: { status: 400, code: 'invalid_rotation', words: 'the access token cannot be rotated any more' },

  // Wallet addresses and payments.
  ...alike(404, 'not_found', {
    incoming_payment_not_found: 'Incoming payment does not exist',
    outgoing_payment_not_found: 'Outgoing payment does not exist',
    quote_not_found: 'Quote does not exist',
  }),
  ...named(404, {
    unknown_wallet_address: 'unknown wallet address',
    unknown_quote: 'unknown quote',
  }),
  ...named(400, {
    no_wallet_address: 'The request must say which wallet address it is for.',
    invalid_amount: 'invalid amount',
    amount_too_large: 'invalid amount: more than 2^63-1 units cannot move',
    invalid_expiry: 'invalid expiresAt: it must be in the future',
    invalid_quote: 'invalid quote',
    invalid_receiver: 'invalid receiver',
    /** Also for a host to which this node does not talk: nobody finds out through it what is behind its network. */
    receiver_unreachable: 'invalid receiver: its wallet gave no usable answer. It is not asked again for half a minute.',
    receiver_refused: 'invalid receiver: its wallet does not let this one read it',
    no_route: "invalid receiver: there is no way to the receiver's wallet",
    route_unreachable: "invalid receiver: the way to the receiver's wallet did not answer in time. Try again later.",
    no_rate: 'could not convert between assets',
    rate_stale: 'could not convert between assets: the exchange rate is too old',
    no_liquidity: "could not convert between assets: there is not enough of the receiver's asset to exchange into",
  }),
  ...named(403, {
    incoming_payment_expired: 'The incoming payment has expired.',
    insufficient_balance: 'The account holds less than this payment needs.',
  }),
  receiver_busy: {
    status: 429,
    code: 'too_many_requests',
    words: 'Too many receivers at other wallets are being looked up. Try again later.',
    retryAfterSeconds: 1,
  },
  too_small: { status: 400, code: 'non_positive_receive_amount', words: 'non-positive receive amount' },
  over_limit: { status: 403, code: 'limit_exceeded', words: 'unauthorized' },

  // Pages of lists.
  ...alike(400, 'invalid_pagination', {
    first_and_last: 'first and last are mutually exclusive',
    last_without_cursor: 'last requires cursor',
  }),
  ...named(400, {
    unknown_cursor: 'The cursor names nothing in this list.',
  }),
} satisfies Record<string, Problem>;

export type Condition = keyof typeof PROBLEMS;

/** The body of every refusal. */
interface ProblemBody {
  error: { code: string; description: string; details?: Record<string, unknown> };
}

/** An error that routes throw to answer with a row of {@link PROBLEMS}. Nothing below the routes throws it. */
export class ApiProblem extends Error {
  readonly condition: Condition;
  readonly details: Record<string, unknown> | undefined;
  readonly words: string;
  readonly retryAfterSeconds: number | undefined;

  /** @param more.words more exact words than those of the table. They must not say less. */
  constructor(
    condition: Condition,
    more: { details?: Record<string, unknown> | undefined; words?: string; retryAfterSeconds?: number } = {},
  ) {
    // Nobody reads from where a refusal was thrown, and finding it out takes as long as all else about one.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(condition);
    Error.stackTraceLimit = stackTraceLimit;
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

/**
 * Whether a request was refused without a fault of its signer: the node had no place for looking up its key, or its
 * client had to wait and repeated it without a signature. That client shall read that it had to wait.
 */
export const mayComeAgain = (problem: GateProblem): problem is MayComeAgain => problem === 'key_busy' || problem === 'unsigned_repetition';
type MayComeAgain = 'key_busy' | 'unsigned_repetition';

/** The fault of a signature, in words that existing clients know, where they know any (protocol-notes.md#PN-29). */
export const SIGNATURE_WORDS: Record<Exclude<GateProblem, MayComeAgain>, string> = {
  missing_signature: 'missing signature',
  too_many_signatures: 'more than four signatures',
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
  nonce_too_long: 'the nonce is longer than 128 characters',
};
