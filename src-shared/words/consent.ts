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
 * The amounts of a right, in the words of a phrase or of a line. An amount that bounds nothing stands beside the truth:
 * that any amount may leave. `how` says in a phrase how often. Among the lines, another line says it.
 */
function amounts({ limits }: AccessRight, says: typeof text.amounts | typeof text.much, how: string): Words {
  if (limits === null || !namesAmount(limits)) return says.any;
  const debit = limits.debitAmount === null ? undefined : amountText(limits.debitAmount);
  const receive = limits.receiveAmount === null ? undefined : amountText(limits.receiveAmount);
  if (boundsSpending(limits) && debit !== undefined)
    return receive === undefined ? says.debit({ debit, how }) : says.both({ debit, receive, how });
  const isOne = limits.receiver !== null;
  if (receive === undefined) return says.anyDebit({ debit: debit ?? '', how });
  return debit === undefined ? says.anyReceive({ receive, how, isOne }) : says.anyBoth({ debit, receive, how, isOne });
}

const namesAmount = ({ debitAmount, receiveAmount }: NonNullable<AccessRight['limits']>): boolean =>
  debitAmount !== null || receiveAmount !== null;

/** How often an amount may be spent, with the next beginnings. `once` says that it does not begin anew. */
function timesText(repeats: string | null, windows: ApprovalRequest['nextWindows'], once: string): string {
  if (repeats === null) return once;
  const dates = plain(listed(windows.map(({ start }) => [utcText(start)])));
  return dates === '' ? interval(repeats) : text.beginning({ interval: interval(repeats), dates });
}

/** More of a name would hide the address beside it. */
const LONGEST_NAME = 60;

/** Names the payee by the words of their wallet, with the address for which this wallet vouches. */
function onlyTo({ limits }: AccessRight, payee: ApprovalRequest['payee'], says: typeof text.to | typeof text.whom): Words {
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

/** The right to spend as a phrase that follows "may". */
const spending = (access: AccessRight): Words => {
  const how = timesText(access.limits?.interval ?? null, [], text.total);
  return text.spend({ account: accountOf(access), amounts: amounts(access, text.amounts, how), to: onlyTo(access, null, text.to) });
};

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

const accountOf = ({ identifier }: AccessRight): Words =>
  identifier === null ? [text.accounts.every] : text.accounts.one({ address: hostAndPath(identifier) });

function requestAccount(access: AccessRight, { account }: ApprovalRequest): Words {
  if (account === null || access.identifier !== account.walletAddress) return accountOf(access);
  return text.accounts.own({ name: inertText(account.publicName), address: hostAndPath(account.walletAddress) });
}

/** Leaves out repeated phrases. */
const distinct = (phrases: readonly Words[]): Words[] => [...new Map(phrases.map((phrase) => [plain(phrase), phrase])).values()];

const granted = (access: readonly AccessRight[]) => ({
  money: distinct(access.filter(spends).map(spending)),
  rest: distinct(access.flatMap((one) => others(one, accountOf(one)))),
});

/** One line of what is asked or allowed: its subject, and the words about it. There may be several. */
export interface ConsentLine {
  readonly label: string;
  readonly values: readonly Words[];
}

/** The lines of one right to spend: from which account, how much, how often and to whom. */
function spendingLines(access: AccessRight, request: ApprovalRequest): ConsentLine[] {
  const { limits } = access;
  const { line, often } = text;
  const account = request.account?.walletAddress === access.identifier ? request.account : null;
  const address = access.identifier === null ? undefined : hostAndPath(access.identifier);
  const from =
    address === undefined
      ? text.from.every
      : account === null
        ? text.accounts.one({ address })
        : text.from.own({ name: inertText(account.publicName), address });
  const how = limits !== null && namesAmount(limits) ? timesText(limits.interval, request.nextWindows, often.total) : undefined;
  return [
    { label: line.from, values: [from] },
    { label: line.much, values: [amounts(access, text.much, '')] },
    ...(how === undefined ? [] : [{ label: line.often, values: [[how]] }]),
    { label: line.whom, values: [onlyTo(access, request.payee, text.whom)] },
  ];
}

/** The rights of a request as lines: those that spend first, and all others in one line after them. */
function rightsLines(request: ApprovalRequest, label: { first: string; further: string }): ConsentLine[] {
  const { access, subject } = request;
  const proof: Words[] = subject === null ? [] : [text.prove({ address: hostAndPath(subject) })];
  const rest = distinct([...access.flatMap((one) => others(one, requestAccount(one, request))), ...proof]);
  const money = access.filter(spends).map((one) => spendingLines(one, request));
  const different = [...new Map(money.map((lines) => [JSON.stringify(lines), lines])).values()];
  const named = [
    ...different.map((lines) => ({ values: [[text.pay]], lines })),
    ...(rest.length === 0 ? [] : [{ values: rest, lines: [] }]),
  ];
  const said = named.length === 0 ? [{ values: [[text.nothing]], lines: [] }] : named;
  return said.flatMap(({ values, lines }, index) => [{ label: index === 0 ? label.first : label.further, values }, ...lines]);
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
    if (money.length === 0) return rest.length === 0 ? [text.nothing] : listed(rest);
    return rest.length === 0 ? listed(money) : text.bothListed({ money: listed(money), rest: listed(rest) });
  },
  /** The kind of a right, for the table of exact limits. */
  kind: ({ type }: AccessRight): string => text.kinds[type],
  /** A right in the protocol's own words, for the table of exact limits. */
  actions: (access: AccessRight): string => `${access.type}: ${access.actions.join(', ')}`,
  /** The lines of a request: who asks for what, how much, how often, to whom, until when, and what comes after. */
  asked(request: ApprovalRequest): ConsentLine[] {
    const { client, access, returnsTo, lapsesAt } = request;
    const { line } = text;
    const name = client.selfAssertedName === null ? '' : quotable(client.selfAssertedName);
    const isReturning = returnsTo !== null;
    return [
      { label: line.who, values: [text.who({ client: clientName(client), isNamed: name !== '', name })] },
      ...rightsLines(request, { first: line.wants, further: line.wantsAlso }),
      ...(access.length === 0 ? [] : [{ label: line.until, values: [[text.noEnd]] }]),
      {
        label: line.answer,
        values: [text.answer({ time: timeText(lapsesAt), isReturning, host: isReturning ? hostOf(returnsTo) : '' })],
      },
    ];
  },
  /** The heading of the lines of the operator's own terms. */
  get byYourTerms(): string {
    return text.byYourTerms;
  },
  /** The lines of what the app would get under the operator's own terms, as `access` and `expiresAt` say. */
  allowed(request: ApprovalRequest, expiresAt: Date | undefined): ConsentLine[] {
    const until: Words = expiresAt === undefined ? [text.noEnd] : [{ strong: dateTimeText(expiresAt) }];
    return [...rightsLines(request, { first: text.line.may, further: text.line.mayAlso }), { label: text.line.until, values: [until] }];
  },
} as const;
