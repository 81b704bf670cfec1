import { ATTEMPT_FAILURES } from '../../attempt-failures.ts';
import { everyone, till } from '../../people/roles.ts';
import { isReturnUrl, LONGEST_RETURN_URL } from '../../shop/return-url.ts';
import { z } from '../../zod.ts';
import { Account } from '../accounts.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { Id, MovedValue, RequestId } from '../values.ts';
import { Bill, NewBill } from './bills.ts';
import { MADE_AT } from './made-at.ts';
import { Payment } from './payments.ts';

/** An incoming payment that the operator has created, with the link that the operator gives to the payer. */
export const PaymentRequest = Payment.extend({
  /** The public page on which anybody can pay it. */
  link: z.url(),
  expiresAt: z.date().nullable(),
  /** The reason why the operator has cancelled it, in words that the payer reads on the page. */
  cancelReason: z.string().nullable(),
  /** The time by which the payer should pay. The payer sees it, and the request goes on taking money after it. */
  dueAt: z.date().nullable(),
  /** The URL to which the payer goes on after paying: a page of the shop, such as that of the order. */
  returnUrl: z.string().nullable(),
});
export type PaymentRequest = z.infer<typeof PaymentRequest>;

/** An attempt of a visitor of the request's page to pay from a wallet of their own, which failed. */
export const FailedAttempt = z.object({
  id: Id,
  reason: z.enum(ATTEMPT_FAILURES),
  /** The visitor's input, or the wallet address that was found there. */
  wallet: z.string(),
  at: z.date(),
});
export type FailedAttempt = z.infer<typeof FailedAttempt>;

/** An account into which a payment request may be paid. It says nothing about the money in it. */
export const PayableAccount = Account.pick({ id: true, name: true, publicName: true, assetCode: true, assetScale: true });
export type PayableAccount = z.infer<typeof PayableAccount>;
/** The operator's notes for their own books: an order number, and anything else. They never leave the node. */
const PrivateNotes = {
  reference: z.string().trim().max(200).optional(),
  note: z.string().trim().max(500).optional(),
};

const ReturnUrl = z.string().max(LONGEST_RETURN_URL).refine(isReturnUrl, 'The way back must be an address that begins with https://.');

const NOT_FOUND = { status: 404, message: texts.noSuchPaymentRequest };

/** The operator asks to be paid. */
export const requests = {
  create: does(till, 'payments', 'incoming_payment.created', 'Asks to be paid: makes an incoming payment with a link for the payer.')
    .route({ method: 'POST', path: '/requests', successStatus: 201 })
    .input(
      z.object({
        requestId: RequestId,
        accountId: Id,
        /**
         * The amount, in smallest units of the account. Without it the payer decides, or the bill. With a bill it is
         * what the caller has counted: the node counts again, and refuses another sum.
         */
        amount: MovedValue.optional(),
        /** The lines of the amount. */
        bill: NewBill.optional(),
        /** The words for the payer: what the request is for. They are public with the link. */
        description: z.string().trim().max(500).optional(),
        ...PrivateNotes,
        /**
         * The time when the request ends. Without it a sale at the till lapses after the minutes of `settings.till`,
         * and another request never.
         */
        expiresAt: z.date().optional(),
        /** The time by which the payer should pay. The payer sees it; nothing ends then. */
        dueAt: z.date().optional(),
        /**
         * The URL to which the payer goes on after paying, such as the page of an order at the web shop. It is an HTTPS
         * address, or an HTTP address of this computer. The page says its host.
         */
        returnUrl: ReturnUrl.optional(),
        /** The place in the shop where it is made. */
        madeAt: z.enum(MADE_AT).default('desk'),
      }),
    )
    .errors({
      NOT_FOUND: { status: 404, message: texts.noSuchAccount },
      INVALID_BILL: { status: 400, message: texts.billInvalid },
      BILL_DIFFERS: { status: 409, message: texts.billDiffers },
      INVALID_EXPIRY: { status: 400, message: texts.paymentRequestEndPast },
    })
    .output(PaymentRequest),
  /** The accounts into which somebody may pay, the oldest first: by a part of the name, or the one with the id. */
  accounts: reads(till, 'The accounts that may be paid into, without their balances.')
    .route({ method: 'GET', path: '/payable-accounts' })
    .input(z.object({ id: Id.optional(), text: z.string().max(200).optional(), limit: z.number().int().min(1).max(100).default(50) }))
    .output(z.object({ items: z.array(PayableAccount) })),
  /** The payment requests that still take money, newest first, at most 50. */
  open: reads(everyone, 'The payment requests that still take money, newest first, at most 50.')
    .route({ method: 'GET', path: '/requests' })
    .output(z.object({ items: z.array(PaymentRequest), more: z.boolean() })),
  get: reads(everyone, 'One payment request.')
    .route({ method: 'GET', path: '/requests/{id}' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND })
    .output(PaymentRequest),
  /** The lines of a request's amount; null when it is a plain amount. They never change. */
  bill: reads(everyone, 'What the amount of a payment request consists of: lines, tax and tip.')
    .route({ method: 'GET', path: '/requests/{id}/bill' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND })
    .output(z.object({ bill: Bill.nullable() })),
  /**
   * Ends a request. Money that has arrived by then stays. A request that is paid, or was ended before, stays as it is,
   * and the answer says so.
   */
  cancel: does(
    till,
    'payments',
    'incoming_payment.completed',
    'Ends a payment request, with a reason that the payer reads. What has arrived stays.',
  )
    .route({ method: 'POST', path: '/requests/{id}/cancel' })
    .input(
      z.object({
        id: Id,
        /** The reason, in words that the payer reads on the page. */
        reason: z.string().trim().max(200).optional(),
      }),
    )
    .errors({ NOT_FOUND, EXPIRED: { status: 409, message: texts.paymentExpired } })
    .output(PaymentRequest),
  /** Replaces the operator's own notes. What is left out is taken away. */
  changeNotes: does(
    till,
    'payments',
    'incoming_payment.noted',
    'Replaces the operator’s own notes about a payment request. They never leave the node.',
  )
    .route({ method: 'POST', path: '/requests/{id}/notes' })
    .input(z.object({ id: Id, ...PrivateNotes }))
    .errors({ NOT_FOUND })
    .output(PaymentRequest),
  /** The sales that were made at the till today, in the time zone of the shop, newest first, at most 50. */
  sales: reads(everyone, 'The sales of today that were made at the till, newest first, at most 50.')
    .route({ method: 'GET', path: '/requests/sales' })
    .output(z.object({ items: z.array(PaymentRequest), more: z.boolean() })),
  /** The last attempts to pay it that failed, newest first, at most 5. */
  failedAttempts: reads(everyone, 'The last attempts to pay a request that failed, newest first, at most 5.')
    .route({ method: 'GET', path: '/requests/{id}/failed-attempts' })
    .input(z.object({ id: Id }))
    .output(z.array(FailedAttempt)),
};
