import { and, desc, eq, gt, isNotNull, isNull, or } from 'drizzle-orm';
import type { FailedAttempt, PaymentRequest } from '../../../../src-shared/operator-contract/payments/payment-requests.ts';
import { checkouts } from '../../../checkout/tables.ts';
import type { IncomingPayment } from '../../../payments/incoming/incoming-payments.ts';
import { incomingPayments, isPaymentRequest } from '../../../payments/tables.ts';
import type { Reader } from '../../../platform/database/database.ts';
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

/** The most failed attempts that the console shows of one request. */
const ATTEMPTS = 5;

/** The last attempts of visitors to pay an incoming payment that failed, newest first. */
export async function failedAttempts(reader: Reader, incomingPaymentId: string): Promise<FailedAttempt[]> {
  const rows = await reader
    .select({ id: checkouts.id, reason: checkouts.reason, wallet: checkouts.walletAddress, at: checkouts.updatedAt })
    .from(checkouts)
    .where(and(eq(checkouts.incomingPaymentId, incomingPaymentId), isNotNull(checkouts.reason)))
    .orderBy(desc(checkouts.createdAt), desc(checkouts.id))
    .limit(ATTEMPTS);
  return rows.flatMap(({ reason, at, ...attempt }) => (reason === null ? [] : [{ ...attempt, reason, at: new Date(at) }]));
}
