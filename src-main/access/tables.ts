import { sql } from 'drizzle-orm';
import { bool, check, index, int53, json, primaryKey, table, text, timestampMs, uint64, uniqueIndex } from '../platform/database/schema.ts';
import type { ClientJwk } from './client-keys/client-key.ts';
import type { WireAccess } from './rights/wire-access.ts';

/**
 * `pending`: waits for the operator. `approved`: decided, waits for its client to continue. `issued`: its client has its
 * token (or its proof). `frozen`: the same, but the books were put back from a copy since, and it counts only when the operator allows it
 * again. The rest is final: `denied`, `lapsed` (nobody decided or continued in time), `revoked`.
 */
export type GrantState = 'pending' | 'approved' | 'issued' | 'denied' | 'lapsed' | 'revoked' | 'frozen';

/** The states that revoking ends. */
export const REVOCABLE: readonly GrantState[] = ['pending', 'approved', 'issued', 'frozen'];

/** What clients asked for and got (facts §6). */
export const grants = table(
  'grants',
  {
    id: text('id').primaryKey(),
    state: text('state').$type<GrantState>().notNull(),
    clientKind: text('client_kind').$type<'wallet-address' | 'jwk'>().notNull(),
    /** The wallet address URL, or `jwk:` and the key's thumbprint. */
    clientId: text('client_id').notNull(),
    /** The public key, for a client known by its key only. */
    clientJwk: json<ClientJwk>('client_jwk'),
    /** What the client says of itself; never proof of anything. */
    clientName: text('client_name'),
    requested: json<WireAccess[]>('requested').notNull(),
    /** What the client may do; the operator may have lowered it. Null until decided. */
    granted: json<WireAccess[]>('granted'),
    /** The wallet address the client wants proof for. */
    subject: text('subject'),
    /** The account of the money or of the proof, for requests that need the operator. */
    walletAddressId: text('wallet_address_id'),
    interactive: bool('interactive').notNull(),
    /** The URL the grant request was sent to: fourth line of the interaction hash. */
    endpoint: text('endpoint').notNull(),
    finishUri: text('finish_uri'),
    finishNonce: text('finish_nonce'),
    /** The node's own nonce, second line of the interaction hash. */
    serverNonce: text('server_nonce'),
    interactionId: text('interaction_id'),
    /** SHA-256 of the last part of the interaction URL. */
    interactionNonceHash: text('interaction_nonce_hash'),
    continuationId: text('continuation_id').notNull(),
    /** SHA-256 of the continuation token. */
    continuationHash: text('continuation_hash').notNull(),
    /** Four digits, shown on the page once it is opened. */
    code: text('code'),
    wrongCodes: int53('wrong_codes').notNull(),
    createdAt: timestampMs('created_at').notNull(),
    openedAt: timestampMs('opened_at'),
    decidedAt: timestampMs('decided_at'),
    /** While pending or approved: when it lapses. */
    lapsesAt: timestampMs('lapses_at'),
    lastContinuedAt: timestampMs('last_continued_at'),
    /** When everything it allows ends; null for never. */
    expiresAt: timestampMs('expires_at'),
    /** When a token of it was last used; see grant-uses.ts. */
    lastUsedAt: timestampMs('last_used_at'),
  },
  (t) => [
    check('grants_state', sql`${t.state} in ('pending', 'approved', 'issued', 'denied', 'lapsed', 'revoked', 'frozen')`),
    check('grants_client_kind', sql`${t.clientKind} in ('wallet-address', 'jwk')`),
    check('grants_wrong_codes', sql`${t.wrongCodes} between 0 and 5`),
    uniqueIndex('grants_continuation').on(t.continuationId),
    uniqueIndex('grants_interaction').on(t.interactionId).where(sql`${t.interactionId} is not null`),
    index('grants_listed').on(t.createdAt, t.id),
    index('grants_client').on(t.clientId, t.state),
    index('grants_waiting').on(t.state, t.lapsesAt).where(sql`${t.state} in ('pending', 'approved')`),
  ],
);

/** `rotated`: another one took its place. `revoked`: ended. */
export type TokenState = 'active' | 'rotated' | 'revoked';

/** Access tokens by their hash. A grant has at most one `active` one; its id is the last part of the management URL. */
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
    /** Ended by the operator: dead for resources, but its client may still exchange it for the next one. */
    awaitsRotation: bool('awaits_rotation').notNull(),
    /** The value for a retry whose answer was lost, encrypted; gone after its first use. */
    sealed: text('sealed'),
    createdAt: timestampMs('created_at').notNull(),
    expiresAt: timestampMs('expires_at').notNull(),
  },
  (t) => [
    check('access_tokens_state', sql`${t.state} in ('active', 'rotated', 'revoked')`),
    uniqueIndex('access_tokens_hash').on(t.tokenHash),
    uniqueIndex('access_tokens_living').on(t.grantId).where(sql`${t.state} = 'active'`),
    index('access_tokens_grant').on(t.grantId, t.createdAt, t.id),
  ],
);

/**
 * Conditions in the very words of the partial indexes above: with a bound parameter instead, SQLite could not
 * tell that they fit and would read the whole table.
 */
export const waits = sql`${grants.state} in ('pending', 'approved')`;
export const isLiving = sql`${accessTokens.state} = 'active'`;

/** A token that counts at resources, of a grant that counts. Without parameters, because it is asked with every request; see `unpeeked`. */
export const isUsable = sql`${isLiving} and ${accessTokens.awaitsRotation} = 0 and ${grants.state} = 'issued'`;

/** What a grant has used, summed per window, kind and asset: a limit is checked against one row, however old the grant. */
export const grantSpendings = table(
  'grant_spendings',
  {
    grantId: text('grant_id')
      .notNull()
      .references(() => grants.id),
    kind: text('kind').$type<'debit' | 'receive'>().notNull(),
    /** Start of the window; 0 for the grant's life, when its limits have no interval. */
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

/** Nonces of signatures seen, per key: a signature that carries one is taken once. */
export const signatureNonces = table(
  'signature_nonces',
  {
    thumbprint: text('thumbprint').notNull(),
    nonce: text('nonce').notNull(),
    /** After this moment the signature is too old to be taken anyway. */
    expiresAt: timestampMs('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.thumbprint, t.nonce] }), index('signature_nonces_expiry').on(t.expiresAt)],
);
