import { sql } from 'drizzle-orm';
import type { AttemptFailure } from '../../src-shared/attempt-failures.ts';
import { incomingPayments } from '../payments/tables.ts';
import { check, index, int53, int64, table, text, timestampMs } from '../platform/database/schema.ts';

/**
 * `asking`: the node asks the visitor's wallet for permission. `approving`: the visitor decides there. `returned`: the
 * browser came back with the wallet's answer. `paying`: the node has told the wallet to pay. `paid` and `failed` are
 * final.
 */
export type CheckoutState = 'asking' | 'approving' | 'returned' | 'paying' | 'paid' | 'failed';

/**
 * The attempts of visitors to pay an incoming payment from a wallet of their own, through its page. The secrets are
 * sealed.
 */
export const checkouts = table(
  'checkouts',
  {
    id: text('id').primaryKey(),
    incomingPaymentId: text('incoming_payment_id')
      .notNull()
      .references(() => incomingPayments.id),
    state: text('state').$type<CheckoutState>().notNull(),
    /** Why the attempt failed. */
    reason: text('reason').$type<AttemptFailure>(),
    /** SHA-256 of the cookie that ties it to the visitor's browser. */
    visitorHash: text('visitor_hash').notNull(),
    /** The visitor's wallet address. */
    walletAddress: text('wallet_address').notNull(),
    /** What is to arrive, in the incoming payment's asset. */
    amount: int64('amount').notNull(),
    /** Everything that the node knows of the visitor's wallet and its grant: JSON, sealed. */
    sealed: text('sealed'),
    /** The outgoing payment at the visitor's wallet. */
    outgoingPayment: text('outgoing_payment'),
    /**
     * What the incoming payment had received when the node began to tell the wallet to pay. What came before did not
     * come from this attempt. It is null while no wallet was told, and on attempts of earlier versions.
     */
    receivedBefore: int64('received_before'),
    /** How often the node has tried the present step. */
    tries: int53('tries').notNull(),
    /** The time of the next step. It is null while the node has no step to take. */
    dueAt: timestampMs('due_at'),
    /**
     * How often a process has claimed the attempt to take a step. What the step has led to is stored only under the
     * number of its own claim.
     */
    claims: int53('claims').notNull().default(sql`0`),
    /**
     * The time at which a claim ends without a result. It is null while no process has claimed the attempt. An attempt
     * whose claim ended without a result may have told the wallet to pay.
     */
    claimedUntil: timestampMs('claimed_until'),
    /** Which process of the node has claimed the attempt last; see src-main/platform/replicas. */
    holder: text('holder'),
    createdAt: timestampMs('created_at').notNull(),
    /** The time at which the attempt fails, unless it has ended before. */
    lapsesAt: timestampMs('lapses_at').notNull(),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    check('checkouts_state', sql`${t.state} in ('asking', 'approving', 'returned', 'paying', 'paid', 'failed')`),
    check('checkouts_amount', sql`${t.amount} > 0`),
    index('checkouts_payment').on(t.incomingPaymentId, t.createdAt),
    index('checkouts_failed').on(t.updatedAt).where(sql`${t.state} = 'failed' and ${t.outgoingPayment} is null`),
    index('checkouts_open').on(t.lapsesAt).where(sql`${t.state} in ('asking', 'approving', 'returned', 'paying')`),
  ],
);

/** It has the same words as the partial index above, so that SQLite uses that index. */
export const isUnderWay = sql`${checkouts.state} in ('asking', 'approving', 'returned', 'paying')`;

/** It has failed, and no wallet was told to pay. It has the same words as the partial index above. */
export const hasPaidNothing = sql`${checkouts.state} = 'failed' and ${checkouts.outgoingPayment} is null`;

/** The visitor has not come back from their wallet yet. */
export const isUnapproved = sql`${checkouts.state} in ('asking', 'approving')`;
