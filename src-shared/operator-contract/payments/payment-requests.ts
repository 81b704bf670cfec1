import { ATTEMPT_FAILURES } from '../../attempt-failures.ts';
import { everyone, till } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { Account } from '../accounts.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { Id, MovedValue, RequestId } from '../values.ts';
import { Payment } from './payments.ts';

/** An incoming payment that the operator has created, with the link that the operator gives to the payer. */
export const PaymentRequest = Payment.extend({
  /** The public page on which anybody can pay it. */
  link: z.url(),
  expiresAt: z.date().nullable(),
});
export type PaymentRequest = z.infer<typeof PaymentRequest>;

/** An attempt of a visitor of the request's page to pay from a wallet of their own, which failed. */
export const FailedAttempt = z.object({
  id: Id,
  reason: z.enum(ATTEMPT_FAILURES),
  /** What the visitor typed, or the wallet address that was found there. */
  wallet: z.string(),
  at: z.date(),
});
export type FailedAttempt = z.infer<typeof FailedAttempt>;

/** An account into which a payment request may be paid. It says nothing about the money in it. */
export const PayableAccount = Account.pick({ id: true, name: true, publicName: true, assetCode: true, assetScale: true });
export type PayableAccount = z.infer<typeof PayableAccount>;

/** The operator asks to be paid. */
export const requests = {
  create: does(till, 'payments', 'incoming_payment.created')
    .route({ method: 'POST', path: '/requests', successStatus: 201 })
    .input(
      z.object({
        requestId: RequestId,
        accountId: Id,
        /** In smallest units of the account. Without it the payer decides. */
        amount: MovedValue.optional(),
        /** What the payer reads: it is public with the link. */
        description: z.string().trim().max(500).optional(),
        /** An order or invoice number. It is public with the link, too. */
        reference: z.string().trim().max(200).optional(),
        /** It is for the operator's own books, and never leaves the node. */
        note: z.string().trim().max(500).optional(),
        expiresAt: z.date().optional(),
      }),
    )
    .errors({
      NOT_FOUND: { status: 404, message: texts.noSuchAccount },
      INVALID_EXPIRY: { status: 400, message: texts.paymentRequestEndPast },
    })
    .output(PaymentRequest),
  /** The accounts that may be paid into, the oldest first: whose name contains the text, or the one with the id. */
  accounts: reads(till)
    .route({ method: 'GET', path: '/payable-accounts' })
    .input(z.object({ id: Id.optional(), text: z.string().max(200).optional(), limit: z.number().int().min(1).max(100).default(50) }))
    .output(z.object({ items: z.array(PayableAccount) })),
  /** The payment requests that still take money, newest first, at most 50. */
  open: reads(everyone)
    .route({ method: 'GET', path: '/requests' })
    .output(z.object({ items: z.array(PaymentRequest), more: z.boolean() })),
  get: reads(everyone)
    .route({ method: 'GET', path: '/requests/{id}' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchPaymentRequest } })
    .output(PaymentRequest),
  /** The last attempts to pay it that failed, newest first, at most 5. */
  failedAttempts: reads(everyone)
    .route({ method: 'GET', path: '/requests/{id}/failed-attempts' })
    .input(z.object({ id: Id }))
    .output(z.array(FailedAttempt)),
};
