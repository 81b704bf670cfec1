import type { AccessRight, ClientIdentity } from '../operator-contract/access.ts';
import type { ApprovalRequest } from '../operator-contract/approvals.ts';
import { boundsSpending, spends } from '../spending-right.ts';
import { amountText } from './amount-text.ts';
import { dateTimeText, timeText, utcText } from './date-text.ts';
import { hostAndPath, hostOf, inertText, quotable, shortened } from './inert-text.ts';
import { interval } from './interval-text.ts';
import { listed, plain, strong, type Words } from './words.ts';

/** Names the client by its verified host or its key, never by the name that the client gives itself. */
const clientName = ({ host, id }: ClientIdentity): string =>
  host === null ? `App with key ${inertText(id.replace(/^jwk:/, ''))}` : hostAndPath(host);

/**
 * The amounts of a right. An amount that bounds nothing is told beside the truth: that any amount may leave. `windows`
 * are the next windows of its interval, when the sentence names them.
 */
function amounts({ limits }: AccessRight, windows: ApprovalRequest['nextWindows']): Words {
  if (limits === null || (limits.debitAmount === null && limits.receiveAmount === null)) return [' of ', strong('any amount')];
  const { debitAmount, receiveAmount } = limits;
  const isBounded = boundsSpending(limits);
  const dates = plain(listed(windows.map(({ start }) => [utcText(start)])));
  const next = dates === '' ? '' : ` (beginning ${dates})`;
  const how = limits.interval === null ? ' in total' : ` ${interval(limits.interval)}${next}`;
  const upTo: Words = debitAmount === null ? [] : ['up to ', strong(amountText(debitAmount))];
  if (isBounded) {
    const arriving: Words = receiveAmount === null ? [] : [' and until ', strong(amountText(receiveAmount)), ' have arrived'];
    return [' of ', ...upTo, ...arriving, how];
  }
  const whoSays = limits.receiver === null ? 'the receivers say' : 'the receiver says';
  const arriving: Words = receiveAmount === null ? [] : [`until ${whoSays} that `, strong(amountText(receiveAmount)), ' have arrived'];
  const asked = listed([upTo, arriving].filter((words) => words.length > 0));
  return [' of ', strong('any amount'), ' (', ...asked, how, ')'];
}

const KINDS: Readonly<Record<AccessRight['type'], string>> = {
  'incoming-payment': 'Payment requests',
  'outgoing-payment': 'Payments',
  quote: 'What a payment would cost',
};

/** More of a name would hide the address beside it. */
const LONGEST_NAME = 60;

/** Names whoever is paid by what their wallet calls itself, with the address that this wallet vouches for. */
function onlyTo({ limits }: AccessRight, payee: ApprovalRequest['payee']): Words {
  if (!limits?.receiver) return [', to ', strong('anyone')];
  if (payee?.receiver !== limits.receiver) return [', only to ', strong(hostAndPath(limits.receiver))];
  const { text } = shortened(quotable(payee.publicName ?? ''), LONGEST_NAME);
  const address = hostAndPath(payee.walletAddress);
  return text === '' ? [', only to ', strong(address)] : [', only to “', strong(text), '” (', strong(address), ')'];
}

const ownOrAll = (actions: AccessRight['actions'], own: string, all: string): Words[] => {
  if (actions.includes('read-all') || actions.includes('list-all')) return [[all]];
  return actions.includes('read') || actions.includes('list') ? [[own]] : [];
};

/** The right to spend as a phrase that follows "may" or "asks to". */
const spending = (
  access: AccessRight,
  account: Words,
  { nextWindows, payee }: Pick<ApprovalRequest, 'nextWindows' | 'payee'> = { nextWindows: [], payee: null },
): Words => ['make payments from ', ...account, ...amounts(access, nextWindows), ...onlyTo(access, payee)];

/** The phrases for everything else that a right allows. */
function others(access: AccessRight, account: Words): Words[] {
  const { type, actions } = access;
  if (type === 'quote') return [[actions.includes('create') ? 'ask what a payment would cost' : 'see the quotes it asked for']];
  if (type === 'incoming-payment') {
    return [
      ...(actions.includes('create') ? [['ask for money to be paid into ', ...account]] : []),
      ...(actions.includes('complete') ? [['close its payment requests']] : []),
      ...ownOrAll(actions, 'see its payment requests', 'see every incoming payment'),
    ];
  }
  return ownOrAll(actions, 'see the payments it made', 'see every outgoing payment');
}

