import type { ApprovalRequest } from '../../../src-shared/operator-contract/approvals.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { type ConsentLine, consent } from '../../../src-shared/words/consent.ts';
import { dateTimeText, distanceText, utcText } from '../../../src-shared/words/date-text.ts';
import { requestWords } from '../../../src-shared/words/grant-request-words.ts';
import { hostAndPath, hostOf, shortened } from '../../../src-shared/words/inert-text.ts';
import { listed } from '../../../src-shared/words/language/listed.ts';
import { approvalWords } from '../../../src-shared/words/terminal/approvals.ts';
import { plain, type Words } from '../../../src-shared/words/words.ts';
import { folded, table } from '../folded-text.ts';

/** A line shows at most so many characters of one fact. The exact terms below it show the fact in full. */
const FACT_LENGTH = 80;

const short = (words: Words): Words =>
  words.map((piece) => (typeof piece === 'string' ? piece : { strong: shortened(piece.strong, FACT_LENGTH).text }));

/** A request as the operator reads it in a terminal: the console's lines, its warnings, and the exact terms. */
export function requestLines(request: ApprovalRequest, now: Date): string[] {
  return [
    approvalWords.request({ id: request.id }),
    '',
    ...consentTable(consent.asked(request)),
    ...warnings(request).flatMap((words) => ['', ...folded(words, 2)]),
    '',
    ...request.access.flatMap((right) => [...folded(consent.actions(right), 4), ...table(requestWords.terms(right), 6)]),
    ...(request.subject === null
      ? []
      : [`    ${requestWords.proofOf}`, ...table([[requestWords.account, hostAndPath(request.subject)]], 6)]),
    '',
    ...table(facts(request, now), 4),
    '',
  ];
}

function warnings(request: ApprovalRequest): string[] {
  const { returnsTo, client, unlimited, account, suggestedLimit } = request;
  return [
    ...(unlimited ? [account === null ? requestWords.noAccount : unboundedText(request)] : []),
    ...(suggestedLimit === null ? [] : [requestWords.suggested({ amount: amountText(suggestedLimit) })]),
    ...(returnsTo === null ? [requestWords.noReturnWarning] : []),
    ...(client.host === null ? [requestWords.keyOnlyWarning] : []),
  ];
}

const unboundedText = (request: ApprovalRequest): string =>
  `${requestWords.unlimitedTitle(request)}. ${requestWords.unlimitedWords(request)}`;

function facts(request: ApprovalRequest, now: Date): [string, string][] {
  const { client, account, nextWindows, returnsTo, createdAt, lapsesAt, opened, wrongCodes } = request;
  const { facts: names } = requestWords;
  const windows = nextWindows.map(({ start, end }) => requestWords.windowText({ start: utcText(start), end: utcText(end) })).join('; ');
  return [
    [approvalWords.app, client.host === null ? client.id : hostAndPath(client.host)],
    ...(client.selfAssertedName === null ? [] : [[approvalWords.callsItself, client.selfAssertedName] satisfies [string, string]]),
    ...(account === null ? [] : [[names.from, `${account.publicName} (${account.name})`] satisfies [string, string]]),
    ...(windows === '' ? [] : [[requestWords.windows, `${windows}. ${requestWords.windowsNote}`] satisfies [string, string]]),
    [names.returns, returnsTo === null ? requestWords.noReturn : hostOf(returnsTo)],
    [names.asked, dateTimeText(createdAt)],
    [names.lapses, `${dateTimeText(lapsesAt)} (${distanceText(lapsesAt, now)})`],
    [approvalWords.code, opened ? `${requestWords.codeHint}${approvalWords.wrongCodes({ count: wrongCodes })}` : requestWords.notOpened],
    // Written together: a value may begin with a hyphen.
    [approvalWords.inScript, `--confirm=${request.shownHash}`],
  ];
}

/** What the app would get on the operator's own terms. */
export const allowedLines = (request: ApprovalRequest, expiresAt: Date | undefined): string[] => [
  `  ${consent.byYourTerms}`,
  ...consentTable(consent.allowed(request, expiresAt)),
];

/** The console's lines. Several values of one line follow each other. */
const consentTable = (lines: readonly ConsentLine[]): string[] =>
  table(
    lines.map(({ label, values }) => [label, plain(listed(values.map(short)))]),
    2,
  );
