import { assetKey } from '../amounts.ts';
import type { HealthCheck } from '../operator-contract/health-checks.ts';
import { certificateProblemText } from './certificate.ts';
import { dateTimeText } from './date-text.ts';
import { durationText } from './duration-text.ts';
import { outsideObstacles } from './elsewhere/outside-obstacles.ts';
import { sourceProblems } from './exchange/source-problems.ts';
import { linkProblems } from './link-problems.ts';
import { locale } from './locale.ts';
import { storageWords } from './storage.ts';
import { counted } from './words.ts';

type Check<Name extends HealthCheck['name']> = Extract<HealthCheck, { name: Name }>;

/** What the result of a health check means, and what the operator can do. */
export function healthText(check: HealthCheck): string {
  switch (check.name) {
    case 'database':
      return databaseText(check);
    case 'ledger':
      return ledgerText(check);
    case 'payments':
      return paymentsText(check);
    case 'reachable':
      return check.state === 'good'
        ? 'The node has a public address.'
        : 'Only this computer can reach the node. Give it a public address so that apps elsewhere can.';
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
      return `${check.frozen === 1 ? 'One permission is' : `${check.frozen} permissions are`} frozen since the books were restored. Look at them under Connected apps, and allow again what still counts.`;
    case 'backup':
      return backupText(check);
    case 'activity':
      return check.brokenAt === null
        ? 'The log of your actions is whole.'
        : `The log of your actions was changed at entry ${check.brokenAt}. Somebody may have worked on the database: compare it with a backup, and with exports of the log you kept.`;
    case 'log':
      return logText(check);
    case 'open_files':
      return `The system lets the node have ${check.limit.toLocaleString(locale)} files and connections open, and it may need ${check.needed.toLocaleString(locale)}. Until you raise that limit (ulimit -n, or LimitNOFILE of the service) and restart paydesk, it takes fewer connections at a time.`;
    case 'overload':
      return `The node is refusing requests because it is overloaded, since ${dateTimeText(check.since)}: ${counted(check.refused, 'request', 'requests')} so far. Payments under way go on, and apps may try again. See whether other programs keep this computer or its disk busy. If it happens often, give the node more processor time or a faster disk.`;
  }
}

function databaseText({ problem }: Check<'database'>): string {
  switch (problem) {
    case null:
      return 'Every change is stored safely.';
    case 'not_stored':
      return storageWords.notStored;
    case 'held':
      return storageWords.held;
    case 'writes_stopped':
      return storageWords.stopped;
    case 'damaged':
      return storageWords.damaged;
  }
}

/** What the audit found, for one account: the end of a sentence that begins with its name. */
const damageText: Record<Check<'ledger'>['damages'][number]['finding'], string> = {
  unreadable: 'a part of the database cannot be read',
  balance: 'the balance is not the sum of what was moved',
  held: 'what is set aside is not the sum of what is under way',
  owner: 'an account has another currency or kind than its owner',
  transfer_changed: 'somebody has changed what was moved earlier',
  transfer_missing: 'a part of what was moved earlier is gone',
  payment: 'a payment contradicts what was moved for it',
  in_flight: 'what is under way is not the sum of its packets',
};

const MOST_DAMAGES = 5;

function ledgerText({ unbalanced, damages }: Check<'ledger'>): string {
  if (unbalanced.length === 0 && damages.length === 0) {
    return 'The books balance in every currency.';
  }
  const since = damages.map((damage) => damage.goodAt).find((at) => at !== null);
  const found = damages.slice(0, MOST_DAMAGES).map(({ name, finding }) => `${name ?? 'Perhaps every account'}: ${damageText[finding]}.`);
  const more = damages.length > MOST_DAMAGES ? [`There are ${damages.length - MOST_DAMAGES} more findings.`] : [];
  return [
    ...(unbalanced.length > 0 ? [`The books do not balance in ${unbalanced.map(assetKey).join(', ')}.`] : []),
    ...found,
    ...more,
    'No new money moves there.',
    ...(since === undefined ? [] : [`The books were whole at ${dateTimeText(since)}.`]),
    'Stop paydesk and keep a copy of the data folder. Then restore the last backup from before the damage under Settings. If somebody has mended the books, the next check finds that by itself.',
  ].join(' ');
}

function paymentsText({ stuck, unknown }: Check<'payments'>): string {
  if (stuck === 0 && unknown === 0) return 'No payment is stuck.';
  const open = `${unknown === 1 ? 'One payment needs' : `${unknown} payments need`} you: nobody has told your node whether the money arrived. Look at the payments with the status “Needs you”.`;
  const late = `${stuck === 1 ? 'One payment has' : `${stuck} payments have`} been under way for more than 10 minutes. Look at the payments that are being retried.`;
  return [...(unknown > 0 ? [open] : []), ...(stuck > 0 ? [late] : [])].join(' ');
}

