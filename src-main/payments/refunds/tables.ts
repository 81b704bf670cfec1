import { sql } from 'drizzle-orm';
import type { LimitedRole, Role } from '../../../src-shared/people/roles.ts';
import { check, index, int53, int64, primaryKey, table, text, timestampMs, uniqueIndex } from '../../platform/database/schema.ts';
import { incomingPayments, outgoingPayments } from '../tables.ts';

/**
 * Who paid an incoming payment from another wallet, where that is proven. A payment from an account of this node needs
 * no row: its outgoing payment says who paid, in the write that moves the money.
 */
export const payers = table(
  'payers',
  {
    incomingPaymentId: text('incoming_payment_id')
      .notNull()
      .references(() => incomingPayments.id),
    /** The wallet address whose wallet consented. */
    walletAddress: text('wallet_address').notNull(),
    /** How much of what was received is proven to have come from there, in smallest units of the account. */
    amount: int64('amount').notNull(),
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
    /** The payer reads it. */
    reason: text('reason'),
    /** The person or API key that asked for it. Null for refunds of older versions. */
    byId: text('by_id'),
    /** As what they asked. */
    byRole: text('by_role').$type<Role>(),
    /** The day of the shop on which they asked (YYYY-MM-DD), as it counted its days at that moment. */
    shopDay: text('shop_day'),
    state: text('state').$type<StoredRefundState>().notNull(),
    /** Why it ended without an outgoing payment. */
    failure: text('failure'),
    outgoingPaymentId: text('outgoing_payment_id').references(() => outgoingPayments.id),
    /** How often a process has claimed it. What a step has led to is stored only under the number of its own claim. */
    tries: int53('tries').notNull(),
    /** When the next step is due. While a process takes a step, this is when others may take it. */
    dueAt: timestampMs('due_at').notNull(),
    /** Which process of the node has claimed it last; see src-main/platform/replicas. */
    holder: text('holder'),
    createdAt: timestampMs('created_at').notNull(),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    check('refunds_amount', sql`${t.amount} > 0`),
    check('refunds_state', sql`${t.state} in ('pending', 'funded', 'failed', 'doubted')`),
    check('refunds_funded', sql`(${t.state} = 'funded') = (${t.outgoingPaymentId} is not null)`),
    index('refunds_payment').on(t.incomingPaymentId, t.createdAt),
    uniqueIndex('refunds_outgoing').on(t.outgoingPaymentId).where(sql`${t.outgoingPaymentId} is not null`),
    index('refunds_asked').on(t.byId, t.shopDay),
    index('refunds_due').on(t.dueAt, t.id).where(sql`${t.state} = 'pending'`),
  ],
);

/**
 * How much those with a role may refund. An owner has no limit. A cashier without a row refunds nothing, and a manager
 * without one has no limit.
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

/** The refund waits for its outgoing payment. This repeats the very words of the partial index above. */
export const isPending = sql`${refunds.state} = 'pending'`;
