import { paymentDetail } from '../../queries/payments/payment-detail.ts';
import { operations } from '../guarded-operations.ts';

const os = operations.refunds;

const PROBLEMS = {
  not_found: 'NOT_FOUND',
  payer_unknown: 'PAYER_UNKNOWN',
  too_much: 'REFUND_TOO_MUCH',
  insufficient_balance: 'INSUFFICIENT_BALANCE',
  id_taken: 'REQUEST_ID_TAKEN',
} as const;

export const refundsHandlers = os.router({
  create: os.create.handler(async ({ context, input: { requestId: id, paymentId: incomingPaymentId, ...wanted }, errors }) => {
    const made = await context.refunds.create({ ...wanted, id, incomingPaymentId });
    if (!made.ok) throw errors[PROBLEMS[made.error]]();
    const payment = await paymentDetail(context, incomingPaymentId);
    if (payment === undefined) throw new Error('a payment is gone right after its refund was reserved');
    return payment;
  }),
});
