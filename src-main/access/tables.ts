import { sql } from 'drizzle-orm';
import { bool, check, index, int53, json, primaryKey, table, text, timestampMs, uint64, uniqueIndex } from '../platform/database/schema.ts';
import type { ClientJwk } from './client-keys/client-key.ts';
import type { WireAccess } from './rights/wire-access.ts';

/**
 * `pending`: the grant request waits for the operator. `approved`: the operator approved it, and its client has not
 * continued yet. `issued`: the client has its token (or its proof). `frozen`: the same, but the books were put back
 * from a copy since then, and the grant counts only when the operator allows it again. The others are final: `denied`,
 * `lapsed` (nobody decided or continued in time) and `revoked`.
 */
export type GrantState = 'pending' | 'approved' | 'issued' | 'denied' | 'lapsed' | 'revoked' | 'frozen';

/** The states in which a grant can be revoked. */
export const REVOCABLE: readonly GrantState[] = ['pending', 'approved', 'issued', 'frozen'];

/** What clients asked for and got (protocol-notes.md#PN-18). */
export const grants = table(
  'grants',
  {
    id: text('id').primaryKey(),
    state: text('state').$type<GrantState>().notNull(),
    clientKind: text('client_kind').$type<'wallet-address' | 'jwk'>().notNull(),
    /** The wallet address URL, or `jwk:` and the key's thumbprint. */
    clientId: text('client_id').notNull(),
    /** The public key of a client that is known by its key only. */
    clientJwk: json<ClientJwk>('client_jwk'),
    /** The name that the client gives itself. It proves nothing. */
    clientName: text('client_name'),
    requested: json<WireAccess[]>('requested').notNull(),
    /** The client's rights. The operator may have lowered them. They are null until somebody has decided. */
    granted: json<WireAccess[]>('granted'),
    /** The wallet address of which the client wants a proof of ownership. */
    subject: text('subject'),
    /** The wallet address of the money or of the proof, for grant requests that need the operator. */
    walletAddressId: text('wallet_address_id'),
    interactive: bool('interactive').notNull(),
    /** The URL to which the client sent the grant request: the fourth line of the interaction hash. */
    endpoint: text('endpoint').notNull(),
    finishUri: text('finish_uri'),
    finishNonce: text('finish_nonce'),
    /** The nonce of the node: the second line of the interaction hash. */
    serverNonce: text('server_nonce'),
    interactionId: text('interaction_id'),
    /** SHA-256 of the last part of the interaction URL. */
    interactionNonceHash: text('interaction_nonce_hash'),
    continuationId: text('continuation_id').notNull(),
    /** SHA-256 of the continuation token. */
    continuationHash: text('continuation_hash').notNull(),
    /** The four digits on the page. It is null until somebody opens the page. */
    code: text('code'),
    wrongCodes: int53('wrong_codes').notNull(),
    createdAt: timestampMs('created_at').notNull(),
    openedAt: timestampMs('opened_at'),
    decidedAt: timestampMs('decided_at'),
    /** The time at which the grant request lapses while it is pending or approved. */
    lapsesAt: timestampMs('lapses_at'),
    lastContinuedAt: timestampMs('last_continued_at'),
    /** The end of the grant. It is null when the grant has no end. */
    expiresAt: timestampMs('expires_at'),
    /** The last time that the client used a token of the grant; see grant-uses.ts. */
    lastUsedAt: timestampMs('last_used_at'),
  },
  (t) => [
    check('grants_state', sql`${t.state} in ('pending', 'approved', 'issued', 'denied', 'lapsed', 'revoked', 'frozen')`),
    check('grants_client_kind', sql`${t.clientKind} in ('wallet-address', 'jwk')`),
    check('grants_wrong_codes', sql`${t.wrongCodes} between 0 and 5`),
    index('grants_continuation').on(t.continuationHash),
    index('grants_interaction').on(t.interactionNonceHash).where(sql`${t.interactionNonceHash} is not null`),
    index('grants_listed').on(t.createdAt, t.id),
    index('grants_interactive').on(t.createdAt, t.id).where(sql`${t.interactive} = 1`),
    // The operator's list of permissions, by use and by app. The expression has no comma, at which drizzle-kit cuts it.
    index('grants_used')
      .on(sql`case when ${t.lastUsedAt} is null then ${t.createdAt} else ${t.lastUsedAt} end`, t.id)
      .where(sql`${t.interactive} = 1`),
    index('grants_named').on(t.clientId, t.id).where(sql`${t.interactive} = 1`),
    index('grants_client').on(t.clientId, t.state),
    index('grants_frozen').on(t.createdAt, t.id).where(sql`${t.state} = 'frozen' and ${t.interactive} = 1`),
    index('grants_waiting').on(t.state, t.lapsesAt).where(sql`${t.state} in ('pending', 'approved')`),
  ],
);

/**
 * Whether the operator had allowed a grant that is frozen. It has the same words as the partial index above, so that
 * SQLite uses that index.
 */
export const isFrozen = sql`${grants.state} = 'frozen' and ${grants.interactive} = 1`;

/**
 * The trust of the node in a client. `trusted`: nothing is counted; the node's own accounts are trusted. `known`: an
 * app to which the operator has allowed something. `stranger`: everybody else, such as a key that somebody made up a
 * moment ago.
 */
