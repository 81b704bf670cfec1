import { type Amount, MAX_MOVED } from './amounts.ts';
import type { AccessRight } from './operator-contract/access.ts';
import { parseInterval } from './repeating-interval.ts';

const NO_LIMITS = { receiver: null, interval: null, debitAmount: null, receiveAmount: null };
const DAY_MS = 86_400_000;
/** A limit that begins anew more often than so many times in a day bounds nothing (decisions.md#D-30). */
const MOST_WINDOWS_A_DAY = 24n;
/** A limit of so many whole units of its currency a day bounds nothing (decisions.md#D-30). */
const BOUNDLESS_UNITS = 1_000_000_000n;

/** Whether a right moves the operator's money. A grant request has at most one such right. */
export const spends = ({ type, actions }: AccessRight): boolean => type === 'outgoing-payment' && actions.includes('create');

/** The most that a grant request asks to spend. It is null when the request has no such right or names no limits. */
export const spendingLimits = (access: readonly AccessRight[]): AccessRight['limits'] => access.find(spends)?.limits ?? null;

/** How many windows of the interval lie in a day: 1 for a longer window, and for a limit that does not repeat. */
function windowsADay(interval: string | null): bigint {
  const parsed = interval === null ? undefined : parseInterval(interval);
  if (parsed === undefined || parsed.months > 0) return 1n;
  return BigInt(Math.min(Math.ceil(DAY_MS / parsed.ms), parsed.windows));
}

/** Whether a limit begins anew so often that it bounds nothing. */
export const beginsTooOften = (interval: string | null): boolean => windowsADay(interval) > MOST_WINDOWS_A_DAY;

/**
 * Whether the limits bound what leaves the account (decisions.md#D-30). What arrives does not count, because only the
 * receiver knows it.
 */
export function boundsSpending({ debitAmount, interval }: Pick<NonNullable<AccessRight['limits']>, 'debitAmount' | 'interval'>): boolean {
  if (debitAmount === null || beginsTooOften(interval)) return false;
  const inADay = debitAmount.value * windowsADay(interval);
  return inADay < MAX_MOVED && inADay < BOUNDLESS_UNITS * 10n ** BigInt(debitAmount.assetScale);
}

/** Whether the rights allow to spend, and nothing bounds what leaves the account. */
export const spendsUnbounded = (access: readonly AccessRight[]): boolean =>
  access.some((right) => spends(right) && (right.limits === null || !boundsSpending(right.limits)));

/**
 * The rights that are granted when the operator sets amounts of their own. The rest stays as the client asked for it,
 * except for limits that begin too often: the operator's own debit amount takes their place, once and for all.
 */
export function withLimits(
  access: readonly AccessRight[],
  { debit, receive }: { debit?: Amount | undefined; receive?: Amount | undefined },
): AccessRight[] {
  return access.map((right) => {
    if (!spends(right) || (debit === undefined && receive === undefined)) return right;
    const limits = right.limits ?? NO_LIMITS;
    const asked = debit && beginsTooOften(limits.interval) ? { ...NO_LIMITS, receiver: limits.receiver } : limits;
    return { ...right, limits: { ...asked, ...(debit && { debitAmount: debit }), ...(receive && { receiveAmount: receive }) } };
  });
}
