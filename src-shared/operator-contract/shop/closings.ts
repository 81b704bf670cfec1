import { everyone, managers, ROLES, readers } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { operatorErrors } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { AssetValue, Id, RequestId, Units } from '../values.ts';

const Count = z.number().int().min(0);

/** The tax of received payments, for each rate, before refunds, and the part of it that refunds gave back. */
const RateTax = z.object({
  name: z.string(),
  /** The rate, in thousandths of a percent. */
  rate: z.number().int(),
  net: Units,
  tax: Units,
  /** The net amount given back. It is absent where nothing was. */
  refundedNet: Units.optional(),
  refundedTax: Units.optional(),
});
export const ClosingTax = RateTax.extend(AssetValue.shape);
export type ClosingTax = z.infer<typeof ClosingTax>;

/** What was sold with a bill by one account, place or person. Each is absent where there was none. */
const soldParts = {
  /** The part of the value that was tips. */
  tip: Units.optional(),
  /** The tips that refunds gave back. */
  refundedTip: Units.optional(),
  taxes: z.array(RateTax).optional(),
};

/** The movements of an account. All amounts are in smallest units of its currency. */
const ClosingAccount = AssetValue.extend({
  ...soldParts,
  id: Id,
  name: z.string(),
  publicName: z.string(),
  /** The amount that payments brought, and the number of payments. */
  sales: Units,
  salesCount: Count,
  /** The amount given back to payers. It is not part of `sent`. */
  refunds: Units,
  refundsCount: Count,
  /** The amount that other payments took. */
  sent: Units,
  /** The balance with what is set aside. It is null for a caller who may not see balances. */
  books: z
    .object({
      opening: Units,
      deposits: Units,
      withdrawals: Units,
      closing: Units,
      /**
       * The amount that the movements do not explain: closing less opening and all movements. It is 0 in sound books.
       */
      difference: Units,
    })
    .nullable(),
});
export type ClosingAccount = z.infer<typeof ClosingAccount>;

/**
 * What payments brought to one place or person, and what refunds gave back of their sales, whoever clicked on *Refund*.
 */
const Part = AssetValue.extend({
  ...soldParts,
  value: Units,
  count: Count,
  /** The amount given back. It and the number of refunds are absent where there was no refund. */
  refunded: Units.optional(),
  refundedCount: Count.optional(),
});
export type ClosingPart = z.infer<typeof Part>;

/** The amounts that payments brought, by the place where they were asked for. */
export const ClosingSource = Part.extend({
  madeBy: z.enum(['till', 'desk', 'app']),
  /**
   * The URL of the app. It is the wallet address where a visitor of its page began the payment. It is null for the
   * other places, and for all apps together that are not listed.
   */
  app: z.string().nullable(),
  /**
   * The paired till, and what it was called then. It is absent for the till of the console, for other places, and in
   * closings of earlier versions. It is null for all paired tills together that are not listed.
   */
  till: z.object({ id: z.string(), name: z.string() }).nullable().optional(),
});
export type ClosingSource = z.infer<typeof ClosingSource>;

/** Who asks for payments in the name of the shop: a person, software with a key, or the device of a till. */
export const SellingParty = z.object({
  kind: z.enum(['person', 'key', 'till']),
  /** It is empty where the books do not know it. */
  id: z.string(),
  /** What they were called then; empty for the owner without a name. */
  name: z.string(),
});
export type SellingParty = z.infer<typeof SellingParty>;

/** The amounts that payments brought, by who had asked for them. */
const ClosingPerson = Part.extend({
  /** What they were called then; empty for the owner without a name, and for all together that are not listed. */
  name: z.string(),
  /** Closings of earlier versions have neither kind nor id: there all of one name are one. */
  kind: z.enum([...SellingParty.shape.kind.options, 'others']).optional(),
  id: z.string().optional(),
});
export type ClosingPerson = z.infer<typeof ClosingPerson>;

const ClosingTip = AssetValue.extend({
  value: Units,
  /** The amount given back. It is absent where nothing was. */
  refunded: Units.optional(),
});
export type ClosingTip = z.infer<typeof ClosingTip>;

/** How often something failed for one reason. */
export const Reason = z.object({
  /** The code of the reason; null for all others together. */
  reason: z.string().nullable(),
  count: Count,
});
export type Reason = z.infer<typeof Reason>;

