import { dayAt, startOfDay } from '../../../../src-shared/calendar.ts';
import type { IncomingPayment } from '../../../payments/incoming/incoming-payments.ts';
import { readShop } from '../../../shop/shop.ts';
import type { OperatorContext } from '../../context.ts';

/** The time at which the shop's day began, in milliseconds since the Unix epoch. */
export async function startOfToday({ database, clock }: Pick<OperatorContext, 'database' | 'clock'>): Promise<number> {
  const { days } = await readShop(database.read);
  return startOfDay(dayAt(clock.now(), days), days);
}

/**
 * Finds a payment request of which the caller may read. What an app has asked for is none: whoever may read it reads it
 * as a payment. A person who is a cashier reads what concerns today (decisions.md#D-317).
 */
export async function requestInReach(context: OperatorContext, id: string): Promise<IncomingPayment | undefined> {
  const payment = await context.incomingPayments.find(id);
  if (payment?.client !== null) return undefined;
  const readsTodays = context.role === 'cashier' && context.doer?.kind === 'person';
  return !readsTodays || concerns(payment, await startOfToday(context)) ? payment : undefined;
}

/** Whether a request was open at some moment since then, or has changed since: it was made, paid or ended. */
const concerns = ({ completed, expiresAt, updatedAt }: IncomingPayment, since: number): boolean =>
  updatedAt >= since || (!completed && (expiresAt === null || expiresAt >= since));
