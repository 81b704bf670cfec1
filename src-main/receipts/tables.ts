import { sql } from 'drizzle-orm';
import type { ReceiptKind } from '../../src-shared/receipts/receipt-content.ts';
import { check, int53, json, primaryKey, table, text, timestampMs, uniqueIndex } from '../platform/database/schema.ts';

/** Who paid, and how much is proven to have come from there, in smallest units as decimal digits. */
export interface StoredPayer {
  walletAddress: string;
  amount: string;
}

/** The receipts of the shop. Rows are only appended. Nothing in them changes but how often they were printed. */
export const receipts = table(
  'receipts',
  {
    kind: text('kind').$type<ReceiptKind>().notNull(),
    /** The id of the received payment, or of the refund. */
    subject: text('subject').notNull(),
    /** Its place; see receipt-rules.ts. */
    year: int53('year').notNull(),
    branch: int53('branch').notNull(),
    number: int53('number').notNull(),
    /** What it says, signed by the node: a JWS in its compact form. */
    jws: text('jws').notNull(),
    /** The SHA-256 of the secret part of its link, base64url. The secret itself is not stored (decisions.md#D-255). */
    linkHash: text('link_hash').notNull(),
    /** Who paid, where it was proven then. Only the operator sees it. */
    payers: json<StoredPayer[]>('payers').notNull(),
    /** How often the console has printed it. */
    printed: int53('printed').notNull(),
    issuedAt: timestampMs('issued_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.subject] }),
    check('receipts_kind', sql`${t.kind} in ('sale', 'refund')`),
    check('receipts_place', sql`${t.number} > 0 and ${t.branch} >= 0 and ${t.printed} >= 0`),
    uniqueIndex('receipts_number').on(t.kind, t.year, t.branch, t.number),
    uniqueIndex('receipts_link').on(t.linkHash),
  ],
);

/** How often the books were put back from a copy. There is at most one row. */
export const receiptBranch = table('receipt_branch', {
  /** It is always `branch`. */
  id: text('id').primaryKey(),
  branch: int53('branch').notNull(),
});
