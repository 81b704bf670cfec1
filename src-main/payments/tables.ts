import { sql } from 'drizzle-orm';
import type { MadeAt } from '../../src-shared/operator-contract/payments/made-at.ts';
import { bool, check, index, int53, int64, json, table, text, timestampMs, uint64, uniqueIndex } from '../platform/database/schema.ts';
import { walletAddresses } from '../wallet-addresses/tables.ts';

/** Any JSON object. */
export type JsonObject = Record<string, unknown>;

/** Incoming payments to wallet addresses of this node. */
export const incomingPayments = table(
  'incoming_payments',
  {
    id: text('id').primaryKey(),
    walletAddressId: text('wallet_address_id')
      .notNull()
      .references(() => walletAddresses.id),
    /** Id of the client that created the payment. It is null for the operator. */
    client: text('client'),
    /**
     * The most that the payment takes, in the wallet address's asset. It is null when there is no limit. The amount is
     * only stated, so it may use all of 64 bits (decisions.md#D-12).
     */
    incomingAmount: uint64('incoming_amount'),
    received: int64('received').notNull(),
    completed: bool('completed').notNull(),
    /** The time at which the payment stops taking money. It is null when it never does. */
    expiresAt: timestampMs('expires_at'),
    /** The app's or operator's own data. Everybody with the payment's link sees it. */
    metadata: json<JsonObject>('metadata'),
    /**
     * What the operator noted about a request in a version that kept notes here. Newer notes are in `payment_requests`.
     * Only the operator API reads either.
     */
    note: text('note'),
    /**
     * The text that the operator's search looks through; see search-text.ts. It is null until it is filled in after an
     * upgrade.
     */
    search: text('search'),
    createdAt: timestampMs('created_at').notNull(),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    check('incoming_payments_received', sql`${t.received} >= 0`),
    // Rows of the same moment are few, so that their order needs no index.
    index('incoming_payments_listed').on(t.walletAddressId, t.createdAt),
    index('incoming_payments_own').on(t.walletAddressId, t.client, t.createdAt).where(sql`${t.client} is not null`),
    // The index holds everything that never changes and that the operator filters by, so that a search reads nothing
    // else.
    index('incoming_payments_created').on(t.createdAt, t.id, t.walletAddressId, t.client, t.incomingAmount, t.search),
    index('incoming_payments_state').on(t.completed, t.createdAt, t.id).where(sql`${t.received} = 0`),
    index('incoming_payments_unsearched').on(t.id).where(sql`${t.search} is null`),
    index('incoming_payments_unpaid').on(t.expiresAt, t.id).where(sql`${t.received} = 0 and ${t.client} is not null`),
    index('incoming_payments_business').on(t.createdAt, t.id).where(sql`${t.client} is null or ${t.received} > 0`),
    index('incoming_payments_not_paid').on(t.createdAt, t.id).where(sql`${t.client} is not null and ${t.received} = 0`),
    // It begins with a column that has one value in it. Otherwise SQLite takes the index of all business just as well.
    index('incoming_payments_requested').on(t.completed, t.createdAt, t.id).where(sql`${t.client} is null and ${t.completed} = 0`),
  ],
);

/**
 * What the operator keeps about a payment request of their own, beside the incoming payment. Only the operator API
 * reads it, with two exceptions for the payer: the reason of a cancellation, and the day by which to pay. A request
 * from a version that had no such table has a row when the operator has changed or cancelled it.
 */
export const paymentRequests = table(
  'payment_requests',
  {
    /** Id of the incoming payment. */
    id: text('id')
      .primaryKey()
      .references(() => incomingPayments.id),
    /** The place in the shop where it was made. */
    madeAt: text('made_at').$type<MadeAt>().notNull(),
    /** Two notes for the operator's own books. They never leave the node. */
    note: text('note'),
    reference: text('reference'),
    /** Why the operator has cancelled it. The payer reads it on the request's page. */
    cancelReason: text('cancel_reason'),
    /** The time by which the payer should pay. The payer sees it; the request goes on taking money after it. */
    dueAt: timestampMs('due_at'),
    /** The URL to which the payer goes on after paying. */
    returnUrl: text('return_url'),
    /** The paired till that made it, and what it was called then. Both are null when no till did. */
    tillId: text('till_id'),
    tillName: text('till_name'),
    createdAt: timestampMs('created_at').notNull(),
  },
  (t) => [
    check('payment_requests_made_at', sql`${t.madeAt} in ('desk', 'till')`),
    index('payment_requests_made').on(t.madeAt, t.createdAt, t.id),
    index('payment_requests_till').on(t.tillId, t.createdAt, t.id).where(sql`${t.tillId} is not null`),
  ],
);

