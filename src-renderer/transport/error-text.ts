import { ORPCError } from '@orpc/client';
import type { AmountValue } from '../../src-shared/operator-contract/values.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { you } from './you.ts';

/** Tells the operator what went wrong and what to do. `unreachable` is the text for a node that did not answer. */
export function errorText(error: Error, unreachable: string = messages.errors.unreachable): string {
  if (!(error instanceof ORPCError)) return unreachable;
  const limited = limitText(error);
  if (limited !== undefined) return limited;
  const byCode: Readonly<Record<string, string>> = messages.errors.byCode;
  return byCode[error.code] ?? messages.errors.unexpected;
}

const isAmount = (value: unknown): value is AmountValue =>
  typeof value === 'object' && value !== null && 'value' in value && typeof value.value === 'bigint' && 'assetCode' in value;

/** Says how much a limit of refunds is, what is left of it, and whom to ask. It is undefined for other errors. */
function limitText({ code, data }: ORPCError<string, unknown>): string | undefined {
  const { overDay, overPayment } = messages.payments.refund;
  const say = code === 'OVER_DAY_LIMIT' ? overDay : code === 'OVER_PAYMENT_LIMIT' ? overPayment : undefined;
  if (say === undefined || typeof data !== 'object' || data === null || !('limit' in data) || !('left' in data)) return undefined;
  const { limit, left } = data;
  if (!isAmount(limit) || !isAmount(left)) return undefined;
  return say({ limit: amountText(limit), left: amountText(left), role: you.get()?.role ?? 'cashier' });
}

/** Whether the thing that was asked for does not exist, for example because its id is from an old or broken link. */
export const namesNothing = (error: Error): boolean => error instanceof ORPCError && (error.status === 404 || error.status === 400);

/**
 * Whether the node may have done the operation although it failed here. Then only the same request may be sent again.
 */
export const outcomeUnknown = (error: Error | null): boolean => error !== null && (!(error instanceof ORPCError) || error.status >= 500);

/** Whether the operation waits for a second person now. That is no failure. */
export const waitsForSecond = (error: Error | null): boolean => error instanceof ORPCError && error.code === 'WAITS_FOR_SECOND';
