import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { AmountValue, AssetValue, Id, Metadata } from './values.ts';

export const Direction = z.enum(['in', 'out']);

/**
 * What an operator calls the state of a payment. Incoming: waiting (nothing yet), receiving, completed, expired.
 * Outgoing: queued, sending, retrying, settling (no more is sent, the last answers are awaited), unknown (the operator must find out),
 * completed, failed.
 */
export const PaymentStatus = z.enum([
  'waiting',
  'receiving',
  'expired',
  'queued',
  'sending',
  'retrying',
  'settling',
  'unknown',
  'completed',
  'failed',
]);
export type PaymentStatus = z.infer<typeof PaymentStatus>;

/** One row of the payments list. */
export const Payment = z.object({
  id: Id,
  direction: Direction,
  accountId: Id,
  accountName: z.string(),
  status: PaymentStatus,
  /** In: the amount asked for, if any. Out: what is to be taken from the account. */
  amount: AmountValue.nullable(),
  /** In: received so far. Out: sent so far. */
  progress: AmountValue,
  /** `metadata.description`, if it is text. */
  description: z.string().nullable(),
  /** `metadata.externalRef`, if it is text. */
  reference: z.string().nullable(),
  /** The app that created it, as its wallet address URL; null for the operator. */
  client: z.string().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Payment = z.infer<typeof Payment>;

export const TimelineEntry = z.object({
  position: z.bigint(),
  /** The event's type, such as `outgoing_payment.created`. */
  type: z.string(),
  /** Of several packets in a row, what the last one says. */
  body: z.record(z.string(), z.string()),
  /** When the first of them was. */
  since: z.date(),
  at: z.date(),
  /** How many events in a row of this type it stands for: packets of money come by the thousand. */
  events: z.number().int(),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

export const PaymentDetail = Payment.extend({
  /** Its public URL. */
  url: z.url(),
  walletAddress: z.url(),
  expiresAt: z.date().nullable(),
  metadata: Metadata.nullable(),
  /** Out: the incoming payment it pays. */
  receiver: z.url().nullable(),
  /** Out: what the receiver should get. */
  receiveAmount: AmountValue.nullable(),
  /** Out: what the receiver has got so far. */
  delivered: AmountValue.nullable(),
  /** Out: the approval it used. */
  grantId: Id.nullable(),
  /** Out, failed: a code such as `receiver_closed`, and what it means in a sentence. */
  failure: z.object({ code: z.string(), explanation: z.string() }).nullable(),
  /** How many ILP packets carried money for it. */
  packets: z.number().int(),
  timeline: z.array(TimelineEntry),
});
export type PaymentDetail = z.infer<typeof PaymentDetail>;

/** A decimal number of whole currency units, such as `12.50`. */
const Decimal = z.string().regex(/^\d{1,20}(\.\d{1,18})?$/);

export const PaymentFilter = z.object({
  direction: Direction.optional(),
  status: PaymentStatus.optional(),
  accountId: Id.optional(),
  /** Finds it in description, reference, app or id. Only the first 300 characters of description and reference are searched. */
  text: z.string().max(200).optional(),
  /** The beginning of the reference. */
  reference: z.string().max(200).optional(),
  /** The id of the app that created it; empty for payments of the operator. */
  client: z.string().max(2048).optional(),
  /** At least, and at most, this much was to move, in whole units of each account's currency; where no amount was asked for, this much came. */
  minAmount: Decimal.optional(),
  maxAmount: Decimal.optional(),
  createdFrom: z.date().optional(),
  /** Exclusive. */
  createdBefore: z.date().optional(),
});
export type PaymentFilter = z.infer<typeof PaymentFilter>;

/** What the payments that match a filter come to. */
export const PaymentSummary = z.object({
  count: z.number().int(),
  /** How many of those that match are newer than `until`. */
  newer: z.number().int(),
  /** One per asset, the largest count first. */
  totals: z.array(z.object({ ...AssetValue.shape, count: z.number().int(), received: z.bigint(), sent: z.bigint() })),
});
export type PaymentSummary = z.infer<typeof PaymentSummary>;

/** Part of an export. */
export const ExportPart = z.object({
  /** Text to append, whole lines. */
  csv: z.string(),
  /** Rows written so far, and how many there were when it began. */
  rows: z.number().int(),
  of: z.number().int(),
});

/** Leaves out what is newer than this place (`place` of an earlier list), so that a reader's list stays still while payments arrive. */
const until = z.string().optional();

export const payments = {
  /** Newest first: from the cursor on, or from the row with this number on. */
  list: oc
    .route({ method: 'GET', path: '/payments' })
    .input(
      PaymentFilter.extend({
        cursor: z.string().optional(),
        until,
        offset: z.number().int().min(0).max(100_000_000).default(0),
        limit: z.number().int().min(1).max(200).default(50),
      }),
    )
    .output(
      z.object({
        items: z.array(Payment),
        nextCursor: z.string().nullable(),
        /** The place of the first item, for `until`; null when there is none. */
        place: z.string().nullable(),
      }),
    ),
  summary: oc.route({ method: 'GET', path: '/payments/summary' }).input(PaymentFilter.extend({ until })).output(PaymentSummary),
  /** Every payment that matches as CSV (RFC 4180), newest first, part by part; it ends when its caller goes. */
  export: oc.route({ method: 'GET', path: '/payments/export' }).input(PaymentFilter).output(eventIterator(ExportPart)),
  get: oc
    .route({ method: 'GET', path: '/payments/{id}' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: { status: 404, message: 'There is no such payment.' } })
    .output(PaymentDetail),
  complete: oc
    .route({ method: 'POST', path: '/payments/{id}/complete' })
    .input(z.object({ id: Id }))
    .errors({
      NOT_FOUND: { status: 404, message: 'There is no such payment.' },
      EXPIRED: { status: 409, message: 'This payment has expired and accepts no more money anyway.' },
    })
    .output(PaymentDetail),
};
