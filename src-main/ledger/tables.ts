import { sql } from 'drizzle-orm';
import { check, index, int53, int64, json, primaryKey, table, text, timestampMs, uniqueIndex } from '../platform/database/schema.ts';
import type { TransferKind } from './transfer-kinds.ts';

/**
 * The kind of a ledger account. Only `peer` and `external` may be negative.
 * - `customer`: the money that a wallet address may spend.
 * - `escrow`: the money that a wallet address has set aside for payments under way.
 * - `exchange`: the money with which the node can trade.
 * - `peer`: the money that this node owes to a peer. Below zero it is what the peer owes.
 * - `external`: the money outside paydesk.
 */
export type AccountKind = 'customer' | 'escrow' | 'exchange' | 'peer' | 'external';

export const ledgerAccounts = table(
  'ledger_accounts',
  {
    /** The kind, a colon and the owner, such as `customer:` and the id of a wallet address; see accountId(). */
    id: text('id').primaryKey(),
    kind: text('kind').$type<AccountKind>().notNull(),
    assetCode: text('asset_code').notNull(),
    assetScale: int53('asset_scale').notNull(),
    /** The credits less the debits of all posted transfers. */
    balance: int64('balance').notNull(),
    /** The sum of all pending debits. This money is held and cannot be spent twice. */
    pending: int64('pending').notNull(),
    /**
     * The most by which the balance of a `peer` account may go below zero: the peer's credit limit. It is 0 for the
     * other kinds. An `external` account has no such limit.
     */
    overdraft: int64('overdraft').notNull().default(sql`0`),
    createdAt: timestampMs('created_at').notNull(),
  },
  (t) => [
    check('ledger_accounts_kind', sql`${t.kind} in ('customer', 'escrow', 'exchange', 'peer', 'external')`),
    check('ledger_accounts_pending', sql`${t.pending} >= 0`),
    check('ledger_accounts_not_negative', sql`${t.kind} in ('peer', 'external') or ${t.balance} >= ${t.pending}`),
    check('ledger_accounts_overdraft', sql`${t.overdraft} >= 0`),
    index('ledger_accounts_asset').on(t.assetCode, t.assetScale),
    index('ledger_accounts_exchange').on(t.assetCode, t.assetScale).where(sql`${t.kind} = 'exchange'`),
  ],
);

/**
 * The condition that the ledger account is an exchange account. This repeats the very words of the partial index above.
 */
export const isExchange = sql`${ledgerAccounts.kind} = 'exchange'`;

type TransferState = 'posted' | 'pending' | 'voided';

export const ledgerTransfers = table(
  'ledger_transfers',
  {
    id: text('id').primaryKey(),
    /**
     * The place among the final transfers, 1, 2, 3 … without gaps. It is null while the transfer is pending or grows;
     * see growing.ts. A row with a number never changes, so the audit can tell when somebody changes or deletes one;
     * see audit/pieces.ts.
     */
    number: int64('number'),
    kind: text('kind').$type<TransferKind>().notNull(),
    state: text('state').$type<TransferState>().notNull(),
    debitAccountId: text('debit_account_id')
      .notNull()
      .references(() => ledgerAccounts.id),
    creditAccountId: text('credit_account_id')
      .notNull()
      .references(() => ledgerAccounts.id),
    amount: int64('amount').notNull(),
    /** The payment to which the transfer belongs. */
    paymentId: text('payment_id'),
    note: text('note'),
    createdAt: timestampMs('created_at').notNull(),
  },
  (t) => [
    check('ledger_transfers_amount', sql`${t.amount} > 0`),
    check('ledger_transfers_accounts', sql`${t.debitAccountId} <> ${t.creditAccountId}`),
    check('ledger_transfers_state', sql`${t.state} in ('posted', 'pending', 'voided')`),
    // Nobody lists what an escrow account gave or got, and half of all transfers go through one. Rows of the same
    // moment are few, so that their order needs no index.
    index('ledger_transfers_debit').on(t.debitAccountId, t.createdAt).where(sql`substr(${t.debitAccountId}, 1, 7) <> 'escrow:'`),
    index('ledger_transfers_credit').on(t.creditAccountId, t.createdAt).where(sql`substr(${t.creditAccountId}, 1, 7) <> 'escrow:'`),
    index('ledger_transfers_payment').on(t.paymentId),
    uniqueIndex('ledger_transfers_number').on(t.number),
    index('ledger_transfers_unnumbered').on(t.createdAt, t.id).where(sql`${t.number} is null`),
    index('ledger_transfers_growing').on(t.paymentId).where(sql`coalesce(${t.number}, 0) = 0 and ${t.state} = 'posted'`),
    index('ledger_transfers_grown').on(t.createdAt, t.id).where(sql`coalesce(${t.number}, 0) = 0 and ${t.state} = 'posted'`),
  ],
);

