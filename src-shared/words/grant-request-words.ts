import type { AccessRight } from '../operator-contract/access.ts';
import type { ApprovalRequest } from '../operator-contract/approvals.ts';
import { beginsTooOften, boundsSpending, spendingLimits, spends } from '../spending-right.ts';
import { amountText } from './amount-text.ts';
import { hostAndPath, hostOf } from './inert-text.ts';
import { interval } from './interval-text.ts';
import { area, extended } from './language/language.ts';

const text = area('requestWords');

/** The exact terms of a right, with their values in full. */
function terms(right: AccessRight): [name: string, value: string][] {
  const { identifier, limits } = right;
  const { term } = text;
  const account: [string, string] = [term.account, identifier === null ? term.everyAccount : hostAndPath(identifier)];
  if (!spends(right) && limits === null) return [account];
  const { debitAmount = null, receiveAmount = null, interval: repeats = null, receiver = null } = limits ?? {};
  const amounts: [string, string][] = [];
  const debit = debitAmount === null ? undefined : amountText(debitAmount);
  if (debit !== undefined)
    amounts.push([term.debit, boundsSpending({ debitAmount, interval: repeats }) ? debit : term.noBound({ amount: debit })]);
  if (receiveAmount !== null) amounts.push([term.receive, amountText(receiveAmount)]);
  const times: [string, string][] = [];
  if (repeats !== null) times.push([term.interval, interval(repeats)]);
  else if (amounts.length > 0) times.push([term.interval, term.once]);
  if (debitAmount === null) amounts.unshift([term.debit, term.noAmount]);
  return [account, ...amounts, ...times, [term.receiver, receiver === null ? term.anyone : hostAndPath(receiver)]];
}

/** Whether the one incoming payment that may be paid is on the node of the account. */
const isOwn = (receiver: string, { account }: Pick<ApprovalRequest, 'account'>): boolean =>
  account !== null && URL.parse(receiver)?.origin === URL.parse(account.walletAddress)?.origin;

/** Why nothing bounds what a request may take, and who has it in hand (decisions.md#D-30). */
function unlimitedWords(request: Pick<ApprovalRequest, 'access' | 'account'>): { title: string; why: string } {
  const limits = spendingLimits(request.access);
  const says = text.unlimited;
  const { receiver = null, interval: repeats = null, debitAmount = null, receiveAmount = null } = limits ?? {};
  if (debitAmount === null && receiveAmount === null) return { title: says.anyTitle, why: says.any };
  if (repeats !== null && beginsTooOften(repeats)) return { title: says.noneTitle, why: says.tooOften({ interval: interval(repeats) }) };
  if (debitAmount !== null) {
    const amount = amountText(debitAmount);
    const why = repeats === null ? says.tooMuch({ amount }) : says.tooMuchRepeating({ amount, interval: interval(repeats) });
    return { title: says.noneTitle, why };
  }
  const title = says.arrivesTitle;
  if (receiver === null) return { title, why: says.anyone };
  return { title, why: isOwn(receiver, request) ? says.own : says.other({ host: hostOf(receiver) }) };
}

/**
 * The words beside the lines of consent of a grant request, on the screen and in the terminal: the exact terms, the
 * warnings, and the outcome.
 */
export const requestWords = extended('requestWords', () => ({
  terms,
  unlimitedTitle: (request: Pick<ApprovalRequest, 'access' | 'account'>) => unlimitedWords(request).title,
  unlimitedWords: (request: Pick<ApprovalRequest, 'access' | 'account'>) => `${unlimitedWords(request).why} ${text.unlimited.advice}`,
  /** Says when the operator's own limit begins anew. */
  limitRepeats: ({ access }: Pick<ApprovalRequest, 'access'>): string => {
    const repeats = spendingLimits(access)?.interval ?? null;
    return repeats === null || beginsTooOften(repeats) ? text.inTotal : text.repeatsEach({ interval: interval(repeats) });
  },
  approvedWords: (returns: string | undefined) => (returns === undefined ? text.approvedWaits : text.approvedReturns({ host: returns })),
}));
