import type { ActivityKind } from '../../activity-kinds.ts';
import type { ActivityEntry } from '../../operator-contract/activity.ts';
import { amountText } from '../amount-text.ts';
import { zoneText } from '../time-zone.ts';
import { counted, strong, type Words } from '../words.ts';
import { apps } from './apps.ts';

const kinds: Record<ActivityKind, string> = {
  access: 'Permissions of apps',
  money: 'Money in and out',
  payments: 'Payments and requests',
  accounts: 'Accounts and keys',
  peers: 'Peers',
  rates: 'Rates',
  backups: 'Backups',
  exports: 'Exports',
  sign_ins: 'Signing in and locking',
  settings: 'Settings',
};

type Told = Pick<ActivityEntry, 'facts' | 'account' | 'subject'>;

/**
 * An amount among the facts. It is in the currency that the facts name, or else in the account's. An amount that cannot
 * be read is shown unchanged.
 */
function amount({ facts, account }: Told, name = 'amount'): string {
  const text = facts[name] ?? '';
  const assetCode = facts.assetCode ?? account?.assetCode;
  const assetScale = Number(facts.assetScale ?? account?.assetScale);
  if (!/^-?\d+$/.test(text) || assetCode === undefined || !Number.isInteger(assetScale)) return text;
  return amountText({ value: BigInt(text), assetCode, assetScale });
}

const account = ({ account }: Told): string => account?.name ?? 'an account';
const client = ({ facts }: Told): string => facts.client ?? 'an app';
const name = ({ facts }: Told): string => facts.name ?? 'a peer';

