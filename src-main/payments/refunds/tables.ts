import { sql } from 'drizzle-orm';
import type { ClaimFinding } from '../../../src-shared/claims/claim-findings.ts';
import type { LimitedRole, Role } from '../../../src-shared/people/roles.ts';
import { check, index, int53, int64, primaryKey, table, text, timestampMs, uniqueIndex } from '../../platform/database/schema.ts';
import { incomingPayments, outgoingPayments } from '../tables.ts';

/**
 * The payers of incoming payments from other wallets, where it is proven who paid. A payment from an account of this
 * node needs no row: its outgoing payment says who paid, in the write that moves the money.
 */
export const payers = table(
  'payers',
  {
    incomingPaymentId: text('incoming_payment_id')
      .notNull()
      .references(() => incomingPayments.id),
    /** The wallet address whose wallet consented. */
    walletAddress: text('wallet_address').notNull(),
    /** The part of what was received that is proven to have come from there, in smallest units of the account. */
    amount: int64('amount').notNull(),
    /**
     * The amount that their wallet says it took for it, in its own currency. All three are null where that is not
     * known.
     */
    paidValue: int64('paid_value'),
    paidAssetCode: text('paid_asset_code'),
    paidAssetScale: int53('paid_asset_scale'),
    createdAt: timestampMs('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.incomingPaymentId, t.walletAddress] }), check('payers_amount', sql`${t.amount} > 0`)],
);

/**
 * `pending`: reserved, and no money is set aside yet. `funded`: it has an outgoing payment, which says the rest.
 * `failed`: it ended without one, so nothing has left. `doubted`: the books were put back from a copy, and nobody here
 * knows whether it went on after the copy.
 */
export type StoredRefundState = 'pending' | 'funded' | 'failed' | 'doubted';

/** The party that says that the payer of a claim paid. */
export type ClaimedBy = 'wallet' | 'operator';

/** Refunds of incoming payments. Each is carried out by one outgoing payment. */
export const refunds = table(
  'refunds',
  {
    /** The id of the operator's request. The same request again gets this refund. */
    id: text('id').primaryKey(),
    incomingPaymentId: text('incoming_payment_id')
      .notNull()
      .references(() => incomingPayments.id),
    /** The id of the payer's account on this node, or the URL of the payer's wallet address elsewhere. */
    payer: text('payer').notNull(),
    /** The most that leaves the account, fees included, in its smallest units. */
    amount: int64('amount').notNull(),
    /**
     * The amount that is to arrive, in the payer's currency, where the refund gives back what they paid. All three are
     * null else.
     */
    receive: int64('receive'),
    receiveAssetCode: text('receive_asset_code'),
    receiveAssetScale: int53('receive_asset_scale'),
    /** The quote that gave such a refund its price. Once it has ended, another one must not cost more. */
    quoteId: text('quote_id'),
    /** The payer reads it. */
    reason: text('reason'),
    /** The person or API key that asked for it. Null for refunds of older versions. */
    byId: text('by_id'),
    /** The role in which they asked. */
    byRole: text('by_role').$type<Role>(),
    /** The day of the shop on which they asked (YYYY-MM-DD), as it counted its days at that moment. */
    shopDay: text('shop_day'),
    state: text('state').$type<StoredRefundState>().notNull(),
    /** Why it ended without an outgoing payment. */
    failure: text('failure'),
    outgoingPaymentId: text('outgoing_payment_id').references(() => outgoingPayments.id),
    /**
     * Who says that this payer paid, in a refund that ends a claim link: their wallet, or the person who decided. The
     * refund has the id of the link. It is null where the payer is proven.
     */
    claimed: text('claimed').$type<ClaimedBy>(),
    /** The ILP address of the peer that has to carry it: the one that brought the money. Null where any may. */
    boundTo: text('bound_to'),
    /**
     * The number of times that a process has claimed it. A process stores the outcome of a step only under the number
     * of its own claim.
     */
    tries: int53('tries').notNull(),
    /** The time of the next step. While a process takes a step, this is when others may take it. */
    dueAt: timestampMs('due_at').notNull(),
    /** Which process of the node has claimed it last; see src-main/platform/replicas. */
    holder: text('holder'),
    createdAt: timestampMs('created_at').notNull(),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    check('refunds_amount', sql`${t.amount} > 0`),
    check('refunds_receive', sql`${t.receive} is null or ${t.receive} > 0`),
    check('refunds_state', sql`${t.state} in ('pending', 'funded', 'failed', 'doubted')`),
    check('refunds_claimed', sql`${t.claimed} is null or ${t.claimed} in ('wallet', 'operator')`),
    check('refunds_funded', sql`(${t.state} = 'funded') = (${t.outgoingPaymentId} is not null)`),
    index('refunds_payment').on(t.incomingPaymentId, t.createdAt),
    uniqueIndex('refunds_outgoing').on(t.outgoingPaymentId).where(sql`${t.outgoingPaymentId} is not null`),
    index('refunds_asked').on(t.byId, t.shopDay),
    index('refunds_due').on(t.dueAt, t.id).where(sql`${t.state} = 'pending'`),
  ],
);

/**
 * The most that people with a role may refund. An owner has no limit. A cashier without a row refunds nothing, and a
 * manager without one has no limit.
 */
export const refundLimits = table(
  'refund_limits',
  {
    role: text('role').$type<LimitedRole>().notNull(),
    assetCode: text('asset_code').notNull(),
    assetScale: int53('asset_scale').notNull(),
    /** The most of one payment that all with the role may give back, in smallest units. */
    perPayment: int64('per_payment').notNull(),
    /** The most that each of them may give back on one day of the shop, in smallest units. */
    perDay: int64('per_day').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.role, t.assetCode, t.assetScale] }),
    check('refund_limits_amounts', sql`${t.perPayment} > 0 and ${t.perDay} > 0`),
  ],
);

