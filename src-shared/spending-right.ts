import type { Amount } from './amounts.ts';
import type { AccessRight } from './operator-contract/access.ts';

/** Whether a right moves the operator's money. A request has at most one that does. */
export const spends = ({ type, actions }: AccessRight): boolean => type === 'outgoing-payment' && actions.includes('create');

/** What a request asks to spend at most; null without such a right, or when it names no limits. */
export const spendingLimits = (access: readonly AccessRight[]): AccessRight['limits'] => access.find(spends)?.limits ?? null;

/** The rights as they are granted when the operator sets amounts of their own; what they leave out stays as asked for. */
export function withLimits(
  access: readonly AccessRight[],
  { debit, receive }: { debit?: Amount | undefined; receive?: Amount | undefined },
): AccessRight[] {
  return access.map((right) => {
    if (!spends(right) || (debit === undefined && receive === undefined)) return right;
    const asked = right.limits ?? { receiver: null, interval: null, debitAmount: null, receiveAmount: null };
    return { ...right, limits: { ...asked, ...(debit && { debitAmount: debit }), ...(receive && { receiveAmount: receive }) } };
  });
}
