import { sql } from 'drizzle-orm';
import { check, index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, int53, int64, json, timestampMs, uint64 } from '../platform/database/columns.ts';
import { walletAddresses } from '../wallet-addresses/tables.ts';

export type JsonObject = Record<string, unknown>;

export const incomingPayments = sqliteTable(
  'incoming_payments',
  {
    id: text('id').primaryKey(),
    walletAddressId: text('wallet_address_id')
      .notNull()
      .references(() => walletAddresses.id),
    /** Id of the client that created it; null for the operator. */
    client: text('client'),
    /** The most it takes; null for no limit. Only stated, so it may use all of 64 bits. */
    incomingAmount: uint64('incoming_amount'),
    received: int64('received').notNull(),
    completed: bool('completed').notNull(),
    /** When it stops taking money; null for never. */
    expiresAt: timestampMs('expires_at'),
    metadata: json<JsonObject>('metadata'),
    /** What the operator's search looks through; see search-text.ts. Null until it is filled in after an upgrade. */
    search: text('search'),
    createdAt: timestampMs('created_at').notNull(),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    check('incoming_payments_received', sql`${t.received} >= 0`),
    index('incoming_payments_listed').on(t.walletAddressId, t.createdAt, t.id),
    index('incoming_payments_own').on(t.walletAddressId, t.client, t.createdAt, t.id),
    // Holds all that never changes and the operator filters by, so that a search reads nothing else.
    index('incoming_payments_created').on(t.createdAt, t.id, t.walletAddressId, t.client, t.incomingAmount, t.search),
    index('incoming_payments_state').on(t.completed, t.createdAt, t.id),
    index('incoming_payments_unsearched').on(t.id).where(sql`${t.search} is null`),
    index('incoming_payments_requested').on(t.createdAt, t.id).where(sql`${t.client} is null and ${t.completed} = 0`),
  ],
);

export const quotes = sqliteTable(
  'quotes',
  {
    id: text('id').primaryKey(),
    walletAddressId: text('wallet_address_id')
      .notNull()
      .references(() => walletAddresses.id),
    client: text('client'),
    /** The incoming payment to be paid, as the client wrote it. */
    receiver: text('receiver').notNull(),
    /** The same, when it is on this node. */
    receiverId: text('receiver_id').references(() => incomingPayments.id),
    /** In the wallet address's asset. */
    debitAmount: int64('debit_amount').notNull(),
    receiveAmount: int64('receive_amount').notNull(),
    receiveAssetCode: text('receive_asset_code').notNull(),
    receiveAssetScale: int53('receive_asset_scale').notNull(),
    createdAt: timestampMs('created_at').notNull(),
    expiresAt: timestampMs('expires_at').notNull(),
    /** The one payment made from it. */
    outgoingPaymentId: text('outgoing_payment_id'),
  },
  (t) => [check('quotes_amounts', sql`${t.debitAmount} > 0 and ${t.receiveAmount} > 0`)],
);

/**
 * `settling`: no new packet leaves, the outcome of those under way is awaited. `unknown`: it cannot be found out by asking; the operator
 * decides, and the money stays where it is until then. `completed` and `failed` are final.
 */
export type OutgoingPaymentState = 'funded' | 'sending' | 'retrying' | 'settling' | 'unknown' | 'completed' | 'failed';

