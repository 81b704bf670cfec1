import type { AppTrust, Grant, Tier, Token } from '../../operator-contract/apps.ts';
import { locale } from '../locale.ts';
import { counted } from '../words.ts';

const grantStates: Record<Grant['state'], string> = {
  pending: 'Waiting for you',
  approved: 'Approved, not fetched yet',
  issued: 'Active',
  denied: 'Denied',
  lapsed: 'Lapsed',
  revoked: 'Revoked',
  expired: 'Ended',
  frozen: 'Frozen',
};

const tokenStates: Record<Token['state'], string> = {
  active: 'Active',
  expired: 'Expired',
  rotated: 'Replaced',
  revoked: 'Revoked',
};

const tierNames: Record<Tier, string> = { stranger: 'Stranger', known: 'Known', trusted: 'Trusted' };
const MB = 1024 * 1024;
const countText = (count: number): string => count.toLocaleString(locale);

/** What each limit of a tier allows, beginning with those that an app meets first. */
function limitTexts(limits: AppTrust['limits'][Tier]): string[] {
  const texts: [number | null, (most: number) => string][] = [
    [limits.requestsPerSecond, (most) => `${countText(most)} requests a second`],
    [limits.failuresPerSecond, (most) => `${countText(most)} failed requests a second`],
    [limits.outboundPerSecond, (most) => `${countText(most)} questions to other wallets a second`],
    [limits.bytesPerHour, (most) => `${countText(most / MB)} MB stored an hour`],
    [limits.rows, (most) => `${countText(most)} unpaid requests and unused prices at a time`],
    [limits.processorPerSecond, (most) => `${countText(most / 10)} % of the processor`],
  ];
  const limited = texts.flatMap(([most, text]) => (most === null ? [] : [text(most)]));
  return limited.length === 0 ? ['No limit'] : limited;
}

