import type { AccessRight } from '../operator-contract/access.ts';
import { spends } from '../spending-right.ts';
import { amountText } from './amount-text.ts';
import { hostAndPath } from './inert-text.ts';
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
} as const;
const everyAccount = 'Every wallet address of this node';

/** The exact terms of a right, with their values in full. */
function terms(right: AccessRight): [name: string, value: string][] {
  const { identifier, limits } = right;
  const account: [string, string] = [term.account, identifier === null ? everyAccount : hostAndPath(identifier)];
  if (!spends(right) && limits === null) return [account];
  const { debitAmount = null, receiveAmount = null, interval: repeats = null, receiver = null } = limits ?? {};
  const amounts: [string, string][] = [];
  if (debitAmount !== null) amounts.push([term.debit, amountText(debitAmount)]);
  if (receiveAmount !== null) amounts.push([term.receive, amountText(receiveAmount)]);
  const times: [string, string][] = [];
  if (repeats !== null) times.push([term.interval, interval(repeats)]);
  else if (amounts.length > 0) times.push([term.interval, term.once]);
  if (amounts.length === 0) amounts.push([term.debit, term.noAmount]);
  return [account, ...amounts, ...times, [term.receiver, receiver === null ? term.anyone : hostAndPath(receiver)]];
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
  unlimitedTitle: 'It asks for any amount',
  unlimitedWords:
    'This app did not say how much it wants to spend. Set the most it may spend in total, or type the name of the account to allow any amount.',
  limitLabel: (code: string) => `Most it may spend, in ${code}`,
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