export const ClosingFigures = z.object({
  /** The accounts that have moved, by name, at most 100. */
  accounts: z.array(ClosingAccount),
  /** How many accounts have moved. */
  accountCount: Count,
  /** The places. Of the apps and of the paired tills it names the 100 in each currency that brought most. */
  sources: z.array(ClosingSource),
  /** Who asked for it: the 100 in each currency that brought most, and all others together. */
  people: z.array(ClosingPerson),
  /** How many payments that were sent have failed, those of refunds included. */
  failures: Count,
  /** Why they failed: the most frequent reasons. It is absent where none failed, and in earlier closings. */
  failureReasons: z.array(Reason).optional(),
  /** How many refunds failed before any money left, and why. Both are absent as above. */
  refundFailures: Count.optional(),
  refundFailureReasons: z.array(Reason).optional(),
  /** The taxes. They are absent where no sale has lines. */
  taxes: z.array(ClosingTax).optional(),
  /** The tips. They are absent where no sale has one. */
  tips: z.array(ClosingTip).optional(),
  /**
   * What refunds gave back is in taxes and tips. Closings of earlier versions do not have it: there they are what was
   * received, and say nothing of refunds.
   */
  refundsAreSplit: z.literal(true).optional(),
});
export type ClosingFigures = z.infer<typeof ClosingFigures>;

const ClosingHead = z.object({
  number: z.number().int().positive(),
  at: z.date(),
  /** The day of the shop on which it was closed. */
  day: z.string(),
  /** The shop's way of counting its days then. */
  timeZone: z.string(),
  dayEndsAt: z.number().int(),
  /** The person who closed it; null for the owner at the computer. */
  by: z.object({ name: z.string(), role: z.enum(ROLES) }).nullable(),
  hash: z.string(),
});
export type ClosingHead = z.infer<typeof ClosingHead>;

const Closing = ClosingHead.extend({
  /** The time of the closing before; null for the first one. */
  since: z.date().nullable(),
  /** The hash of the closing before; null for the first one. */
  before: z.string().nullable(),
  figures: ClosingFigures,
  /** Whether more accounts have moved than are in the figures. `closings.accounts` reads them. */
  more: z.boolean(),
  /** Whether it still has its hash. Of its accounts only those in the figures were looked at. */
  isWhole: z.boolean(),
});
export type Closing = z.infer<typeof Closing>;

const ClosingAccounts = z.object({
  accounts: z.array(ClosingAccount),
  more: z.boolean(),
  /** Whether these accounts, and the closing, still have their hash. */
  isWhole: z.boolean(),
});
export type ClosingAccounts = z.infer<typeof ClosingAccounts>;

const Current = z.object({
  /** The number of the last closing; 0 when there is none. */
  last: z.number().int().min(0),
  since: z.date().nullable(),
  at: z.date(),
  figures: ClosingFigures,
});
export type CurrentFigures = z.infer<typeof Current>;

const ClosingNumber = z.coerce.number().int().positive();

/** The shop closes its days. */
export const closings = {
  /** The figures since the last closing. It changes nothing. */
  current: reads(everyone, 'What has moved since the last day closing. It changes nothing.')
    .route({ method: 'GET', path: '/closings/current' })
    .output(Current),
  list: reads(readers, 'The day closings, newest first, at most 50.')
    .route({ method: 'GET', path: '/closings' })
    .input(z.object({ below: ClosingNumber.optional() }))
    .output(z.object({ items: z.array(ClosingHead), more: z.boolean() })),
  get: reads(readers, 'One day closing, as it was closed, with its first 100 accounts by name.')
    .route({ method: 'GET', path: '/closings/{number}' })
    .input(z.object({ number: ClosingNumber }))
    .errors({ NOT_FOUND: { status: 404, message: operatorErrors.noSuchClosing } })
    .output(Closing),
  accounts: reads(readers, 'Further accounts of a day closing, by name, 100 at once.')
    .route({ method: 'GET', path: '/closings/{number}/accounts' })
    .input(
      z.object({
        number: ClosingNumber,
        /** How many times 100 accounts stand before these. `closings.get` has piece 0. */
        piece: z.coerce.number().int().min(0),
      }),
    )
    .errors({ NOT_FOUND: { status: 404, message: operatorErrors.noSuchClosing } })
    .output(ClosingAccounts),
  /** Closes the day. A repeated call with the same `requestId` answers with the closing that it made. */
  close: does(
    managers,
    'money',
    'day.closed',
    'Closes the day: everything that has moved since the last closing is in this one, and in no other.',
  )
    .route({ method: 'POST', path: '/closings', successStatus: 201 })
    .input(
      z.object({
        requestId: RequestId,
        /**
         * The number of the last closing that the caller knows; 0 for none. The node refuses when there is another one
         * since then.
         */
        last: z.number().int().min(0),
      }),
    )
    .errors({ CLOSED_MEANWHILE: { status: 409, message: operatorErrors.closedMeanwhile } })
    .output(Closing),
};