export const apps = {
  title: 'Connected apps',
  lead: 'What each app may do, what it has used, and the way to end it.',
  free: (count: number) =>
    `${counted(count, 'other wallet or app has', 'other wallets and apps have')} free access, as everybody may: to ask for money to be paid in, to see and close what they asked for, and to read a payment whose link they have. They cannot spend, and cannot list your payments.`,
  showFree: 'Show these',
  showAllowed: 'Show what you allowed',
  search: 'Search',
  searchHint: 'Address or name of an app',
  clearSearch: 'Clear search',
  orderLabel: 'Order',
  orders: { used: 'Last used first', name: 'By name', newest: 'Newest first', oldest: 'Oldest first' },
  unused: 'Not used for 90 days',
  noneFound: 'No app matches',
  noneFoundAdvice: 'Change the search to see others.',
  choose: (client: string) => `Choose this permission of ${client}`,
  revokeChosen: (count: number) => `Revoke ${counted(count, 'permission', 'permissions')}`,
  revokeChosenTitle: (count: number) => `Revoke ${counted(count, 'permission', 'permissions')}?`,
  revokeChosenWords:
    'Their tokens stop working at once, and their apps have to ask again. Payments they started are finished. This cannot be undone.',
  none: 'No app is connected',
  noneAdvice:
    'Give your wallet address to an app that speaks Open Payments. What it asks for appears under Approvals, and here afterwards.',
  grantStates,
  tokenStates,
  /** What is said of a permission while it is asked for, while it counts, after its end, and when it never counted. */
  stages: {
    asked: {
      verb: 'Asks to',
      rights: 'What it asks to do',
      noBudgets: 'Nothing is allowed yet. You decide about the limits when you approve.',
      noEnd: 'You decide when you approve',
    },
    allowed: { verb: 'May', rights: 'What it may do', noBudgets: 'You allowed any amount.', noEnd: 'Not by itself' },
    ended: { verb: 'Was allowed to', rights: 'What it was allowed to do', noBudgets: 'You had allowed any amount.', noEnd: null },
    refused: { verb: 'Asked to', rights: 'What it asked to do', noBudgets: 'Nothing was allowed.', noEnd: null },
  },
  asked: 'What it had asked for',
  askedLead: 'You allowed less than this.',
  limits: 'Limits and use',
  noLimits: 'This permission has no limits, because it lets the app spend no money.',
  spent: (spent: string, limit: string) => `${spent} of ${limit} used`,
  budgetKinds: { debit: 'Leaves the account', receive: 'Arrives' },
  meter: (kind: string) => `Use of the limit: ${kind}`,
  resets: (when: string) => `Full again ${when}`,
  window: (start: string, end: string) => `Now counting ${start} to ${end}`,
  never: 'In total; it does not fill up again',
  tokens: 'Access tokens',
  tokensLead: 'The app sends a token with each request. Only the app knows its value.',
  noTokens: 'None has been handed out.',
  token: (id: string) => `Token ${id}`,
  expires: (when: string) => `expires ${when}`,
  expired: (when: string) => `expired ${when}`,
  created: (when: string) => `handed out ${when}`,
  notFetched: 'Waiting for its app',
  awaitsRotation: 'You ended its value. The app has not fetched the next one yet.',
  rotate: 'Replace',
  rotateOf: (id: string) => `Replace token ${id}`,
  rotateTitle: 'Replace this token?',
  rotateWords: 'The current value stops working at once; the app fetches its next one with its own key. You never see it.',
  rotateConfirm: 'Replace token',
  rotated: 'The token’s value has ended. The app fetches the next one by itself.',
  revokeToken: 'Revoke',
  revokeTokenOf: (id: string) => `Revoke token ${id}`,
  revokeTokenTitle: 'Revoke this token?',
  revokeTokenWords: 'It stops working at once, and the app cannot replace it. Payments it started are finished. The app has to ask again.',
  revokeTokenConfirm: 'Revoke token',
  tokenRevoked: 'The token is revoked.',
  frozen: 'Frozen since the books were restored',
  frozenWords:
    'The restored books may not know what was spent or revoked since they were copied. Nothing can be done with this permission until you allow it again; what it had used by then still counts.',
  frozenSince: 'Frozen since the books were restored',
  frozenLead: 'Choose what still counts. The rest stays frozen until you allow or revoke it.',
  chooseAll: 'Choose all',
  lookAtFrozen: 'See what it may do',
  allowChosen: (count: number) => (count === 0 ? 'Allow again' : `Allow ${count} again`),
  allowChosenTitle: 'Allow these permissions again?',
  allowChosenWords: (count: number) =>
    `${count === 1 ? 'One permission counts' : `${count} permissions count`} again, within the limits you set before. What was spent after the backup was made is not in these books, so it does not count against the limits.`,
  chosenAllowed: (count: number) => (count === 1 ? 'One permission counts again.' : `${count} permissions count again.`),
  allowAgain: 'Allow again',
  allowAgainTitle: 'Allow this permission again?',
  allowAgainWords: (client: string) =>
    `${client} may do again what is listed here. Its tokens have ended; it fetches the next one with its own key.`,
  allowedAgain: 'The permission counts again.',
  revokeGrant: 'Revoke permission',
  revokeGrantTitle: 'Revoke this permission?',
  revokeGrantWords: (client: string) =>
    `Every token of this permission stops working at once, and ${client} has to ask again. Payments it started are finished; what it did stays listed. This cannot be undone.`,
  revokeGrantConfirm: 'Revoke permission',
  grantRevoked: 'The permission is revoked.',
  revokeAll: 'Revoke all',
  revokeAllOf: (client: string) => `Revoke all permissions of ${client}`,
  revokeAllTitle: 'Revoke everything this app may do?',
  revokeAllWords: (client: string) =>
    `Every permission of ${client} ends at once, and so does every request of it that waits. Payments it started are finished; what it did stays listed. This cannot be undone.`,
  allRevoked: (count: number) => `${counted(count, 'permission is', 'permissions are')} revoked.`,
  used: (when: string) => `last used ${when}`,
  neverUsed: 'never used',
  payments: (count: number) => (count === 0 ? 'No payments made' : `${counted(count, 'payment', 'payments')} made`),
  facts: 'Details',
  fact: {
    app: 'App',
    state: 'State',
    asked: 'Asked',
    decided: 'Decided',
    approvedBy: 'Given by',
    payments: 'Payments made',
    lastUsed: 'Last used',
    ends: 'Ends',
    ended: 'Ended',
  },
  notUsed: 'Never',
  levels: { half: 'Half of it or more is used', low: 'Nearly used up', empty: 'Used up' },
  trust: {
    title: 'How far you trust it',
    lead: 'What the app may use of this node, with all its permissions. Money has limits of its own.',
    usual: (tier: Tier) => `As usual (now: ${tierNames[tier]})`,
    usualWords: 'Known while it has a permission that you gave, otherwise a stranger.',
    tiers: tierNames,
    limits: limitTexts,
    chosen: 'What the app may use has changed.',
    own: 'An account of this node is always trusted.',
    keyOnly: 'An app that is known only by its key is always a stranger.',
    told: (tier = ''): string => (tier in tierNames ? tierNames[tier as Tier] : 'As usual'),
  },
  decide: 'Decide',
  byYou: 'You approved it',
  byRule: 'Given without asking, because it moves no money',
  grants: (count: number) => counted(count, 'permission', 'permissions'),
  since: (when: string) => `since ${when}`,
} as const;
