import { sql } from 'drizzle-orm';
import { incomingPayments } from '../payments/tables.ts';
import { check, index, int53, int64, table, text, timestampMs } from '../platform/database/schema.ts';

/**
 * `asking`: the visitor's wallet is being asked for permission. `approving`: the visitor decides there. `returned`: they came back with its
 * answer. `paying`: their wallet has been told to pay. `paid` and `failed` are final.
 */
export type CheckoutState = 'asking' | 'approving' | 'returned' | 'paying' | 'paid' | 'failed';

/** Attempts of visitors to pay an incoming payment from a wallet of theirs, through its page. What would let others go on is sealed. */
export const checkouts = table(
  'checkouts',
  {
    id: text('id').primaryKey(),
    incomingPaymentId: text('incoming_payment_id')
      .notNull()
      .references(() => incomingPayments.id),
    state: text('state').$type<CheckoutState>().notNull(),
    /** Why it failed, or what the last step that will be tried again ended with. */
    reason: text('reason'),
    /** SHA-256 of the cookie that ties it to the visitor's browser. */
    visitorHash: text('visitor_hash').notNull(),
    /** The visitor's wallet address. */
    walletAddress: text('wallet_address').notNull(),
    /** What is to arrive, in the incoming payment's asset. */
    amount: int64('amount').notNull(),
    /** Everything that is known of the visitor's wallet and its grant, as JSON, sealed. */
    sealed: text('sealed'),
    /** The outgoing payment at the visitor's wallet. */
    outgoingPayment: text('outgoing_payment'),
    /** How often the present step was tried. */
    tries: int53('tries').notNull(),
    /** When the next step is due, while there is one for the node to take. */
    dueAt: timestampMs('due_at'),
    createdAt: timestampMs('created_at').notNull(),
    /** When it fails unless it has come to its end. */
    lapsesAt: timestampMs('lapses_at').notNull(),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    check('checkouts_state', sql`${t.state} in ('asking', 'approving', 'returned', 'paying', 'paid', 'failed')`),
    check('checkouts_amount', sql`${t.amount} > 0`),
    index('checkouts_payment').on(t.incomingPaymentId, t.createdAt),
    index('checkouts_open').on(t.lapsesAt).where(sql`${t.state} in ('asking', 'approving', 'returned', 'paying')`),
  ],
);

/** In the very words of the partial index above. */
export const isUnderWay = sql`${checkouts.state} in ('asking', 'approving', 'returned', 'paying')`;
