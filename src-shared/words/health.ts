import { assetKey } from '../amounts.ts';
import type { HealthCheck } from '../operator-contract/health-checks.ts';
import { certificateProblemText } from './certificate.ts';
import { dateTimeText } from './date-text.ts';
import { durationText } from './duration-text.ts';
import { outsideObstacles } from './elsewhere/outside-obstacles.ts';
import { sourceProblems } from './exchange/source-problems.ts';
import { area } from './language/language.ts';
import { linkProblems } from './link-problems.ts';
import { printerProblems } from './printer-problems.ts';
import { storageWords } from './storage.ts';

const text = area('healthChecks');

type Check<Name extends HealthCheck['name']> = Extract<HealthCheck, { name: Name }>;

/** The meaning of a health check's result, and what the operator can do. */
export function healthText(check: HealthCheck): string {
  switch (check.name) {
    case 'database':
      return databaseText(check);
    case 'ledger':
      return ledgerText(check);
    case 'payments':
      return paymentsText(check);
    case 'reachable':
      return check.state === 'good' ? text.reachable : text.notReachable;
    case 'certificate':
      return certificateText(check);
    case 'clock':
      return clockText(check);
    case 'outside':
      return outsideText(check);
    case 'peers':
      return peersText(check);
    case 'rates':
      return ratesText(check);
    case 'apps':
      return text.apps({ frozen: check.frozen });
    case 'backup':
      return backupText(check);
    case 'activity':
      return check.brokenAt === null ? text.activityWhole : text.activityBroken({ entry: String(check.brokenAt) });
    case 'audit':
      return text.auditFails({ since: dateTimeText(check.since) });
    case 'log':
      return check.waits ? text.logWaits({ lost: check.lost }) : text.logAgain({ lost: check.lost });
    case 'printer':
      return printerText(check);
    case 'open_files':
      return text.openFiles({ limit: check.limit, needed: check.needed });
    case 'overload':
      return text.overload({ since: dateTimeText(check.since), refused: check.refused });
  }
}

function databaseText({ problem }: Check<'database'>): string {
  switch (problem) {
    case null:
      return text.stored;
    case 'not_stored':
      return storageWords.notStored;
    case 'held':
      return storageWords.held;
    case 'writes_stopped':
      return storageWords.stopped;
    case 'damaged':
      return storageWords.damaged;
    case 'damaged_at_server':
      return storageWords.damagedAtServer;
    case 'went_back':
      return storageWords.wentBack;
  }
}

const MOST_DAMAGES = 5;

function ledgerText({ unbalanced, damages, isShared }: Check<'ledger'>): string {
  if (unbalanced.length === 0 && damages.length === 0) return text.booksGood;
  const since = damages.map((damage) => damage.goodAt).find((at) => at !== null);
  const found = damages.slice(0, MOST_DAMAGES).map(({ name, finding }) => text.damages[finding]({ account: name ?? text.someAccount }));
  const more = damages.length > MOST_DAMAGES ? [text.moreDamages({ count: damages.length - MOST_DAMAGES })] : [];
  return [
    ...(unbalanced.length > 0 ? [text.unbalanced({ currencies: unbalanced.map(assetKey).join(', ') })] : []),
    ...found,
    ...more,
    text.noNewMoney,
    ...(since === undefined ? [] : [text.wholeAt({ when: dateTimeText(since) })]),
    isShared ? text.sharedBooksAdvice : text.booksAdvice,
  ].join(' ');
}

function paymentsText({ stuck, unknown }: Check<'payments'>): string {
  if (stuck === 0 && unknown === 0) return text.noneStuck;
  return [...(unknown > 0 ? [text.unknown({ count: unknown })] : []), ...(stuck > 0 ? [text.stuck({ count: stuck })] : [])].join(' ');
}

function clockText({ state, seconds, others }: Check<'clock'>): string {
  if (state === 'good') return text.clockGood({ others });
  const far = Math.abs(seconds);
  const size = far >= 5_400 ? 3_600 : far >= 90 ? 60 : 1;
  const by = durationText(Math.round(far / size) * size);
  return seconds > 0 ? text.clockAhead({ others, by }) : text.clockBehind({ others, by });
}

function certificateText({ finding, days, host, newer }: Check<'certificate'>): string {
  const says = text.certificate;
  switch (finding) {
    case 'valid':
    case 'ends_soon':
      return says[finding]({ days });
    case 'ended':
    case 'not_begun':
      return says[finding];
    case 'other_name':
      return says.other_name({ host });
    case 'newer_not_used':
      return newer === null ? says.newer_not_used : `${says.newer_not_used} ${certificateProblemText(newer)}`;
  }
}

function outsideText({ missing, lastPaidAt }: Check<'outside'>): string {
  const found = missing === null ? text.nothingInTheWay : outsideObstacles[missing];
  return `${found} ${lastPaidText(missing, lastPaidAt)}`;
}

function lastPaidText(missing: Check<'outside'>['missing'], lastPaidAt: Date | null): string {
  if (lastPaidAt !== null) return text.lastPaid({ when: dateTimeText(lastPaidAt) });
  return missing === null ? text.neverPaidYet : text.neverPaid;
}

const peersText = ({ problems }: Check<'peers'>): string => (problems.length === 0 ? text.peersGood : problems.map(peerText).join(' '));

function peerText(problem: Check<'peers'>['problems'][number]): string {
  const { peer } = problem;
  return problem.code === 'no_answer'
    ? text.peerProblems.no_answer({ peer, problem: linkProblems[problem.problem] })
    : text.peerProblems[problem.code]({ peer });
}

const ratesText = ({ problems }: Check<'rates'>): string => (problems.length === 0 ? text.ratesGood : problems.map(rateText).join(' '));

function rateText(problem: Check<'rates'>['problems'][number]): string {
  const says = text.rateProblems;
  if (problem.code === 'source') return says.source({ name: problem.name, problem: sourceProblems[problem.problem] });
  const { base, quote } = problem;
  return says[problem.code]({ base, quote });
}

function backupText({ finding, days }: Check<'backup'>): string {
  const says = text.backup;
  // A backup without an age is none, so an age that is missing here is that of one made just now.
  return finding === 'old' || finding === 'recent' ? says[finding]({ days: days ?? 0 }) : says[finding];
}

const printerText = ({ printer, problem, since, waiting }: Check<'printer'>): string =>
  text.printer({ printer, problem: printerProblems[problem], since: dateTimeText(since), waiting });
