import type { IncomingPayment } from '../../../payments/incoming/incoming-payments.ts';
import { shopToday } from '../../../shop/shop.ts';
import type { WalletAddress } from '../../../wallet-addresses/wallet-addresses.ts';
import type { OperatorContext } from '../../context.ts';

/**
 * Finds a payment request of which the caller may read. What an app has asked for is none: whoever may read it reads it
 * as a payment. A person who is a cashier reads what concerns today (decisions.md#D-317).
 */
export async function requestInReach(context: OperatorContext, id: string): Promise<IncomingPayment | undefined> {
  const payment = await context.incomingPayments.find(id);
  if (payment?.client !== null) return undefined;
  const readsTodays = context.role === 'cashier' && context.doer?.kind === 'person';
  return !readsTodays || concerns(payment, (await shopToday(context.database.read, context.clock.now())).since) ? payment : undefined;
}

/** A received payment with its account. */
export interface Received {
  payment: IncomingPayment;
  account: WalletAddress;
}

/**
 * Finds a payment whose refunds concern the caller. A cashier hears of payment requests, and of no other payment.
 */
export async function receivedInReach(
  { incomingPayments, walletAddresses, role }: OperatorContext,
  id: string,
): Promise<Received | undefined> {
  const payment = await incomingPayments.find(id);
  const account = payment && (await walletAddresses.byId(payment.walletAddressId));
  if (payment === undefined || account === undefined || (role === 'cashier' && payment.client !== null)) return undefined;
  return { payment, account };
}

/** Whether a request was open at some moment since then, or has changed since: it was made, paid or ended. */
const concerns = ({ completed, expiresAt, updatedAt }: IncomingPayment, since: number): boolean =>
  updatedAt >= since || (!completed && (expiresAt === null || expiresAt >= since));
