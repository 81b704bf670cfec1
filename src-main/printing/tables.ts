import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Paper } from '../../src-shared/receipts/papers.ts';
import type { PrinterProblem, PrintState } from '../../src-shared/receipts/print-jobs.ts';
import type { ReceiptKind } from '../../src-shared/receipts/receipt-content.ts';
import type { LanguageTag } from '../../src-shared/words/catalogues/languages.ts';
import { bool, check, index, int53, table, text, timestampMs } from '../platform/database/schema.ts';

/** The receipt printer of the shop. There is at most one row. */
export const receiptPrinter = table('receipt_printer', {
  /** It is always `printer`. */
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** Its name or IP address in the network of the shop; empty for a printer of the computer (decisions.md#D-301). */
  host: text('host').notNull(),
  port: int53('port').notNull(),
  paper: text('paper').$type<Paper>().notNull(),
  /** The language of what it prints. */
  language: text('language').$type<LanguageTag>().notNull(),
  /** Sales that are made at the till from this moment on print by themselves. It is null when none do. */
  printsSince: timestampMs('prints_since'),
  /** How often in a row it has not taken a job, and when it is asked again. Null means at once. */
  tries: int53('tries').notNull(),
  nextTryAt: timestampMs('next_try_at'),
  /** Since when it has taken nothing, and why. Both are null when it took the last job. */
  unansweredSince: timestampMs('unanswered_since'),
  problem: text('problem').$type<PrinterProblem>(),
});

/** What the receipt printer is to print, and what became of it (decisions.md#D-299). */
export const printJobs = table(
  'print_jobs',
  {
    id: text('id').primaryKey(),
    /** What is printed: a receipt, or the test receipt. */
    kind: text('kind').$type<ReceiptKind | 'test'>().notNull(),
    /** The id of the payment or refund of the receipt. It is empty for the test receipt. */
    subject: text('subject').notNull(),
    /** The number of the receipt. It is empty for the test receipt. */
    number: text('number').notNull(),
    state: text('state').$type<PrintState>().notNull(),
    /** Whether its paper says that it is a copy. It is null until the printer gets it. */
    isCopy: bool('is_copy'),
    madeAt: timestampMs('made_at').notNull(),
    /** The time at which nothing more was to be done. */
    endedAt: timestampMs('ended_at'),
    /** How often a process has claimed it, until when the last claim holds, and which process has it. */
    claims: int53('claims').notNull(),
    claimedUntil: timestampMs('claimed_until'),
    holder: text('holder'),
  },
  (t) => [
    check('print_jobs_kind', sql`${t.kind} in ('sale', 'refund', 'test')`),
    check('print_jobs_ended', sql`(${t.state} in ('waiting', 'printing')) = (${t.endedAt} is null)`),
    index('print_jobs_under_way').on(t.madeAt, t.id).where(sql`${t.endedAt} is null`),
    index('print_jobs_ended').on(t.endedAt, t.id).where(sql`${t.endedAt} is not null`),
    index('print_jobs_subject').on(t.kind, t.subject, t.madeAt, t.id),
  ],
);

/** The conditions that a job has not ended, and that the printer has got nothing of it. An index leads to such jobs. */
export const isUnderWay = isNull(printJobs.endedAt);
export const isWaiting = and(isUnderWay, eq(printJobs.state, 'waiting'));
