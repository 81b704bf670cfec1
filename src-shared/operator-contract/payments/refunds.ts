import { managers } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does } from '../operation.ts';
import { Id, MovedValue, REQUEST_ID_TAKEN, RequestId } from '../values.ts';
import { PaymentDetail } from './payment-detail.ts';

/** The operator gives back what was received. */
export const refunds = {
  /**
   * Refunds a received payment, or a part of it, to the proven payer. It answers with the received payment at once; the
   * money follows. A repeated call with the same `requestId` has one effect.
   */
  create: does(managers, 'payments', 'incoming_payment.refunding')
    .route({ method: 'POST', path: '/refunds', successStatus: 201 })
    .input(
      z.object({
        requestId: RequestId,
        /** The received payment. */
        paymentId: Id,
        /** What leaves the account, fees included, in its smallest units. */
        amount: MovedValue,
        /** The payer's wallet address, when several paid. */
        payer: z.url().max(2048).optional(),
        /** The payer reads it. */
        reason: z.string().trim().max(500).optional(),
      }),
    )
    .errors({
      NOT_FOUND: { status: 404, message: texts.noSuchPayment },
      PAYER_UNKNOWN: { status: 409, message: texts.payerUnknown },
      REFUND_TOO_MUCH: { status: 409, message: texts.refundTooMuch },
      INSUFFICIENT_BALANCE: { status: 409, message: texts.insufficientBalance },
      REQUEST_ID_TAKEN,
    })
    .output(PaymentDetail),
};