/** Joins the spending rights and the others, spending first: "make payments …, and also to see …". */
function wishes(money: readonly Words[], rest: readonly Words[], also: string): Words {
  if (money.length === 0) return listed(rest);
  return rest.length === 0 ? listed(money) : [...listed(money), also, ...listed(rest)];
}

const accountOf = ({ identifier }: AccessRight): Words => (identifier === null ? ['every account'] : [strong(hostAndPath(identifier))]);

function requestAccount(access: AccessRight, { account }: ApprovalRequest): Words {
  if (account === null || access.identifier !== account.walletAddress) return accountOf(access);
  return ['your account ', strong(inertText(account.publicName)), ` (${hostAndPath(account.walletAddress)})`];
}

/** Leaves out repeated phrases. */
const distinct = (phrases: readonly Words[]): Words[] => [...new Map(phrases.map((phrase) => [plain(phrase), phrase])).values()];

const granted = (access: readonly AccessRight[]) => ({
  money: distinct(access.filter(spends).map((one) => spending(one, accountOf(one)))),
  rest: distinct(access.flatMap((one) => others(one, accountOf(one)))),
});

/** The rights of a request as phrases: those that spend, and all others. */
function wishesOf(request: ApprovalRequest) {
  const { access, subject } = request;
  const proof: Words[] = subject === null ? [] : [['prove that ', strong(hostAndPath(subject)), ' is yours']];
  return {
    money: distinct(access.filter(spends).map((one) => spending(one, requestAccount(one, request), request))),
    rest: distinct([...access.flatMap((one) => others(one, requestAccount(one, request))), ...proof]),
  };
}

export const consent = {
  interval,
  clientName,
  /** All rights as phrases that follow "may", each phrase once, spending rights first. */
  rights(access: readonly AccessRight[]): Words[] {
    const { money, rest } = granted(access);
    return [...money, ...rest];
  },
  /** All rights in one phrase. */
  rightsListed(access: readonly AccessRight[]): Words {
    const { money, rest } = granted(access);
    return wishes(money, rest, ', and ');
  },
  /** The kind of a right, for the table of exact limits. */
  kind: ({ type }: AccessRight): string => KINDS[type],
  /** A right in the protocol's own words, for the table of exact limits. */
  actions: (access: AccessRight): string => `${access.type}: ${access.actions.join(', ')}`,
  /**
   * Says what the app would get under the operator's own terms. The console shows it beside the consent sentence, which
   * says what the app asked for.
   */
  allowed(request: ApprovalRequest, expiresAt: Date | undefined): Words {
    const { client } = request;
    const { money, rest } = wishesOf(request);
    return [
      'By your terms ',
      strong(clientName(client)),
      ' may ',
      ...(money.length + rest.length === 0 ? ['do nothing'] : wishes(money, rest, ', and also ')),
      ...(expiresAt === undefined ? [', without an end'] : [', all of it until ', strong(dateTimeText(expiresAt))]),
      '.',
    ];
  },
  /** The consent sentence: who asks for what, how much, how often, to whom, until when, and where the browser goes. */
  sentence(request: ApprovalRequest): Words {
    const { client, returnsTo, lapsesAt } = request;
    const name = client.selfAssertedName === null ? '' : quotable(client.selfAssertedName);
    const { money, rest } = wishesOf(request);
    const returns: Words =
      returnsTo === null ? [', and nobody is sent back afterwards'] : [', and the browser then returns to ', strong(hostOf(returnsTo))];
    return [
      strong(clientName(client)),
      ...(name === '' ? [] : [' (calls itself “', strong(name), '”)']),
      ' asks to ',
      ...(money.length + rest.length === 0 ? ['do nothing'] : wishes(money, rest, ', and also to ')),
      '; the request lapses at ',
      strong(timeText(lapsesAt)),
      ...returns,
      '.',
    ];
  },
} as const;
