import { eventIterator } from '@orpc/contract';
import { managers, readers } from '../../people/roles.ts';
import { REPORT_FORMATS } from '../../statements/report-formats.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { AssetValue, Id, MovedValue, Units } from '../values.ts';
import { archived } from './archived.ts';
import { MADE_AT } from './made-at.ts';
import { paying } from './paying.ts';
import { Direction, Payment, PaymentDetail, PaymentStatus } from './payment-detail.ts';

export * from './payment-detail.ts';

/** A decimal number of whole currency units, such as `12.50`. */
const Decimal = z
  .string()
  .regex(/^\d{1,20}(\.\d{1,18})?$/)
  .describe('In whole units of each account\'s currency, not in smallest ones: "12.50".');

export const PaymentFilter = z.object({
  direction: Direction.optional(),
  status: PaymentStatus.optional(),
  /**
   * Whether to list what apps and visitors asked for and nobody has paid, in place of the operator's business. It is
   * also on with the status `nothing_received`.
   */
  unpaid: z.boolean().optional(),
  accountId: Id.optional(),
  /**
   * Text to find in description, reference, app or id. Only the first 300 characters of description and reference are
   * searched.
   */
  text: z.string().max(200).optional(),
  /** How the reference begins. */
  reference: z.string().max(200).optional(),
  /** The place in the shop where a request was made. */
  madeAt: z.enum(MADE_AT).optional(),
  /** The paired till that made it. */
  tillId: Id.optional(),
  /** The id of the app that created the payment; an empty text for payments of the operator. */
  client: z.string().max(2048).optional(),
  /**
   * Bounds of the amount, in whole units of each account's currency. They apply to the amount asked for or to be sent.
   * When no amount was asked for, they apply to what was received.
   */
  minAmount: Decimal.optional(),
  maxAmount: Decimal.optional(),
  createdFrom: z.date().optional(),
  /** It is exclusive. */
  createdBefore: z.date().optional(),
});
export type PaymentFilter = z.infer<typeof PaymentFilter>;

/** The count and the sums of the payments that match a filter. */
export const PaymentSummary = z.object({
  count: z.number().int(),
  /** How many payments that match are newer than `until`. */
  newer: z.number().int(),
  /** One entry for each asset, the largest count first. */
  totals: z.array(z.object({ ...AssetValue.shape, count: z.number().int(), received: Units, sent: Units })),
});
export type PaymentSummary = z.infer<typeof PaymentSummary>;

/** One part of an export. */
export const ExportPart = z.object({
  /** The text of this part, in whole lines. */
  csv: z.string(),
  /** How many rows have been written so far, and how many there were when the export began. */
  rows: z.number().int(),
  of: z.number().int(),
});

/**
 * Leaves out payments newer than this place, which an earlier list gave as `place`. The list of a reader thereby stays
 * the same while payments arrive.
 */
const until = z.string().optional();

export const payments = {
  /** Newest first. The list begins at the cursor, or at the row with this number. */
  list: reads(readers, 'Incoming and outgoing payments, newest first.')
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
        /** The place of the first item, to be sent as `until`; null when there are no items. */
        place: z.string().nullable(),
      }),
    ),
  summary: reads(readers, 'The count and the sums of the payments that match a filter.')
    .route({ method: 'GET', path: '/payments/summary' })
    .input(PaymentFilter.extend({ until }))
    .output(PaymentSummary),
  /** Every payment that matches as CSV (RFC 4180), newest first, in parts. The export ends when its caller goes. */
  export: does(
    readers,
    'exports',
    'payments.exported',
    'Every payment that matches as CSV (RFC 4180), newest first, in parts, as server-sent events.',
  )
    .route({ method: 'GET', path: '/payments/export' })
    .input(
      PaymentFilter.extend({
        /**
         * `csv` is for scripts, and the same everywhere. `spreadsheet` has the separators, dates and states of a
         * language, and beside the moment in UTC the day and the time of the shop.
         */
        format: z.enum(REPORT_FORMATS).default('csv'),
        /** The language of a spreadsheet (BCP 47). English takes the place of one that nobody speaks here. */
        language: z.string().max(35).default('en'),
      }),
    )
    .output(eventIterator(ExportPart)),
  get: reads(readers, 'One payment with everything that happened to it.')
    .route({ method: 'GET', path: '/payments/{id}' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchPayment } })
    .output(PaymentDetail),
  /**
   * Ends an unknown payment with what the operator has learnt from the receiver or the peer: the held money has
   * `arrived`, or not. With `part`, some of the open packets have: those that carried `arrived`, in smallest units.
   * Money that did not arrive goes back to the account.
   */
  resolve: does(
    managers,
    'payments',
    'outgoing_payment.resolved',
    'Ends a payment whose outcome is unknown with what the operator has learnt: its held money arrived, a part of it, or none.',
  )
    .route({ method: 'POST', path: '/payments/{id}/resolve' })
    .input(
      z.discriminatedUnion('outcome', [
        z.object({ id: Id, outcome: z.enum(['arrived', 'not_arrived']) }),
        z.object({ id: Id, outcome: z.literal('part'), arrived: MovedValue }),
      ]),
    )
    .errors({
      NOT_FOUND: { status: 404, message: texts.noSuchPayment },
      NOT_UNKNOWN: { status: 409, message: texts.paymentNotUnknown },
      NOT_A_PART: { status: 409, message: texts.notAPart },
    })
    .output(PaymentDetail),
  complete: does(managers, 'payments', 'incoming_payment.completed', 'Completes an incoming payment. It takes no more money.')
    .route({ method: 'POST', path: '/payments/{id}/complete' })
    .input(z.object({ id: Id }))
    .errors({
      NOT_FOUND: { status: 404, message: texts.noSuchPayment },
      EXPIRED: { status: 409, message: texts.paymentExpired },
    })
    .output(PaymentDetail),
  ...archived,
  ...paying,
};
