import { and, desc, gt, isNull, or } from 'drizzle-orm';
import type { PaymentRequest } from '../../../../src-shared/operator-contract/payments/payment-requests.ts';
import type { IncomingPayment } from '../../../payments/incoming/incoming-payments.ts';
import { incomingPayments, isPaymentRequest } from '../../../payments/tables.ts';
import type { OperatorContext } from '../../context.ts';
import { incomingRow } from './payment-rows.ts';

/** The most payment requests that the console lists as open. */
const SHOWN = 50;

/** An incoming payment with the link that the operator gives to the payer. */
export async function shownRequest(
  { walletAddresses, urls, clock }: Pick<OperatorContext, 'walletAddresses' | 'urls' | 'clock'>,
  payment: IncomingPayment,
): Promise<PaymentRequest> {
  const account = await walletAddresses.byId(payment.walletAddressId);
  if (account === undefined) throw new Error('an incoming payment without its wallet address');
  return {
    ...incomingRow(payment, account, clock.now()),
    link: urls.checkout(payment.id),
    expiresAt: payment.expiresAt === null ? null : new Date(payment.expiresAt),
  };
}

/** Lists what the operator has asked for and what still takes money, newest first. */
export async function openPaymentRequests(context: OperatorContext): Promise<{ items: PaymentRequest[]; more: boolean }> {
  const alive = or(isNull(incomingPayments.expiresAt), gt(incomingPayments.expiresAt, context.clock.now()));
  const rows = await context.database.read
    .select()
    .from(incomingPayments)
    .where(and(isPaymentRequest, alive))
    .orderBy(desc(incomingPayments.createdAt), desc(incomingPayments.id))
    .limit(SHOWN + 1);
  const items = await Promise.all(rows.slice(0, SHOWN).map((payment) => shownRequest(context, payment)));
  return { items, more: rows.length > SHOWN };
}