/** Quotes for payments from wallet addresses of this node. */
export const quotes = table(
  'quotes',
  {
    id: text('id').primaryKey(),
    walletAddressId: text('wallet_address_id')
      .notNull()
      .references(() => walletAddresses.id),
    client: text('client'),
    /** URL of the incoming payment to be paid, as the client wrote it. */
    receiver: text('receiver').notNull(),
    /** Id of the same incoming payment when it is on this node. */
    receiverId: text('receiver_id').references(() => incomingPayments.id),
    /** The amount, in smallest units of the wallet address's asset. */
    debitAmount: int64('debit_amount').notNull(),
    receiveAmount: int64('receive_amount').notNull(),
    receiveAssetCode: text('receive_asset_code').notNull(),
    receiveAssetScale: int53('receive_asset_scale').notNull(),
    createdAt: timestampMs('created_at').notNull(),
    expiresAt: timestampMs('expires_at').notNull(),
    /** Id of the one payment that was made from the quote. */
    outgoingPaymentId: text('outgoing_payment_id'),
  },
  (t) => [
    check('quotes_amounts', sql`${t.debitAmount} > 0 and ${t.receiveAmount} > 0`),
    index('quotes_receiver').on(t.receiverId),
    index('quotes_unused').on(t.expiresAt).where(sql`${t.outgoingPaymentId} is null`),
  ],
);

/**
 * What an outgoing payment is doing.
 * - `funded`, `sending`, `retrying`: the worker sends it.
 * - `settling`: no new packet leaves; the worker waits for the outcome of those under way.
 * - `unknown`: nobody can be asked for the outcome. The operator decides, and the money stays where it is until then.
 * - `completed`, `failed`: final.
 */
export type OutgoingPaymentState = 'funded' | 'sending' | 'retrying' | 'settling' | 'unknown' | 'completed' | 'failed';

/** Outgoing payments from wallet addresses of this node. */
export const outgoingPayments = table(
  'outgoing_payments',
  {
    id: text('id').primaryKey(),
    walletAddressId: text('wallet_address_id')
      .notNull()
      .references(() => walletAddresses.id),
    /** The quote from which the payment was made. It goes with the payment's details (decisions.md#D-80). */
    quoteId: text('quote_id').notNull(),
    client: text('client'),
    grantId: text('grant_id'),
    /** The start of the spending window that counts the payment; see src-main/access/grants/spending-limits.ts. */
    spendingWindow: timestampMs('spending_window'),
    /**
     * The amounts that the window had used when this payment was counted, this payment included. The node tells both to
     * the client that created the payment (decisions.md#D-29).
     */
    grantSpentDebit: uint64('grant_spent_debit'),
    grantSpentReceive: uint64('grant_spent_receive'),
    receiver: text('receiver').notNull(),
    receiverId: text('receiver_id'),
    /**
     * The ILP address of the only peer that may carry a refund that a wallet has confirmed. It is null for other
     * payments.
     */
    boundTo: text('bound_to'),
    debitAmount: int64('debit_amount').notNull(),
    receiveAmount: int64('receive_amount').notNull(),
    receiveAssetCode: text('receive_asset_code').notNull(),
    receiveAssetScale: int53('receive_asset_scale').notNull(),
    /** The amount taken from escrow so far, in smallest units of the wallet address's asset. */
    sent: int64('sent').notNull(),
    /** The amount that has arrived so far, in smallest units of the receiver's asset. */
    delivered: int64('delivered').notNull(),
    /**
     * The amount in packets to peers whose outcome is not known yet, in smallest units of the wallet address's asset.
     */
    held: int64('held').notNull().default(sql`0`),
    packets: int53('packets').notNull(),
    state: text('state').$type<OutgoingPaymentState>().notNull(),
    /**
     * The reason why the payment failed. While it is `settling`, the reason why it will fail, unless packets under way
     * complete it.
     */
    failure: text('failure'),
    metadata: json<JsonObject>('metadata'),
    /** The text that the operator's search looks through, as on incoming payments. */
    search: text('search'),
    /**
     * SHA-256 (base64url) of the id of the operator's request that created the payment. The same request again gets
     * this payment. It is null for apps, whose requests are known by their signatures.
     */
    requestHash: text('request_hash'),
    /** Fencing token: every write of a worker checks that the payment is still in this attempt. */
    attempt: int53('attempt').notNull(),
    /** Which process of the node has claimed the payment last; see src-main/platform/replicas. */
    holder: text('holder'),
    /** How many attempts in a row delivered nothing. */
    fruitless: int53('fruitless').notNull(),
    /** The time at which the worker is to send the payment, for the first time or again. */
    dueAt: timestampMs('due_at').notNull(),
    /** The moment after which no new packet leaves (decisions.md#D-20). */
    deadline: timestampMs('deadline').notNull(),
    createdAt: timestampMs('created_at').notNull(),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    check('outgoing_payments_sent', sql`${t.sent} >= 0 and ${t.held} >= 0 and ${t.sent} <= ${t.debitAmount} - ${t.held}`),
    check('outgoing_payments_delivered', sql`${t.delivered} >= 0`),
    check('outgoing_payments_state', sql`${t.state} in ('funded', 'sending', 'retrying', 'settling', 'unknown', 'completed', 'failed')`),
    uniqueIndex('outgoing_payments_request').on(t.requestHash).where(sql`${t.requestHash} is not null`),
    index('outgoing_payments_listed').on(t.walletAddressId, t.createdAt),
    index('outgoing_payments_own').on(t.walletAddressId, t.client, t.createdAt).where(sql`${t.client} is not null`),
    index('outgoing_payments_created').on(t.createdAt, t.id, t.walletAddressId, t.client, t.debitAmount, t.search),
    index('outgoing_payments_state').on(t.state, t.createdAt, t.id).where(sql`${t.state} <> 'completed'`),
    index('outgoing_payments_unsearched').on(t.id).where(sql`${t.search} is null`),
    index('outgoing_payments_receiver').on(t.receiverId).where(sql`${t.receiverId} is not null`),
    index('outgoing_payments_grant').on(t.grantId, t.createdAt).where(sql`${t.grantId} is not null`),
    index('outgoing_payments_failed').on(t.updatedAt).where(sql`${t.state} = 'failed'`),
    index('outgoing_payments_remote').on(t.receiver, t.updatedAt).where(sql`${t.receiverId} is null`),
    index('outgoing_payments_due').on(t.dueAt, t.id).where(sql`${t.state} in ('funded', 'sending', 'retrying', 'settling')`),
  ],
);

