import type { AccessRight, ClientIdentity } from '../operator-contract/access.ts';
import type { ApprovalRequest } from '../operator-contract/approvals.ts';
import { boundsSpending, spends } from '../spending-right.ts';
import { amountText } from './amount-text.ts';
import { dateTimeText, timeText, utcText } from './date-text.ts';
import { hostAndPath, hostOf, inertText, quotable, shortened } from './inert-text.ts';
import { interval } from './interval-text.ts';
import { area } from './language/language.ts';
import { listed } from './language/listed.ts';
import { plain, type Words } from './words.ts';

const text = area('consent');

/** Names the client by its verified host or its key, never by the name that the client gives itself. */
const clientName = ({ host, id }: ClientIdentity): string =>
  host === null ? text.keyOnly({ key: inertText(id.replace(/^jwk:/, '')) }) : hostAndPath(host);

/**
 * The amounts of a right. An amount that bounds nothing is told beside the truth: that any amount may leave. `windows`
 * are the next windows of its interval, when the sentence names them.
 */
function amounts({ limits }: AccessRight, windows: ApprovalRequest['nextWindows']): Words {
  const says = text.amounts;
  if (limits === null || (limits.debitAmount === null && limits.receiveAmount === null)) return says.any;
  const how = timesText(limits.interval, windows);
  const debit = limits.debitAmount === null ? undefined : amountText(limits.debitAmount);
  const receive = limits.receiveAmount === null ? undefined : amountText(limits.receiveAmount);
  if (boundsSpending(limits) && debit !== undefined)
    return receive === undefined ? says.debit({ debit, how }) : says.both({ debit, receive, how });
  const isOne = limits.receiver !== null;
  if (receive === undefined) return says.anyDebit({ debit: debit ?? '', how });
  return debit === undefined ? says.anyReceive({ receive, how, isOne }) : says.anyBoth({ debit, receive, how, isOne });
}

/** How often an amount may be spent, with the beginnings of the next windows when the sentence names them. */
function timesText(repeats: string | null, windows: ApprovalRequest['nextWindows']): string {
  if (repeats === null) return text.total;
  const dates = plain(listed(windows.map(({ start }) => [utcText(start)])));
  return dates === '' ? interval(repeats) : text.beginning({ interval: interval(repeats), dates });
}

/** More of a name would hide the address beside it. */
const LONGEST_NAME = 60;

/** Names whoever is paid by what their wallet calls itself, with the address that this wallet vouches for. */
function onlyTo({ limits }: AccessRight, payee: ApprovalRequest['payee']): Words {
  const says = text.to;
  if (!limits?.receiver) return says.anyone;
  if (payee?.receiver !== limits.receiver) return says.one({ address: hostAndPath(limits.receiver) });
  const { text: name } = shortened(quotable(payee.publicName ?? ''), LONGEST_NAME);
  const address = hostAndPath(payee.walletAddress);
  return name === '' ? says.one({ address }) : says.named({ name, address });
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
): Words => text.spend({ account, amounts: amounts(access, nextWindows), to: onlyTo(access, payee) });

/** The phrases for everything else that a right allows. */
function others(access: AccessRight, account: Words): Words[] {
  const { type, actions } = access;
  if (type === 'quote') return [[actions.includes('create') ? text.askPrice : text.seeQuotes]];
  if (type === 'incoming-payment') {
    return [
      ...(actions.includes('create') ? [text.askMoney({ account })] : []),
      ...(actions.includes('complete') ? [[text.closeRequests]] : []),
      ...ownOrAll(actions, text.seeOwnRequests, text.seeIncoming),
    ];
  }
  return ownOrAll(actions, text.seeOwnPayments, text.seeOutgoing);
}

/** Joins the spending rights and the others, spending first: "make payments …, and also to see …". */
function wishes(money: readonly Words[], rest: readonly Words[], both: 'bothAsked' | 'bothAllowed' | 'bothListed'): Words {
  if (money.length === 0) return rest.length === 0 ? [text.nothing] : listed(rest);
  return rest.length === 0 ? listed(money) : text[both]({ money: listed(money), rest: listed(rest) });
}

const accountOf = ({ identifier }: AccessRight): Words =>
  identifier === null ? [text.accounts.every] : text.accounts.one({ address: hostAndPath(identifier) });

function requestAccount(access: AccessRight, { account }: ApprovalRequest): Words {
  if (account === null || access.identifier !== account.walletAddress) return accountOf(access);
  return text.accounts.own({ name: inertText(account.publicName), address: hostAndPath(account.walletAddress) });
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
  const proof: Words[] = subject === null ? [] : [text.prove({ address: hostAndPath(subject) })];
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
    return wishes(money, rest, 'bothListed');
  },
  /** The kind of a right, for the table of exact limits. */
  kind: ({ type }: AccessRight): string => text.kinds[type],
  /** A right in the protocol's own words, for the table of exact limits. */
  actions: (access: AccessRight): string => `${access.type}: ${access.actions.join(', ')}`,
  /**
   * Says what the app would get under the operator's own terms. The console shows it beside the consent sentence, which
   * says what the app asked for.
   */
  allowed(request: ApprovalRequest, expiresAt: Date | undefined): Words {
    const { money, rest } = wishesOf(request);
    return text.allowed({
      client: clientName(request.client),
      wishes: wishes(money, rest, 'bothAllowed'),
      isEnding: expiresAt !== undefined,
      when: expiresAt === undefined ? '' : dateTimeText(expiresAt),
    });
  },
  /** The consent sentence: who asks for what, how much, how often, to whom, until when, and where the browser goes. */
  sentence(request: ApprovalRequest): Words {
    const { client, returnsTo, lapsesAt } = request;
    const name = client.selfAssertedName === null ? '' : quotable(client.selfAssertedName);
    const { money, rest } = wishesOf(request);
    return text.sentence({
      client: clientName(client),
      isNamed: name !== '',
      name,
      wishes: wishes(money, rest, 'bothAsked'),
      time: timeText(lapsesAt),
      isReturning: returnsTo !== null,
      host: returnsTo === null ? '' : hostOf(returnsTo),
    });
  },
} as const;
