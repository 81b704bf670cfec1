import { and, desc, eq, exists, gt, gte, inArray, isNotNull, isNull, or } from 'drizzle-orm';
import type { FailedAttempt, PaymentRequest } from '../../../../src-shared/operator-contract/payments/payment-requests.ts';
import { checkouts } from '../../../checkout/tables.ts';
import type { IncomingPayment } from '../../../payments/incoming/incoming-payments.ts';
import { type KeptRequest, keptRequest, keptRequests } from '../../../payments/incoming/kept-requests.ts';
import { incomingPayments, isPaymentRequest, paymentRequests } from '../../../payments/tables.ts';
import type { Reader } from '../../../platform/database/database.ts';
import { shopToday } from '../../../shop/shop.ts';
import type { OperatorContext } from '../../context.ts';
import { ofOwnAccounts } from '../../people/narrowed.ts';
import { incomingRow } from './payment-rows.ts';

/** The most payment requests that the console lists at once. */
const SHOWN = 50;

/** An incoming payment with the link that the operator gives to the payer. */
export const shownRequest = async (context: OperatorContext, payment: IncomingPayment): Promise<PaymentRequest> =>
  shownWith(context, payment, await keptRequest(context.database.read, payment.id));

async function shownWith(
  { walletAddresses, urls, clock }: OperatorContext,
  payment: IncomingPayment,
  kept: KeptRequest | undefined,
): Promise<PaymentRequest> {
  const account = await walletAddresses.byId(payment.walletAddressId);
  if (account === undefined) throw new Error('an incoming payment without its wallet address');
  return {
    ...incomingRow(payment, account, clock.now(), { kept }),
    link: urls.checkout(payment.id),
    expiresAt: payment.expiresAt === null ? null : new Date(payment.expiresAt),
    cancelReason: kept?.cancelReason ?? null,
    dueAt: kept?.dueAt == null ? null : new Date(kept.dueAt),
    returnUrl: kept?.returnUrl ?? null,
  };
}

/** Shows the first {@link SHOWN} of these rows, and says whether there are more. */
async function shownAll(context: OperatorContext, rows: readonly IncomingPayment[]): Promise<{ items: PaymentRequest[]; more: boolean }> {
  const shown = rows.slice(0, SHOWN);
  const kept = await keptRequests(
    context.database.read,
    shown.map(({ id }) => id),
  );
  const items = await Promise.all(shown.map((payment) => shownWith(context, payment, kept.get(payment.id))));
  return { items, more: rows.length > SHOWN };
}

/** Lists what the operator has asked for and what still takes money, newest first. */
export async function openPaymentRequests(context: OperatorContext): Promise<{ items: PaymentRequest[]; more: boolean }> {
  const alive = or(isNull(incomingPayments.expiresAt), gt(incomingPayments.expiresAt, context.clock.now()));
  const rows = await context.database.read
    .select()
    .from(incomingPayments)
    .where(and(isPaymentRequest, alive, ofOwnAccounts(context, incomingPayments.walletAddressId)))
    .orderBy(desc(incomingPayments.createdAt), desc(incomingPayments.id))
    .limit(SHOWN + 1);
  return await shownAll(context, rows);
}

/**
 * Lists the sales that were made at the till since the shop's day began, newest first. The device of a till sees its
 * own.
 */
export async function salesOfToday(context: OperatorContext): Promise<{ items: PaymentRequest[]; more: boolean }> {
  const { read } = context.database;
  const { since } = await shopToday(read, context.clock.now());
  const ofTill = context.till && eq(paymentRequests.tillId, context.till.id);
  const within = ofOwnAccounts(context, incomingPayments.walletAddressId);
  const isOfAccounts =
    within &&
    exists(
      read
        .select({ id: incomingPayments.id })
        .from(incomingPayments)
        .where(and(eq(incomingPayments.id, paymentRequests.id), within)),
    );
  const sales = await read
    .select({ id: paymentRequests.id })
    .from(paymentRequests)
    .where(and(eq(paymentRequests.madeAt, 'till'), ofTill, gte(paymentRequests.createdAt, since), isOfAccounts))
    .orderBy(desc(paymentRequests.createdAt), desc(paymentRequests.id))
    .limit(SHOWN + 1);
  const ids = sales.map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await read.select().from(incomingPayments).where(inArray(incomingPayments.id, ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return await shownAll(
    context,
    ids.flatMap((id) => byId.get(id) ?? []),
  );
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