/** What the operator did, as a sentence for each operation. */
const did: Readonly<Record<string, (told: Told) => Words>> = {
  'accounts.create': (told) => ['Opened the account ', strong(told.account?.name ?? told.facts.name ?? '')],
  'accounts.deposit': (told) => ['Recorded a deposit of ', strong(amount(told)), ' into ', strong(account(told))],
  'accounts.withdraw': (told) => ['Recorded a withdrawal of ', strong(amount(told)), ' from ', strong(account(told))],
  'accounts.keys.add': (told) => ['Added the key ', strong(told.facts.label ?? ''), ' to ', strong(account(told))],
  'accounts.keys.revoke': (told) => ['Revoked the key ', strong(told.facts.label ?? ''), ' of ', strong(account(told))],
  'payments.export': () => ['Exported payments as a table'],
  'payments.resolve': (told) => [
    'Said what became of a payment of ',
    strong(amount(told)),
    told.facts.outcome === 'arrived' ? ': it arrived' : ': it did not arrive',
  ],
  'payments.complete': (told) => ['Closed a payment to ', strong(account(told)), ' that had received ', strong(amount(told, 'received'))],
  'payments.pay': (told) => ['Paid ', strong(amount(told)), ' from ', strong(account(told))],
  'requests.create': (told) => ['Made a payment link for ', strong(account(told))],
  'approvals.approve': (told) => ['Allowed ', strong(client(told)), ' what it asked for'],
  'approvals.deny': (told) => ['Denied ', strong(client(told)), ' what it asked for'],
  'apps.rotateToken': (told) => ['Made ', strong(client(told)), ' fetch a new token'],
  'apps.chooseTrust': (told) => ['Chose how far to trust ', strong(client(told)), ': ', apps.trust.told(told.facts.tier)],
  'apps.revokeToken': (told) => ['Revoked a token of ', strong(client(told))],
  'apps.revokeGrant': (told) => ['Revoked a permission of ', strong(client(told))],
  // The activity log has one entry for each grant that was revoked.
  'apps.revokeAll': (told) => ['Revoked a permission of ', strong(client(told))],
  'apps.allowAgain': (told) => ['Allowed ', strong(client(told)), ' again after a backup was put back'],
  // The activity log has one entry for each grant that was allowed again.
  'apps.allowSeveralAgain': (told) => ['Allowed ', strong(client(told)), ' again after a backup was put back'],
  'peers.add': (told) => ['Added the peer ', strong(name(told))],
  'peers.edit': (told) => ['Changed the peer ', strong(name(told))],
  'peers.renewToken': (told) => ['Gave the peer ', strong(name(told)), ' a new token'],
  'peers.pause': (told) => ['Paused the peer ', strong(name(told))],
  'peers.resume': (told) => ['Resumed the peer ', strong(name(told))],
  'peers.remove': (told) => ['Removed the peer ', strong(name(told))],
  'peers.settle': (told) => [
    told.facts.direction === 'paid' ? 'Recorded a payment of ' : 'Recorded that ',
    ...(told.facts.direction === 'paid'
      ? [strong(amount(told)), ' to the peer ', strong(name(told))]
      : ['the peer ', strong(name(told)), ' paid ', strong(amount(told))]),
  ],
  'invitations.create': (told) => ['Invited a peer, which may owe up to ', strong(amount(told, 'creditLimit'))],
  'invitations.changeLimit': (told) => ['Changed an invitation: the peer may owe up to ', strong(amount(told, 'creditLimit'))],
  'invitations.cancel': () => ['Took an invitation back'],
  'invitations.accept': (told) => [
    'Accepted the invitation of ',
    strong(name(told)),
    ', which may owe up to ',
    strong(amount(told, 'creditLimit')),
  ],
  'invitations.renewTokens': (told) => ['Renewed the tokens of the peer ', strong(name(told))],
  'rates.set': (told) => ['Set the rate ', strong(told.subject), ' to ', strong(told.facts.rate ?? '')],
  'rates.remove': (told) => ['Removed the rate ', strong(told.subject)],
  'rateSources.add': (told) => ['Added the source of rates ', strong(name(told))],
  'rateSources.switch': (told) => [
    told.facts.isOn === 'true' ? 'Switched on the source of rates ' : 'Switched off the source of rates ',
    strong(name(told)),
  ],
  'rateSources.prefer': (told) => ['Preferred the source of rates ', strong(name(told))],
  'rateSources.remove': (told) => ['Removed the source of rates ', strong(name(told))],
  'rateSources.look': (told) => ['Read the source of rates ', strong(name(told))],
  'pairs.follow': (told) => ['Let the rate ', strong(told.subject), ' follow the sources'],
  'pairs.unfollow': (told) => ['Ended that the rate ', strong(told.subject), ' follows the sources'],
  'pairs.confirmJump': (told) => ['Confirmed the jump of the rate ', strong(told.subject)],
  'pairs.setFee': (told) => ['Set the fee of ', strong(told.subject)],
  'pairs.removeFee': (told) => ['Removed the fee of ', strong(told.subject)],
  'rates.fund': (told) => ['Put ', strong(amount(told)), ' aside to exchange with'],
  'rates.withdraw': (told) => ['Took ', strong(amount(told)), ' out of what is exchanged with'],
  'backups.make': (told) => ['Made the backup ', strong(told.facts.file ?? '')],
  'backups.setSchedule': (told) => ['Set backups to be made every ', strong(counted(Number(told.facts.everyHours), 'hour', 'hours'))],
  'backups.removeSchedule': () => ['Stopped scheduled backups'],
  'backups.restore': () => ['Put the books back from a backup'],
  'restore.start': () => ['Had a backup take the place of these books'],
  'activity.export': () => ['Exported this log as a table'],
  'health.supportBundle': () => ['Made a support bundle'],
  'session.signIn': () => ['Signed in with a console link'],
  'session.signOut': () => ['Signed out'],
  'sessions.end': () => ['Ended the session of a browser'],
  'sessions.endOthers': () => ['Ended the session of another browser'],
  'lock.now': () => ['Locked the console'],
  'lock.open': () => ['Unlocked the console'],
  'lock.protect': () => ['Gave the console a passphrase'],
  'lock.changePassphrase': () => ['Changed the passphrase of the console'],
  'lock.removePassphrase': () => ['Removed the passphrase of the console'],
  'lock.changeSettings': () => ['Changed when the console locks'],
  'desktop.change': () => ['Changed the settings of the desktop app'],
  'settings.setTimeZone': ({ facts: { timeZone } }) => ['Set the time zone of the shop to ', strong(zoneText(timeZone ?? ''))],
};

export const activity = {
  title: 'Activity',
  lead: 'Everything that you, or anyone else at this console, has done. Entries are only added; paydesk notices a changed or missing one.',
  kinds,
  did,
  /** An operation that this version does not know. */
  other: (operation: string): Words => [operation],
  note: (text: string) => `“${text}”`,
  list: 'What was done',
  searchLabel: 'Search the log',
  searchHint: 'Search names, notes and ids',
  clearSearch: 'Clear search',
  kindLabel: 'Kind',
  anyKind: 'Everything',
  accountLabel: 'Account',
  anyAccount: 'All accounts',
  fromLabel: 'From',
  toLabel: 'To',
  clear: 'Clear filters',
  entry: (number: number) => `No. ${number}`,
  export: 'Export',
  exporting: (entries: string) => `The entries you have filtered, of ${entries} in all, as a CSV file, which every spreadsheet opens.`,
  exported: (rows: number) => `${counted(rows, 'entry', 'entries')} exported. Your browser saves the file.`,
  entries: (count: number) => counted(count, 'entry', 'entries'),
  none: 'Nothing has been done yet',
  noneAdvice: 'Deposits, approvals, backups and everything else you do is written here, one line each.',
  noneFound: 'Nothing matches these filters',
  noneFoundAdvice: 'Take a filter away, or choose other days.',
} as const;
