import { sql } from 'drizzle-orm';
import { check, index, int53, int64, table, text, timestampMs, uniqueIndex } from '../../platform/database/schema.ts';

/** Invitations that this node has given, each for one other node. Whether one has expired, its time says. */
export const peerInvitations = table(
  'peer_invitations',
  {
    /** The peer that comes of it gets the same id. */
    id: text('id').primaryKey(),
    /** SHA-256 (base64url) of the secret in the code. */
    secretHash: text('secret_hash').notNull(),
    assetCode: text('asset_code').notNull(),
    assetScale: int53('asset_scale').notNull(),
    /** The most that the other node may owe this one, in smallest units. */
    creditLimit: int64('credit_limit').notNull(),
    /** Who invites, in the operator's words. The other operator reads them. */
    introduction: text('introduction').notNull(),
    state: text('state').$type<'open' | 'used' | 'cancelled'>().notNull(),
    /** SHA-256 (base64url) of what names the acceptance that used it. It is null before. */
    acceptanceHash: text('acceptance_hash'),
    expiresAt: timestampMs('expires_at').notNull(),
    createdAt: timestampMs('created_at').notNull(),
  },
  (t) => [
    check('peer_invitations_state', sql`${t.state} in ('open', 'used', 'cancelled')`),
    check('peer_invitations_used', sql`(${t.state} = 'used') = (${t.acceptanceHash} is not null)`),
    uniqueIndex('peer_invitations_secret').on(t.secretHash),
    index('peer_invitations_ends').on(t.expiresAt),
  ],
);

/** Invitations of other nodes that the operator of this node has accepted. */
export const peerAcceptances = table(
  'peer_acceptances',
  {
    /** The peer that comes of it gets the same id. */
    id: text('id').primaryKey(),
    /** SHA-256 (base64url) of the secret in the code, so that the same code is accepted once. */
    secretHash: text('secret_hash').notNull(),
    /** The secret, sealed. It is empty once the acceptance has ended. */
    secret: text('secret').notNull(),
    /** SHA-256 (base64url) of what names this acceptance between the two nodes. */
    nonceHash: text('nonce_hash').notNull(),
    /** The public origin of the node that invites. */
    origin: text('origin').notNull(),
    /** What the operator calls the peer, and who accepts, in the words that the other operator reads. */
    name: text('name').notNull(),
    introduction: text('introduction').notNull(),
    assetCode: text('asset_code').notNull(),
    assetScale: int53('asset_scale').notNull(),
    /** The most that the other node may owe this one, and the most that this one may owe it, in smallest units. */
    creditLimit: int64('credit_limit').notNull(),
    debtLimit: int64('debt_limit').notNull(),
    /** What the other node has told when it called back: its ILP address, and its token (sealed). */
    ilpAddress: text('ilp_address'),
    outgoingToken: text('outgoing_token'),
    /** `failed`: the other node has refused, or has not answered for two days. */
    state: text('state').$type<'under_way' | 'done' | 'failed'>().notNull(),
    /** Why it failed, or why the last try did. */
    problem: text('problem'),
    createdAt: timestampMs('created_at').notNull(),
  },
  (t) => [
    check('peer_acceptances_state', sql`${t.state} in ('under_way', 'done', 'failed')`),
    uniqueIndex('peer_acceptances_secret').on(t.secretHash),
    uniqueIndex('peer_acceptances_nonce').on(t.nonceHash),
    index('peer_acceptances_begun').on(t.createdAt),
  ],
);