/**
 * The condition that the worker still has something to do with the payment. This repeats the very words of the index
 * above: with bound values SQLite could not tell that the index fits, and would read every payment.
 */
export const isUnfinished = sql`${outgoingPayments.state} in ('funded', 'sending', 'retrying', 'settling')`;

/**
 * The conditions that the payment has not completed, and that nothing has come. They repeat the very words of the
 * partial indexes by state, which hold nothing of what most payments become.
 */
export const isNotCompleted = sql`${outgoingPayments.state} <> 'completed'`;
export const isWithoutMoney = sql`${incomingPayments.received} = 0`;

/** The condition that the payment has failed. This repeats the very words of the partial index above. */
export const isFailed = sql`${outgoingPayments.state} = 'failed'`;

/**
 * The condition that the operator, not an app, made this payment request, and that it is not completed. This repeats
 * the very words of the partial index above.
 */
export const isPaymentRequest = sql`${incomingPayments.client} is null and ${incomingPayments.completed} = 0`;

/**
 * The condition that an app asked for this payment, and nothing has come. This repeats the very words of the partial
 * index above.
 */
export const isUnpaidOfApp = sql`${incomingPayments.received} = 0 and ${incomingPayments.client} is not null`;

/**
 * The condition that a request is the operator's business: the operator asked for it, or money has come for it
 * (decisions.md#D-66). This repeats the very words of the partial index above.
 */
export const isBusiness = sql`(${incomingPayments.client} is null or ${incomingPayments.received} > 0)`;

/** The condition that nobody has paid with this quote. This repeats the very words of the partial index above. */
export const isUnused = sql`${quotes.outgoingPaymentId} is null`;

/** The condition that the receiver is at another wallet. This repeats the very words of the partial index above. */
export const isRemote = sql`${outgoingPayments.receiverId} is null`;

/**
 * Every packet that moved money between two wallet addresses of this node, by its execution condition. The condition is
 * the primary key, so no packet moves its money twice. A row goes a day later, once its outgoing payment has ended and
 * sends no packet any more.
 */
export const packets = table(
  'packets',
  {
    /** Base64url of the 32 bytes. */
    condition: text('condition').primaryKey(),
    outgoingPaymentId: text('outgoing_payment_id').notNull(),
    incomingPaymentId: text('incoming_payment_id').notNull(),
    amount: int64('amount').notNull(),
    createdAt: timestampMs('created_at').notNull(),
  },
  (t) => [index('packets_made').on(t.createdAt, t.condition)],
);