export const outgoingPayments = sqliteTable(
  'outgoing_payments',
  {
    id: text('id').primaryKey(),
    walletAddressId: text('wallet_address_id')
      .notNull()
      .references(() => walletAddresses.id),
    quoteId: text('quote_id')
      .notNull()
      .references(() => quotes.id),
    client: text('client'),
    grantId: text('grant_id'),
    /** The start of the spending window it was counted in; see access/spending-limits. */
    spendingWindow: timestampMs('spending_window'),
    /** What that window had used when this payment was counted, itself included; answered to the client that created it. */
    grantSpentDebit: uint64('grant_spent_debit'),
    grantSpentReceive: uint64('grant_spent_receive'),
    receiver: text('receiver').notNull(),
    receiverId: text('receiver_id'),
    debitAmount: int64('debit_amount').notNull(),
    receiveAmount: int64('receive_amount').notNull(),
    receiveAssetCode: text('receive_asset_code').notNull(),
    receiveAssetScale: int53('receive_asset_scale').notNull(),
    /** Taken from escrow so far, in the wallet address's asset. */
    sent: int64('sent').notNull(),
    /** Arrived so far, in the receiver's asset. */
    delivered: int64('delivered').notNull(),
    /** In packets to peers whose outcome is not known yet, in the wallet address's asset. */
    held: int64('held').notNull().default(sql`0`),
    packets: int53('packets').notNull(),
    state: text('state').$type<OutgoingPaymentState>().notNull(),
    /** Why it failed, or, while settling, why it will have failed unless what is under way completes it. */
    failure: text('failure'),
    metadata: json<JsonObject>('metadata'),
    /** As on incoming payments. */
    search: text('search'),
    /** SHA-256 of key thumbprint and signature of the request that created it: the same request again gets this payment. */
    requestHash: text('request_hash'),
    /** Fencing token: every write of a worker checks that it is still this attempt. */
    attempt: int53('attempt').notNull(),
    /** Attempts in a row that delivered nothing. */
    fruitless: int53('fruitless').notNull(),
    /** When it is due to be sent (again). */
    dueAt: timestampMs('due_at').notNull(),
    /** After this moment no new packet leaves. */
    deadline: timestampMs('deadline').notNull(),
    createdAt: timestampMs('created_at').notNull(),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    check('outgoing_payments_sent', sql`${t.sent} >= 0 and ${t.held} >= 0 and ${t.sent} <= ${t.debitAmount} - ${t.held}`),
    check('outgoing_payments_delivered', sql`${t.delivered} >= 0`),
    check('outgoing_payments_state', sql`${t.state} in ('funded', 'sending', 'retrying', 'settling', 'unknown', 'completed', 'failed')`),
    uniqueIndex('outgoing_payments_request').on(t.requestHash).where(sql`${t.requestHash} is not null`),
    index('outgoing_payments_listed').on(t.walletAddressId, t.createdAt, t.id),
    index('outgoing_payments_own').on(t.walletAddressId, t.client, t.createdAt, t.id),
    index('outgoing_payments_created').on(t.createdAt, t.id, t.walletAddressId, t.client, t.debitAmount, t.search),
    index('outgoing_payments_state').on(t.state, t.createdAt, t.id),
    index('outgoing_payments_unsearched').on(t.id).where(sql`${t.search} is null`),
    index('outgoing_payments_grant').on(t.grantId, t.createdAt),
    index('outgoing_payments_failed').on(t.updatedAt).where(sql`${t.state} = 'failed'`),
    index('outgoing_payments_remote').on(t.receiver, t.updatedAt).where(sql`${t.receiverId} is null`),
    index('outgoing_payments_due').on(t.dueAt, t.id).where(sql`${t.state} in ('funded', 'sending', 'retrying', 'settling')`),
  ],
);

/** The worker still has something to do. In the very words of the index above: with bound values SQLite could not tell that it fits, and would read every payment. */
export const isUnfinished = sql`${outgoingPayments.state} in ('funded', 'sending', 'retrying', 'settling')`;

/** In the very words of the partial index above. */
export const isFailed = sql`${outgoingPayments.state} = 'failed'`;

/** Asked for by the operator, not by an app, and not completed. In the very words of the partial index above. */
export const isRequested = sql`${incomingPayments.client} is null and ${incomingPayments.completed} = 0`;

/** To a receiver at another wallet. In the very words of the partial index above. */
export const isRemote = sql`${outgoingPayments.receiverId} is null`;

/** Every packet that moved money between two accounts of this node, by its execution condition: none moves money twice. */
export const packets = sqliteTable('packets', {
  /** Base64url of the 32 bytes. */
  condition: text('condition').primaryKey(),
  outgoingPaymentId: text('outgoing_payment_id').notNull(),
  incomingPaymentId: text('incoming_payment_id').notNull(),
  amount: int64('amount').notNull(),
  createdAt: timestampMs('created_at').notNull(),
});