export type Tier = 'stranger' | 'known' | 'trusted';

/** The operator's choice for clients whose usual tier does not fit. */
export const clientTrust = table(
  'client_trust',
  {
    /** The wallet address URL. */
    clientId: text('client_id').primaryKey(),
    tier: text('tier').$type<Tier>().notNull(),
    chosenAt: timestampMs('chosen_at').notNull(),
  },
  (t) => [check('client_trust_tier', sql`${t.tier} in ('stranger', 'known', 'trusted')`)],
);

/**
 * Each row names the stranger who made a thing that is still stored: an unpaid incoming payment, an unused quote, or a
 * grant that the operator has not allowed.
 */
export const strangerRows = table(
  'stranger_rows',
  {
    thingId: text('thing_id').primaryKey(),
    /** The id of the client. */
    key: text('key'),
    /** The host of its wallet address. */
    origin: text('origin'),
    /** The IPv4 address, or the /64 of IPv6, from which it asked. */
    network: text('network'),
    madeAt: timestampMs('made_at').notNull(),
  },
  (t) => [
    index('stranger_rows_key').on(t.key),
    index('stranger_rows_origin').on(t.origin),
    index('stranger_rows_network').on(t.network),
    index('stranger_rows_made').on(t.madeAt, t.thingId),
  ],
);

/** `rotated`: another token took its place. `revoked`: it has ended. */
type TokenState = 'active' | 'rotated' | 'revoked';

/**
 * Access tokens by their hash. A grant has at most one `active` token. The id is the last part of the management URL.
 */
export const accessTokens = table(
  'access_tokens',
  {
    id: text('id').primaryKey(),
    grantId: text('grant_id')
      .notNull()
      .references(() => grants.id),
    /** SHA-256 of the value, base64url. */
    tokenHash: text('token_hash').notNull(),
    state: text('state').$type<TokenState>().notNull(),
    replacedBy: text('replaced_by'),
    /**
     * Whether the operator has ended the value: resources refuse it, but its client may still exchange it for the next
     * one.
     */
    awaitsRotation: bool('awaits_rotation').notNull(),
    /** The value, encrypted, for a client whose answer was lost. It is null after the first use of the token. */
    sealed: text('sealed'),
    createdAt: timestampMs('created_at').notNull(),
    expiresAt: timestampMs('expires_at').notNull(),
  },
  (t) => [
    check('access_tokens_state', sql`${t.state} in ('active', 'rotated', 'revoked')`),
    uniqueIndex('access_tokens_hash').on(t.tokenHash),
    uniqueIndex('access_tokens_living').on(t.grantId).where(sql`${t.state} = 'active'`),
    index('access_tokens_grant').on(t.grantId, t.createdAt, t.id),
    index('access_tokens_ended').on(t.expiresAt).where(sql`${t.state} <> 'active'`),
    // An id that a client names is looked for among the ids of its own grant.
    uniqueIndex('access_tokens_own').on(t.grantId, t.id),
  ],
);

/**
 * These conditions have the same words as the partial indexes above. With a bound parameter SQLite could not tell that
 * the index fits, and would read the whole table.
 */
export const waits = sql`${grants.state} in ('pending', 'approved')`;
export const isActive = sql`${accessTokens.state} = 'active'`;
export const hasEnded = sql`${accessTokens.state} <> 'active'`;

/** The last use of the grant, or its making. This repeats the very words of an index above. */
export const lastUse = sql`case when ${grants.lastUsedAt} is null then ${grants.createdAt} else ${grants.lastUsedAt} end`;

/**
 * The condition that the node asked the operator for the grant. This repeats the very words of the partial index above.
 */
export const isInteractive = sql`${grants.interactive} = 1`;

/**
 * The condition that resources accept a token, and that its grant counts. It has no parameters, because every request
 * asks for it; see `unpeeked`.
 */
export const isUsable = sql`${isActive} and ${accessTokens.awaitsRotation} = 0 and ${grants.state} = 'issued'`;

/**
 * The amounts that grants have used, as one sum for each window, kind and asset: the node checks a limit against one
 * row, however old the grant is.
 */
export const grantSpendings = table(
  'grant_spendings',
  {
    grantId: text('grant_id')
      .notNull()
      .references(() => grants.id),
    kind: text('kind').$type<'debit' | 'receive'>().notNull(),
    /** The start of the window. It is 0 when the limits have no interval and hold for the grant's life. */
    windowStart: timestampMs('window_start').notNull(),
    assetCode: text('asset_code').notNull(),
    assetScale: int53('asset_scale').notNull(),
    spent: uint64('spent').notNull(),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.grantId, t.kind, t.windowStart, t.assetCode, t.assetScale] }),
    check('grant_spendings_kind', sql`${t.kind} in ('debit', 'receive')`),
  ],
);

/**
 * Signatures that made something, and nonces. They stay for as long as the node would accept a copy of their request,
 * so that a copy makes nothing a second time.
 */
export const seenSignatures = table('seen_signatures', {
  /**
   * The time at which the signature becomes too old, then a hash of the key and the signature or nonce; see
   * repetitions.ts.
   */
  mark: text('mark').primaryKey(),
  /** The id of what the request made. It is null for a nonce. */
  madeId: text('made_id'),
});
