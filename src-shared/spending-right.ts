import type { Amount } from './amounts.ts';
import type { AccessRight } from './operator-contract/access.ts';

/** Whether a right moves the operator's money. A grant request has at most one such right. */
export const spends = ({ type, actions }: AccessRight): boolean => type === 'outgoing-payment' && actions.includes('create');

/** The most that a grant request asks to spend. It is null when the request has no such right or names no limits. */
export const spendingLimits = (access: readonly AccessRight[]): AccessRight['limits'] => access.find(spends)?.limits ?? null;

/**
 * The rights that are granted when the operator sets amounts of their own. The rest stays as the client asked for it.
 */
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