function clockText({ state, seconds, others }: Check<'clock'>): string {
  const whose = `${others} others`;
  if (state === 'good') return `The clock of this computer agrees with the clocks of ${whose}.`;
  const far = Math.abs(seconds);
  const size = far >= 5_400 ? 3_600 : far >= 90 ? 60 : 1;
  const by = durationText(Math.round(far / size) * size);
  return `By the clocks of ${whose}, the clock of this computer is ${by} ${seconds > 0 ? 'ahead' : 'behind'}. Until it is right, apps and peers may be refused. Turn on automatic time in the settings of the system.`;
}

const replace = 'Put the new files in the place of the old ones; the node takes them by itself.';

function certificateText({ finding, days, host, newer }: Check<'certificate'>): string {
  switch (finding) {
    case 'valid':
      return `The certificate is good for another ${days} days.`;
    case 'ends_soon':
      return `The certificate ends in ${days === 1 ? 'one day' : `${days} days`}. Renew it. ${replace}`;
    case 'ended':
      return `The certificate has ended, and nobody can connect. Renew it. ${replace}`;
    case 'not_begun':
      return 'The certificate does not count yet, and nobody can connect. Is the clock of this computer right?';
    case 'other_name':
      return `The certificate is not for ${host}, so nobody can connect there. Get one that is. ${replace}`;
    case 'newer_not_used':
      return `The new certificate is not in use.${newer === null ? '' : ` ${certificateProblemText(newer)}`}`;
  }
}

function outsideText({ missing, lastPaidAt }: Check<'outside'>): string {
  const found = missing === null ? 'Nothing that your node can see is in the way.' : outsideObstacles[missing];
  return `${found} ${lastPaidText(missing, lastPaidAt)}`;
}

function lastPaidText(missing: Check<'outside'>['missing'], lastPaidAt: Date | null): string {
  if (lastPaidAt !== null) return `Somebody from outside last paid on ${dateTimeText(lastPaidAt)}.`;
  return missing === null
    ? 'Nobody from outside has paid yet. Make a payment link for a small amount, and pay it from a wallet elsewhere.'
    : 'Nobody from outside has paid yet.';
}

function peersText({ problems }: Check<'peers'>): string {
  return problems.length === 0 ? 'Every peer can be worked with.' : problems.map(peerText).join(' ');
}

function peerText(problem: Check<'peers'>['problems'][number]): string {
  const { peer } = problem;
  switch (problem.code) {
    case 'paused':
      return `${peer} is paused.`;
    case 'no_answer':
      return `${peer}: ${linkProblems[problem.problem]}`;
    case 'owes_too_much':
      return `${peer} owes as much as it may, so nothing more is taken from it. Settle with it, or raise its credit limit.`;
    case 'owed_too_much':
      return `This node owes ${peer} as much as it may, so nothing more is sent to it. Settle with it, or raise the limit.`;
  }
}

function ratesText({ problems }: Check<'rates'>): string {
  if (problems.length === 0) return 'Every rate that follows a source is recent enough.';
  return problems.map(rateText).join(' ');
}

function rateText(problem: Check<'rates'>['problems'][number]): string {
  if (problem.code === 'source') return `The source of rates ${problem.name} brings nothing: ${sourceProblems[problem.problem]}`;
  const pair = `${problem.base} → ${problem.quote}`;
  switch (problem.code) {
    case 'stopped':
      return `Nothing is exchanged from ${pair}, because no source has told a rate that is recent enough. Everything else goes on. See under Rates why.`;
    case 'by_hand':
      return `${pair} goes by the rate you set by hand, because no source has told one that is recent enough.`;
    case 'jump':
      return `The rate ${pair} has jumped further than you let your node believe. Confirm it under Rates if it is right.`;
  }
}

function backupText({ finding, days }: Check<'backup'>): string {
  switch (finding) {
    case 'failed':
      return 'The last scheduled backup could not be made. See under Settings why.';
    case 'none':
      return 'There is no backup yet. If this computer is lost, so are your books. Make one under Settings.';
    case 'old':
      return `The last backup is ${days} days old. Make one under Settings, or set a schedule there.`;
    case 'same_disk':
      return 'The last backup lies on the same disk as your node and is lost with it. Make one on another disk under Settings, or have it copied elsewhere.';
    case 'recent':
      return `The last backup is ${days === 0 ? 'less than a day' : days === 1 ? 'one day' : `${days} days`} old.`;
  }
}

function logText({ lost, waits }: Check<'log'>): string {
  const gone = lost === 0 ? 'No line is lost so far.' : `${counted(lost, 'line is', 'lines are')} lost since the start.`;
  return waits
    ? `The log cannot be written. ${gone} Make room on the disk that holds the log, and see whether the program that reads it still does. The node goes on meanwhile.`
    : `The log is written again. ${gone} Was the disk that holds it full, or did nobody read it?`;
}
