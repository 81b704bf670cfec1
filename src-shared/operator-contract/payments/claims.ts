import { CLAIM_FINDINGS } from '../../claims/claim-findings.ts';
import { everyone, managers, readers, till } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { waitingErrors } from '../console/second-person.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { AmountValue, Id, MovedValue, REQUEST_ID_TAKEN, RequestId } from '../values.ts';
import { Refund } from './payment-detail.ts';
import { Left } from './refunds.ts';

/** The wallet of a claim: the one that is asked, or about which the operator decides, or to which it was refunded. */
const ClaimWallet = z.object({
  id: Id,
  /** Its wallet address. */
  payer: z.string(),
  /** What was found out about it; null while the customer has not come back from it. */
  finding: z.enum(CLAIM_FINDINGS).nullable(),
  /** How much it says it has paid; null when it was not asked. */
  said: AmountValue.nullable(),
});
export type ClaimWallet = z.infer<typeof ClaimWallet>;

/** A claim link: money that the shop gives back to a payer who is not known. */
const Claim = z.object({
  /** Also the id of the refund that ends it. */
  id: Id,
  paymentId: Id,
  /** The most that leaves the account, fees included. */
  amount: AmountValue,
  reason: z.string().nullable(),
  /**
   * `open`: it waits for the customer. `deciding`: it waits for the operator. `refunded`: its refund has begun.
   * `refused`: no further wallet may be named. `doubted`: the books were put back from a copy, so that it may have been
   * refunded.
   */
  state: z.enum(['open', 'deciding', 'refunded', 'cancelled', 'expired', 'refused', 'doubted']),
  /** The public page. It is null for callers who may not make such links, and when the claim has ended. */
  link: z.url().nullable(),
  wallet: ClaimWallet.nullable(),
  /** How the refund that ends it stands, and who says that its payer paid; null while there is none. */
  refund: Refund.pick({ state: true, claimed: true }).nullable(),
  createdAt: z.date(),
  expiresAt: z.date(),
});
export type Claim = z.infer<typeof Claim>;

const NOT_FOUND = { status: 404, message: texts.noSuchClaim };
const NOT_WAITING = { status: 409, message: texts.claimEnded };

/** The operator gives back to payers who are not known. */
export const claims = {
  /**
   * Makes a claim link for a received payment, or a part of it. The customer names their wallet on its page. A repeated
   * call with the same `requestId` has one effect.
   */
  make: does(
    till,
    'payments',
    'incoming_payment.claim_made',
    'Makes a claim link for a received payment of which nobody knows who paid. The customer names their wallet on its page.',
  )
    .route({ method: 'POST', path: '/claims', successStatus: 201 })
    .input(
      z.object({
        requestId: RequestId,
        /** The received payment. */
        paymentId: Id,
        /** What leaves the account, fees included, in its smallest units. */
        amount: MovedValue,
        /** The customer reads it. */
        reason: z.string().trim().max(500).optional(),
      }),
    )
    .errors({
      NOT_FOUND: { status: 404, message: texts.noSuchPayment },
      CLAIM_OPEN: { status: 409, message: texts.claimOpen },
      REFUND_TOO_MUCH: { status: 409, message: texts.claimTooMuch },
      NO_REFUND_LIMIT: { status: 403, message: texts.noRefundLimit },
      NOT_TODAYS_SALE: { status: 403, message: texts.notTodaysSale },
      OVER_PAYMENT_LIMIT: { status: 409, message: texts.overPaymentLimit, data: Left },
      OVER_DAY_LIMIT: { status: 409, message: texts.overDayLimit, data: Left },
      ...waitingErrors,
      REQUEST_ID_TAKEN,
    })
    .output(Claim),
  /** A cashier asks for requests only. */
  of: reads(everyone, 'The claim links of a received payment, newest first, at most 20, and how much one more could give back.')
    .route({ method: 'GET', path: '/claims/of/{paymentId}' })
    .input(z.object({ paymentId: Id, cursor: Id.optional() }))
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchPayment } })
    .output(z.object({ claimable: AmountValue, claims: z.array(Claim), nextCursor: Id.nullable() })),
  /** Others follow once these are decided. `count` is of all; of very many only some are counted (`MOST_COUNTED`). */
  waiting: reads(readers, 'The claim links that wait for a decision, oldest first, at most 20, and how many wait.')
    .route({ method: 'GET', path: '/claims/waiting' })
    .output(z.object({ items: z.array(Claim), count: z.number().int() })),
  /** Ends a claim link. Nothing has left. */
  cancel: does(till, 'payments', 'incoming_payment.claim_cancelled', 'Ends a claim link. Nothing has left.')
    .route({ method: 'POST', path: '/claims/{id}/cancel' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND, NOT_WAITING })
    .output(Claim),
  /** Refunds to the wallet that was named, although it is not proven that it has paid. */
  refund: does(
    managers,
    'payments',
    'incoming_payment.claim_refunded',
    'Refunds a claim to the wallet that was named, although it is not proven that it has paid.',
  )
    .route({ method: 'POST', path: '/claims/{id}/refund' })
    .input(z.object({ id: Id, walletId: Id }))
    .errors({
      NOT_FOUND,
      NOT_WAITING,
      REFUND_TOO_MUCH: { status: 409, message: texts.claimTooMuch },
      INSUFFICIENT_BALANCE: { status: 409, message: texts.insufficientBalance },
      ...waitingErrors,
    })
    .output(Claim),
  /** Refuses the wallet that was named. The customer may name another one, unless that was the last. */
  refuse: does(managers, 'payments', 'incoming_payment.claim_refused', 'Refuses the wallet that was named for a claim.')
    .route({ method: 'POST', path: '/claims/{id}/refuse' })
    .input(z.object({ id: Id, walletId: Id }))
    .errors({ NOT_FOUND, NOT_WAITING })
    .output(Claim),
};
