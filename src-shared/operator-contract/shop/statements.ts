import { eventIterator } from '@orpc/contract';
import { readers } from '../../people/roles.ts';
import { DatevSettings } from '../../statements/datev-settings.ts';
import { STATEMENT_FORMATS } from '../../statements/statement.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { AssetValue, Id, Units } from '../values.ts';

const Day = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/)
  .describe('A day of the shop, such as "2026-11-30".');

const Side = z.object({ sum: Units, count: z.number().int().min(0) });

const period = { accountId: Id, from: Day, to: Day };
const refusals = {
  NOT_FOUND: { status: 404, message: texts.noSuchAccount },
  BAD_PERIOD: { status: 400, message: texts.badPeriod },
  BOOKS_DIFFER: { status: 409, message: texts.booksDiffer },
  BOOKS_BUSY: { status: 503, message: texts.booksBusy },
} as const;

/** What a statement says without its lines. */
export const StatementSummary = AssetValue.extend({
  from: Day,
  /** The last day. It is today for a period that is not over. */
  to: Day,
  isEnded: z.boolean(),
  opening: Units,
  closing: Units,
  credits: Side,
  debits: Side,
  /** The home currency, when no rate to it counted at the last movement; null otherwise. */
  noRateTo: z.string().nullable(),
  /** The formats that can hold this account. */
  formats: z.array(z.enum(STATEMENT_FORMATS)),
});
export type StatementSummary = z.infer<typeof StatementSummary>;

/** One part of a file. */
export const StatementPart = z.object({
  /** The text of this part, in whole lines. */
  text: z.string(),
  /** How many lines have been written so far, and how many there are. */
  rows: z.number().int(),
  of: z.number().int(),
});
export type StatementPart = z.infer<typeof StatementPart>;

/** Statements of accounts, for the shop's bookkeeping. Both days are in the period. */
export const statements = {
  look: reads(readers, 'What the statement of an account between two days of the shop would say: balances, and how much moved.')
    .route({ method: 'GET', path: '/statements' })
    .input(z.object(period))
    .errors(refusals)
    .output(StatementSummary),
  /** It is null before the first export to DATEV. */
  settings: reads(readers, 'What was typed for the last export to DATEV.')
    .route({ method: 'GET', path: '/statements/settings' })
    .output(z.object({ datev: DatevSettings.nullable() })),
  /** The file, in parts. What DATEV asks for is remembered, and the last one counts when it is left out. */
  export: does(
    readers,
    'exports',
    'statement.exported',
    'The statement of an account as a file: CSV, camt.053, OFX or DATEV. It is read in parts, as server-sent events.',
  )
    .route({ method: 'GET', path: '/statements/export' })
    .input(
      z.object({
        ...period,
        format: z.enum(STATEMENT_FORMATS),
        /** The language of the words in the file (BCP 47). English takes the place of one that nobody speaks here. */
        language: z.string().max(35).default('en'),
        datev: DatevSettings.optional(),
      }),
    )
    .errors({
      ...refusals,
      UNSUITABLE: { status: 400, message: texts.unsuitableFormat },
      TOO_MANY_LINES: { status: 400, message: texts.tooManyLines },
      DATEV_NEEDED: { status: 400, message: texts.datevNeeded },
      ACCOUNTS_DIFFER: { status: 400, message: texts.datevAccountsDiffer },
      TWO_YEARS: { status: 400, message: texts.datevTwoYears },
    })
    .output(eventIterator(StatementPart)),
};