/**
 * The amounts that payments brought into `customer` accounts, and took out of them by way of `escrow` accounts or at
 * once, for each asset and quarter of an hour. A day of any time zone consists of whole quarters, so the days of the
 * shop are sums of them. Each transfer keeps the sums up to date, so that reading them costs the same however many
 * payments there were. Each sum has two halves, because a quarter may move more than 2^63−1 smallest units.
 */
export const ledgerQuarters = table(
  'ledger_quarters',
  {
    assetCode: text('asset_code').notNull(),
    assetScale: int53('asset_scale').notNull(),
    /** The beginning of the quarter of an hour. */
    start: timestampMs('start').notNull(),
    /** The sums of the upper bits of the amounts, above the lowest 32. */
    receivedHigh: int64('received_high').notNull(),
    sentHigh: int64('sent_high').notNull(),
    /** The sums of the lowest 32 bits of the amounts. */
    receivedLow: int64('received_low').notNull(),
    sentLow: int64('sent_low').notNull(),
  },
  (t) => [primaryKey({ columns: [t.assetCode, t.assetScale, t.start] })],
);

/**
 * The conditions that the transfer took money from an account that is not an escrow account, or gave money to one. They
 * repeat the very words of the partial indexes above.
 */
export const isDebitListed = sql`substr(${ledgerTransfers.debitAccountId}, 1, 7) <> 'escrow:'`;
export const isCreditListed = sql`substr(${ledgerTransfers.creditAccountId}, 1, 7) <> 'escrow:'`;

/**
 * The condition that the transfer has no number: it is pending, or grows. This repeats the very words of the partial
 * index above.
 */
export const isUnnumbered = sql`${ledgerTransfers.number} is null`;

/**
 * The condition that the transfer still grows; see growing.ts. This repeats the very words of the partial indexes
 * above. With `is null` SQLite would rather look through the index of numbers, at all rows that have none.
 */
export const isGrowing = sql`coalesce(${ledgerTransfers.number}, 0) = 0 and ${ledgerTransfers.state} = 'posted'`;

/** The audit's record of each closed piece of final transfers; see audit/pieces.ts. */
export const ledgerPieces = table('ledger_pieces', {
  /** The number 1, 2, 3 …: the piece 1 holds the first transfers. */
  number: int53('number').primaryKey(),
  /** The SHA-256 (base64url) over every column of its transfers, in their order. */
  hash: text('hash').notNull(),
  /** The amounts that its transfers brought to each ledger account, or took (below zero), as decimal digits. */
  sums: json<Record<string, string>>('sums').notNull(),
});

/** The sums of all closed pieces, by ledger account. */
export const ledgerClosings = table('ledger_closings', {
  accountId: text('account_id').primaryKey(),
  /** The sum, as decimal digits: such a sum is in no order of time, and may need more than 64 bits. */
  sum: text('sum').notNull(),
});

/**
 * Damage in the books that stands. While a row is there, no new money moves on the accounts that it names; see
 * audit/damages.ts.
 */
export const ledgerDamages = table(
  'ledger_damages',
  {
    /**
     * The owner of the damaged ledger accounts: a wallet address, a peer or an asset; see accountId(). It is empty when
     * nobody can tell which accounts are damaged, so that it could be each.
     */
    owner: text('owner').notNull(),
    /** The code of what is wrong. */
    finding: text('finding').notNull(),
    /** The place where the audit found it first: a ledger account, a payment, a table or a piece of the transfers. */
    place: text('place').notNull(),
    /** The beginning of the last round that found nothing wrong. It is null when there was none. */
    goodAt: timestampMs('good_at'),
    foundAt: timestampMs('found_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.owner, t.finding] })],
);

/** The audit's last result. The table has at most one row. */
export const ledgerAudit = table('ledger_audit', {
  /** Always `audit`. */
  id: text('id').primaryKey(),
  /** The beginning of the last round that found nothing wrong. */
  goodAt: timestampMs('good_at').notNull(),
});
