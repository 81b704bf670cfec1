import type { AccessRight } from '../operator-contract/access.ts';
import type { ApprovalRequest } from '../operator-contract/approvals.ts';
import { beginsTooOften, boundsSpending, spendingLimits, spends } from '../spending-right.ts';
import { amountText } from './amount-text.ts';
import { hostAndPath, hostOf } from './inert-text.ts';
import { interval } from './interval-text.ts';
import { counted } from './words.ts';

const term = {
  account: 'Wallet address',
  debit: 'Most that leaves the account',
  receive: 'Most that arrives',
  interval: 'Repeats',
  receiver: 'To',
  anyone: 'Anyone',
  once: 'No; this is the most in total',
  noAmount: 'No limit asked for',
  noBound: (amount: string) => `${amount}, which counts as no limit`,
} as const;
const everyAccount = 'Every wallet address of this node';

/** The exact terms of a right, with their values in full. */
function terms(right: AccessRight): [name: string, value: string][] {
  const { identifier, limits } = right;
  const account: [string, string] = [term.account, identifier === null ? everyAccount : hostAndPath(identifier)];
  if (!spends(right) && limits === null) return [account];
  const { debitAmount = null, receiveAmount = null, interval: repeats = null, receiver = null } = limits ?? {};
  const amounts: [string, string][] = [];
  const debit = debitAmount === null ? undefined : amountText(debitAmount);
  if (debit !== undefined) amounts.push([term.debit, boundsSpending({ debitAmount, interval: repeats }) ? debit : term.noBound(debit)]);
  if (receiveAmount !== null) amounts.push([term.receive, amountText(receiveAmount)]);
  const times: [string, string][] = [];
  if (repeats !== null) times.push([term.interval, interval(repeats)]);
  else if (amounts.length > 0) times.push([term.interval, term.once]);
  if (debitAmount === null) amounts.unshift([term.debit, term.noAmount]);
  return [account, ...amounts, ...times, [term.receiver, receiver === null ? term.anyone : hostAndPath(receiver)]];
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Whether the one incoming payment that may be paid is on the node of the account. */
const isOwn = (receiver: string, { account }: Pick<ApprovalRequest, 'account'>): boolean =>
  account !== null && URL.parse(receiver)?.origin === URL.parse(account.walletAddress)?.origin;

/** Why nothing bounds what a request may take, and who has it in hand (decisions.md#D-30). */
function unlimitedWords(request: Pick<ApprovalRequest, 'access' | 'account'>): { title: string; why: string } {
  const limits = spendingLimits(request.access);
  const { receiver = null, interval: repeats = null, debitAmount = null, receiveAmount = null } = limits ?? {};
  if (debitAmount === null && receiveAmount === null) {
    return { title: 'It asks for any amount', why: 'This app did not say how much it wants to spend.' };
  }
  if (repeats !== null && beginsTooOften(repeats)) {
    return { title: 'Its limit is no limit', why: `It begins anew ${interval(repeats)}, so any amount can leave the account in a day.` };
  }
  if (debitAmount !== null) {
    const asked = `${amountText(debitAmount)}${repeats === null ? '' : ` ${interval(repeats)},`}`;
    return { title: 'Its limit is no limit', why: `${asked} is too much to be a limit: it can take all that the account has.` };
  }
  const title = 'It limits only what arrives';
  if (receiver === null) {
    const why = 'The app chooses who is paid, and whoever is paid says how much has arrived. So everything in the account can leave.';
    return { title, why };
  }
  if (isOwn(receiver, request)) {
    return { title, why: 'This node itself counts what arrives there. What leaves the account for it depends on the exchange rate.' };
  }
  return { title, why: `Only ${hostOf(receiver)} says how much has arrived. So everything in the account can leave.` };
}

/**
 * The words beside the consent sentence of a grant request, on the screen and in the terminal: the exact terms, the
 * warnings, and the outcome.
 */
export const requestWords = {
  terms,
  account: term.account,
  proofOf: 'Proof that this wallet address is yours',
  windows: 'The next dates',
  windowText: (start: string, end: string) => `${start} to ${end}`,
  windowsNote: 'Counted in UTC; the last moment belongs to the next one.',
  facts: {
    from: 'From account',
    asked: 'Asked',
    lapses: 'Lapses',
    returns: 'Browser returns to',
  },
  noReturn: 'Nobody is sent back',
  noReturnWarning:
    'The app gave no address to return to: it only waits. Approve only if you started this yourself, just now, on a device in front of you.',
  byKey: 'An app known by its key only',
  keyOnlyWarning: 'This app has no wallet address, so no host vouches for it. Approve only if you know where it comes from.',
  codeHint: 'Type the four digits shown on the page of the person who asks. If nobody shows you a page, deny.',
  notOpened: 'Its page has not been opened yet, so there is no code. It can only be denied.',
  wrongCode: (left: number) =>
    left > 0
      ? `That is not the code on the page. ${counted(left, 'attempt', 'attempts')} left.`
      : 'That is not the code on the page. The request is over.',
  unlimitedTitle: (request: Pick<ApprovalRequest, 'access' | 'account'>) => unlimitedWords(request).title,
  unlimitedWords: (request: Pick<ApprovalRequest, 'access' | 'account'>) =>
    `${unlimitedWords(request).why} Set the most it may spend, or type the name of the account to allow any amount.`,
  limitLabel: (code: string) => `Most it may spend, in ${code}`,
  /** When the operator's own limit begins anew. */
  limitRepeats: ({ access }: Pick<ApprovalRequest, 'access'>): string => {
    const repeats = spendingLimits(access)?.interval ?? null;
    return repeats === null || beginsTooOften(repeats) ? 'In total.' : `${capitalised(interval(repeats))}.`;
  },
  suggested: (amount: string) => `${amount} should be enough for what may arrive: its cost now, and 2 % for the way.`,
  limitIsNone: 'This is so much that it is no limit.',
  accountNameLabel: (name: string) => `Type “${name}” to allow any amount`,
  accountNameWrong: 'This is not the name of the account.',
  noAccount: 'It does not say which account the money comes from, so no limit can be set. Deny it.',
  onlyLower: (amount: string) => `It asks for ${amount}; you cannot allow more than that.`,
  amountNeeded: 'Type an amount above zero.',
  lastDayPast: 'This day is over.',
  approvedTitle: 'Approved',
  approvedWords: (returns: string | undefined) =>
    returns === undefined ? 'The app finds out by itself.' : `The waiting page now goes back to ${returns} by itself.`,
  deniedTitle: 'Denied',
  deniedWords: 'The app is told so and gets nothing.',
} as const;
