import { eventIterator } from '@orpc/contract';
import { INCOMING_STATUSES } from '../../incoming-status.ts';
import { readers } from '../../people/roles.ts';
import { REPORT_FORMATS } from '../../statements/report-formats.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { ExportPart } from '../payments/payments.ts';
import { AssetValue, Id, Units } from '../values.ts';
import { ClosingSource, ClosingTax, Reason, SellingParty } from './closings.ts';

const Day = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/)
  .describe('A day of the shop, such as "2026-11-30".');
const Count = z.number().int().min(0);

/**
 * What payments brought, and how many payments. A payment is counted in one row of each list, but of the list of
 * products: there it counts in the row of each product that it brought money for, so these counts add up to more.
 */
const Part = z.object({ value: Units, count: Count });

const ReportDay = Part.extend({
  day: Day,
  /** What was given back on this day. It is below zero when more of it came back unspent. */
  refunded: Units,
});
export type ReportDay = z.infer<typeof ReportDay>;

/**
 * What was sold. `product`: lines of bills with one text. `tip`: the tips. `plain`: what came without a bill, and what
 * came beyond one. `others`: products that are not listed.
 */
const ReportProduct = Part.extend({
  kind: z.enum(['product', 'tip', 'plain', 'others']),
  /** The text on the bills; empty for the other kinds. */
  text: z.string(),
  /** How many were sold, in thousandths of a piece; 0 for the other kinds. */
  quantity: z.number().int().min(0),
});
export type ReportProduct = z.infer<typeof ReportProduct>;

/** The place where it was asked for. A row without a source stands for those that are not listed. */
const ReportPlace = Part.extend({
  source: ClosingSource.pick({ madeBy: true, app: true })
    .extend({
      /** The paired till, and what it was called then. It is null for other places. */
      till: z.object({ id: z.string(), name: z.string() }).nullable(),
      /** Who asked for it. It is null when nobody of the shop did. */
      person: SellingParty.nullable(),
    })
    .nullable(),
});
export type ReportPlace = z.infer<typeof ReportPlace>;

const ReportReference = Part.extend({
  kind: z.enum(['reference', 'none', 'others']),
  /** The shop's own reference, or the one in the request; empty for the other kinds. */
  reference: z.string(),
});
export type ReportReference = z.infer<typeof ReportReference>;

/**
 * What an account received between two days, added up in several ways. Each list of sums adds up to `received`, to the
 * unit.
 */
export const SalesReport = AssetValue.extend({
  from: Day,
  /** The last day. It is today for a period that is not over. */
  to: Day,
  isEnded: z.boolean(),
  /** The time at which it was added up. */
  at: z.date(),
  received: Part,
  refunded: Part,
  /** Days on which nothing moved are left out. */
  days: z.array(ReportDay),
  /** The taxes of each rate, where sales have lines. Refunds are divided as in day closings. */
  taxes: z.array(ClosingTax.omit({ assetCode: true, assetScale: true })),
  products: z.array(ReportProduct),
  places: z.array(ReportPlace),
  references: z.array(ReportReference),
  /**
   * What became of the requests that were made in these days: the shop's own, and those of apps and visitors for which
   * money has come.
   */
  requests: z.array(z.object({ status: z.enum(INCOMING_STATUSES), count: Count })),
  /** Why customers could not pay those requests: the most frequent reasons of their failed attempts. */
  attempts: z.array(Reason),
  /** Why the shop has cancelled some of them: the most frequent texts; an empty one where it gave no reason. */
  cancellations: z.array(Reason),
  /** How many payments the account began to send in these days, refunds included, and why some of them failed. */
  sent: z.object({ count: Count, failures: z.array(Reason) }),
});
export type ReportTax = SalesReport['taxes'][number];
export type SalesReport = z.infer<typeof SalesReport>;

const period = { accountId: Id, from: Day, to: Day };
const refusals = {
  NOT_FOUND: { status: 404, message: texts.noSuchAccount },
  BAD_PERIOD: { status: 400, message: texts.badPeriod },
  TOO_MANY_MOVEMENTS: { status: 400, message: texts.tooManyForReport },
  BOOKS_BUSY: { status: 503, message: texts.booksBusy },
} as const;

/** Reports on what an account received. Both days are in the period. */
export const reports = {
  sales: reads(readers, 'What an account received between two days of the shop: in all, by day, product, place and reference.')
    .route({ method: 'GET', path: '/reports/sales' })
    .input(z.object(period))
    .errors(refusals)
    .output(SalesReport),
  /** The same as one table. Each row says to which list it belongs. */
  export: does(
    readers,
    'exports',
    'report.exported',
    'A report on what an account received as a table (CSV). It is read in parts, as server-sent events.',
  )
    .route({ method: 'GET', path: '/reports/sales/export' })
    .input(
      z.object({
        ...period,
        format: z.enum(REPORT_FORMATS),
        /** The language of the words in the file (BCP 47). English takes the place of one that nobody speaks here. */
        language: z.string().max(35).default('en'),
      }),
    )
    .errors(refusals)
    .output(eventIterator(ExportPart)),
};
