import { everyone, LIMITED_ROLES, managers, owner, till } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { waitingErrors } from '../console/second-person.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { AmountValue, AssetValue, ForeignAmount, Id, MovedValue, REQUEST_ID_TAKEN, RequestId } from '../values.ts';
import { priceErrors, walletErrors } from './paying.ts';
import { PartOfRefunds, Payer, PaymentDetail, Refund } from './payment-detail.ts';

/** A limit, and what is left of it. */
export const Left = z.object({ limit: AmountValue, left: AmountValue });

/** The most that people with a role may refund in a currency. */
const RefundLimit = AssetValue.extend({
  role: z.enum(LIMITED_ROLES),
  /** The most of one payment that all with the role may give back together, in smallest units. */
  perPayment: MovedValue,
  /** The most that each of them may give back on one day of the shop, in smallest units. */
  perDay: MovedValue,
});
export type RefundLimit = z.infer<typeof RefundLimit>;

/** The amounts that the caller may refund of a payment. */
const Allowance = z.object({
  /** The reason why the caller may refund nothing of it; null when they may. */
  refusal: z.enum(['no_limit_set', 'not_todays_sale']).nullable(),
  /** The limit of one payment, and what is left of it; null without a limit. */
  payment: Left.nullable(),
  /** The limit of one day of the shop, and what is left today; null without a limit. */
  day: Left.nullable(),
});
export type Allowance = z.infer<typeof Allowance>;

const RefundsOfPayment = z.object({ ...PartOfRefunds, refunded: AmountValue, allowance: Allowance });
export type RefundsOfPayment = z.infer<typeof RefundsOfPayment>;

/** The cost now of a refund in the payer's own currency. */
const RefundPrice = z.object({
  /** The amount that leaves the account, fees included. */
  cost: AmountValue,
  /** The most that may leave it. The node refuses a refund that costs more. */
  most: AmountValue,
  /** The amount that arrives. */
  receive: ForeignAmount,
});
export type RefundPrice = z.infer<typeof RefundPrice>;

/** The payer's wallet address, when several paid. */
const PayerUrl = z.url().max(2048).optional();

const NOT_FOUND = { status: 404, message: texts.noSuchPayment };

/** The reasons why a payer cannot get back what they paid. */
const paidErrors = {
  PAID_UNKNOWN: { status: 409, message: texts.paidUnknown },
  REFUND_MORE_THAN_PAID: { status: 409, message: texts.refundMoreThanPaid },
  ...walletErrors,
  ...priceErrors,
};

/** The operator gives back what was received. */
export const refunds = {
  /**
   * Refunds a received payment, or a part of it, to the proven payer. It answers with the received payment at once; the
   * money follows. A repeated call with the same `requestId` has one effect.
   */
  create: does(
    till,
    'payments',
    'incoming_payment.refunding',
    'Refunds a received payment, or a part of it, to the payer, where it is proven who paid.',
  )
    .route({ method: 'POST', path: '/refunds', successStatus: 201 })
    .input(
      z.object({
        requestId: RequestId,
        /** The received payment. */
        paymentId: Id,
        /** The amount that leaves the account, fees included, in its smallest units. */
        amount: MovedValue,
        /**
         * The amount that arrives, in smallest units of the currency in which they paid: `payers[].paid`. `amount` is
         * then the most that it may cost, as `refunds.price` says it.
         */
        receive: MovedValue.optional(),
        payer: PayerUrl,
        /** The reason, which the payer reads. */
        reason: z.string().trim().max(500).optional(),
      }),
    )
    .errors({
      NOT_FOUND,
      PAYER_UNKNOWN: { status: 409, message: texts.payerUnknown },
      REFUND_TOO_MUCH: { status: 409, message: texts.refundTooMuch },
      INSUFFICIENT_BALANCE: { status: 409, message: texts.insufficientBalance },
      NO_REFUND_LIMIT: { status: 403, message: texts.noRefundLimit },
      NOT_TODAYS_SALE: { status: 403, message: texts.notTodaysSale },
      OVER_PAYMENT_LIMIT: { status: 409, message: texts.overPaymentLimit, data: Left },
      OVER_DAY_LIMIT: { status: 409, message: texts.overDayLimit, data: Left },
      ...waitingErrors,
      REQUEST_ID_TAKEN,
      ...paidErrors,
      REFUND_PRICE_CHANGED: { status: 409, message: texts.refundPriceChanged },
      REFUND_COSTS_TOO_MUCH: {
        status: 409,
        message: texts.refundCostsTooMuch,
        data: z.object({ cost: AmountValue, most: AmountValue }),
      },
    })
    .output(PaymentDetail),
  /**
   * Tells what it costs to give a payer back what they paid, or a part of it, in their own currency. It asks their
   * wallet for an incoming payment, and moves nothing.
   */
  price: reads(till, 'What it costs that a payer gets back what they paid in their own currency.')
    .route({ method: 'POST', path: '/refunds/price' })
    .input(z.object({ paymentId: Id, receive: MovedValue, payer: PayerUrl }))
    .errors({ NOT_FOUND, PAYER_UNKNOWN: { status: 409, message: texts.payerUnknown }, ...paidErrors })
    .output(RefundPrice),
  /** The first payers and the newest refunds; see {@link PartOfRefunds}. */
  of: reads(till, 'Who paid a received payment, what was refunded of it, and what the caller may refund of it.')
    .route({ method: 'GET', path: '/refunds/{paymentId}' })
    .input(z.object({ paymentId: Id }))
    .errors({ NOT_FOUND })
    .output(RefundsOfPayment),
  /**
   * There may be any number of payers, because whoever has the link of a payment can pay it. A cashier asks for
   * requests only.
   */
  payers: reads(everyone, 'The proven payers of a received payment, at most 100 at once. It can search their wallet addresses.')
    .route({ method: 'GET', path: '/refunds/{paymentId}/payers' })
    .input(
      z.object({
        paymentId: Id,
        cursor: z.string().max(2048).optional(),
        /** A part of their wallet addresses. */
        text: z.string().trim().max(200).optional(),
      }),
    )
    .errors({ NOT_FOUND })
    .output(z.object({ items: z.array(Payer), nextCursor: z.string().nullable() })),
  /** A cashier asks for requests only. */
  list: reads(everyone, 'The refunds of a received payment, newest first, at most 100 at once.')
    .route({ method: 'GET', path: '/refunds/{paymentId}/all' })
    .input(z.object({ paymentId: Id, cursor: Id.optional() }))
    .errors({ NOT_FOUND })
    .output(z.object({ items: z.array(Refund), nextCursor: Id.nullable() })),
};

/** The most that people with a role may refund. Without a limit a cashier refunds nothing, and a manager anything. */
export const refundLimits = {
  /** The limits, and the currencies of the accounts. */
  list: reads(managers, 'How much cashiers and managers may refund, by currency.')
    .route({ method: 'GET', path: '/refund-limits' })
    .output(z.object({ limits: z.array(RefundLimit), currencies: z.array(AssetValue) })),
  /** Sets a limit, or takes it away. */
  set: does(owner, 'settings', 'refund_limit.set', 'Sets how much cashiers or managers may refund in a currency, or takes the limit away.')
    .route({ method: 'POST', path: '/refund-limits' })
    .input(
      AssetValue.extend({
        role: z.enum(LIMITED_ROLES),
        /** The limits. Null takes them away. */
        amounts: RefundLimit.pick({ perPayment: true, perDay: true }).nullable(),
      }),
    )
    .output(z.object({ set: z.literal(true) })),
};