/**
 * The condition that the refund waits for its outgoing payment. This repeats the very words of the partial index above.
 */
export const isPending = sql`${refunds.state} = 'pending'`;

/**
 * `open`: it waits for the customer. `deciding`: it waits for the operator's decision about a wallet. `refunded`: the
 * refund with the id of the claim has begun. `refused`: two wallets were refused, or three were tried. `doubted`: the
 * books were put back from a copy, and nobody here knows whether it was refunded after the copy.
 */
export type ClaimState = 'open' | 'deciding' | 'refunded' | 'cancelled' | 'expired' | 'refused' | 'doubted';

/**
 * Claim links: what the shop gives back to a payer who is not known. The refund that ends a claim has the id of the
 * claim, so that there is at most one.
 */
export const claims = table(
  'claims',
  {
    /** The id of the operator's request. The same request again gets this claim. */
    id: text('id').primaryKey(),
    incomingPaymentId: text('incoming_payment_id')
      .notNull()
      .references(() => incomingPayments.id),
    /** The most that leaves the account, fees included, in its smallest units. */
    amount: int64('amount').notNull(),
    /** The customer reads it. */
    reason: text('reason'),
    /** The person who made the link, their role, and the day of the shop. Their limit counts. */
    byId: text('by_id').notNull(),
    byRole: text('by_role').$type<Role>().notNull(),
    shopDay: text('shop_day').notNull(),
    /** The SHA-256 of the secret part of its link, base64url. The secret itself is not stored. */
    linkHash: text('link_hash').notNull(),
    state: text('state').$type<ClaimState>().notNull(),
    /** The number of wallets that the operator has refused. */
    refusals: int53('refusals').notNull(),
    expiresAt: timestampMs('expires_at').notNull(),
    createdAt: timestampMs('created_at').notNull(),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    check('claims_amount', sql`${t.amount} > 0`),
    check('claims_state', sql`${t.state} in ('open', 'deciding', 'refunded', 'cancelled', 'expired', 'refused', 'doubted')`),
    index('claims_payment').on(t.incomingPaymentId, t.createdAt),
    uniqueIndex('claims_link').on(t.linkHash),
    uniqueIndex('claims_one').on(t.incomingPaymentId).where(sql`${t.state} in ('open', 'deciding')`),
    index('claims_made').on(t.byId, t.shopDay).where(sql`${t.state} in ('open', 'deciding', 'doubted')`),
    index('claims_ending').on(t.expiresAt).where(sql`${t.state} in ('open', 'deciding')`),
  ],
);

/** The condition that the claim has not ended. This repeats the very words of the partial indexes above. */
export const isUnended = sql`${claims.state} in ('open', 'deciding')`;

/**
 * The condition that something may leave, or may have left, that no refund counts. This repeats the very words of a
 * partial index.
 */
export const countsInFull = sql`${claims.state} in ('open', 'deciding', 'doubted')`;

/**
 * `asking`: the node asks the wallet for a permission. `approving`: the customer decides there. `returned`: the browser
 * came back with the wallet's answer. `listing`: the node may ask the wallet about its payments. `deciding`: the
 * operator decides. `refunded`, `refused` and `ended` are final.
 */
export type TryState = 'asking' | 'approving' | 'returned' | 'listing' | 'deciding' | 'refunded' | 'refused' | 'ended';

/** The wallets that were named for a claim. The secrets are sealed. */
export const claimTries = table(
  'claim_tries',
  {
    id: text('id').primaryKey(),
    claimId: text('claim_id')
      .notNull()
      .references(() => claims.id),
    state: text('state').$type<TryState>().notNull(),
    /** The id of an account of this node, or the URL of a wallet address elsewhere; at first what was typed. */
    payer: text('payer').notNull(),
    /** The node's finding about that wallet. It is null while there is none. */
    finding: text('finding').$type<ClaimFinding>(),
    /** The amount that the wallet says it has paid, in smallest units of the account. */
    said: int64('said'),
    /** SHA-256 of the cookie that ties it to the customer's browser. */
    visitorHash: text('visitor_hash').notNull(),
    /** Everything that the node knows of that wallet and its grant: JSON, sealed. */
    sealed: text('sealed'),
    /**
     * The number of times that a process has claimed it. A process stores the outcome of a step only under the number
     * of its own claim.
     */
    tries: int53('tries').notNull(),
    /** The time of the next step. It is null while the node has no step to take. */
    dueAt: timestampMs('due_at'),
    /** Which process of the node has claimed it last; see src-main/platform/replicas. */
    holder: text('holder'),
    createdAt: timestampMs('created_at').notNull(),
    /** The time at which it is over, unless it has ended before. */
    lapsesAt: timestampMs('lapses_at').notNull(),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    check(
      'claim_tries_state',
      sql`${t.state} in ('asking', 'approving', 'returned', 'listing', 'deciding', 'refunded', 'refused', 'ended')`,
    ),
    index('claim_tries_claim').on(t.claimId, t.createdAt),
    index('claim_tries_lapsing').on(t.lapsesAt).where(sql`${t.state} in ('asking', 'approving', 'returned', 'listing')`),
    index('claim_tries_deciding').on(t.updatedAt).where(sql`${t.state} = 'deciding'`),
  ],
);

/** The condition that the node asks the wallet. This repeats the very words of the partial index above. */
export const isUnderWay = sql`${claimTries.state} in ('asking', 'approving', 'returned', 'listing')`;

/** The condition that it waits for the operator. This repeats the very words of the partial index above. */
export const isToDecide = sql`${claimTries.state} = 'deciding'`;
