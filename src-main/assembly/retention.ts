import type { DiskKind } from '../../src-shared/disk-kinds.ts';
import { endedGrantRule, endedTokenRule, signatureRule, strangerRowRule } from '../access/retention.ts';
import { isNotLastBackup } from '../backup/backup-book.ts';
import { failedCheckoutRule } from '../checkout/retention.ts';
import { eventRule } from '../journal/retention.ts';
import { paymentDetailRule } from '../payments/archive/payment-details.ts';
import { crowdRule } from '../payments/crowd.ts';
import { localPacketRule, unpaidRequestRule, unusedQuoteRule } from '../payments/retention.ts';
import { invitationRule } from '../peers/invitations/retention.ts';
import { peerAnswerRule } from '../peers/retention.ts';
import type { Archive } from '../platform/archive/archive.ts';
import { DAY_MS, type RetentionRule } from '../platform/retention/rule.ts';
import { printJobRule } from '../printing/retention.ts';
import { remoteGrantRule } from '../remote-wallets/retention.ts';

/**
 * The rules for everything that the node removes by itself and does not keep elsewhere, in this order. A thing that
 * refers to another goes before it: quotes and attempts before the requests that they are for, tokens before their
 * grants.
 */
export const RETENTION_RULES: readonly RetentionRule[] = [
  signatureRule,
  unusedQuoteRule,
  failedCheckoutRule,
  unpaidRequestRule,
  endedTokenRule,
  endedGrantRule,
  strangerRowRule,
  // It counts what is left, so that nothing goes for things that have gone.
  crowdRule(),
  remoteGrantRule,
  peerAnswerRule,
  invitationRule,
  localPacketRule,
  printJobRule,
  eventRule(isNotLastBackup),
];

/** The times that the operator has chosen, in days. */
interface Times {
  /** Ended things stay for this long, where the operator chooses the time. */
  keepDays: number;
  /** The details of a payment go into the archive after this many days. */
  archiveDays: number;
}

/** All rules, with the times that the operator has chosen. */
export const rulesKeeping = (archive: Archive, { keepDays, archiveDays }: Times): readonly RetentionRule[] => [
  ...RETENTION_RULES.map((rule) => (rule.chosen === true ? { ...rule, keptMs: keepDays * DAY_MS } : rule)),
  paymentDetailRule(archive, archiveDays),
];

interface KeptTable {
  /** The group under which the console says how much room the table takes. */
  kind: DiskKind;
  /** The reason why rows of the table stay. It is undefined when a rule removes all of them in time. */
  kept?: string;
}

/**
 * Every table of the database by its name. A table whose rows do not stay has a rule. A table of which only some rows
 * go has both.
 */
export const TABLES: Readonly<Record<string, KeptTable>> = {
  wallet_addresses: { kind: 'books', kept: 'money and payments belong to them' },
  ledger_accounts: { kind: 'books', kept: 'the books' },
  ledger_transfers: { kind: 'books', kept: 'the books: every balance is the sum of its transfers' },
  ledger_pieces: { kind: 'books', kept: 'hashes by which a changed transfer is noticed' },
  ledger_closings: { kind: 'books', kept: 'the sums of those transfers, by account' },
  ledger_damages: { kind: 'books', kept: 'damage that stands; a round that does not find it again removes it' },
  ledger_audit: { kind: 'books', kept: 'it has one row' },
  ledger_quarters: { kind: 'books', kept: 'the books: one row for each asset and quarter of an hour in which money moved' },
  shop_settings: { kind: 'settings', kept: 'it has one row' },
  day_closings: { kind: 'books', kept: 'the closed days of the shop' },
  closing_accounts: { kind: 'books', kept: 'the accounts in the closed days, 100 in a row' },
  closing_balances: { kind: 'books', kept: 'one row for each account' },
  products: { kind: 'settings', kept: 'the shop removes them, and there are at most 5,000' },
  receipts: { kind: 'books', kept: 'what was handed over to customers' },
  receipt_branch: { kind: 'settings', kept: 'it has one row' },
  receipt_printer: { kind: 'settings', kept: 'it has one row' },
  print_jobs: { kind: 'settings', kept: 'what waits for the printer, and lapses after a day' },
  shop_logo: { kind: 'settings', kept: 'it has one row' },
  incoming_payments: { kind: 'payments', kept: 'what was paid, what still may be paid, and what the operator asked for' },
  payment_requests: { kind: 'payments', kept: 'what the operator noted about their requests' },
  bills: { kind: 'payments', kept: 'what was charged, with its tax' },
  bill_lines: { kind: 'payments', kept: 'what was sold' },
  outgoing_payments: { kind: 'payments', kept: 'what was paid, or tried, by whom and with whose permission' },
  payers: { kind: 'payments', kept: 'who paid: the operator can give it back' },
  refunds: { kind: 'payments', kept: 'what was given back: no more than was received may be' },
  claims: { kind: 'payments', kept: 'what was given back by a link: no more than was received may be' },
  claim_tries: { kind: 'payments', kept: 'whose wallet was named; at most ten for each claim link' },
  refund_limits: { kind: 'settings', kept: 'one row for each role and currency; the owner removes it' },
  quotes: { kind: 'payments' },
  packets: { kind: 'payments', kept: 'a packet of a payment under way that comes again moves no money' },
  archive_files: { kind: 'archive', kept: 'the keys and the hashes of the files of the archive' },
  archive_frames: { kind: 'archive', kept: 'the archive of replicas' },
  archived_packets: { kind: 'archive', kept: 'what packets in the archive brought: the audit counts it' },
  received_packets: { kind: 'peers', kept: 'a packet that comes again moves no money' },
  peer_conversions: { kind: 'peers' },
  sent_packets: { kind: 'peers', kept: 'packets of payments that have not ended' },
  peers: { kind: 'peers', kept: 'packets and ledger accounts refer to removed peers, too' },
  peer_invitations: { kind: 'peers' },
  peer_acceptances: { kind: 'peers', kept: 'acceptances under way' },
  peer_renewals: { kind: 'peers', kept: 'one row for each peer' },
  rates: { kind: 'settings', kept: 'the newest rate of each pair; the operator removes it' },
  followed_rates: { kind: 'settings', kept: 'the newest rate of each pair; the operator removes it' },
  past_rates: { kind: 'books', kept: 'for ever, for statements of any year; a pair that follows a source gets one row an hour at most' },
  rate_sources: { kind: 'settings', kept: 'what each source said last; the operator removes it' },
  exchange_fees: { kind: 'settings', kept: 'the fee of each pair; the operator removes it' },
  origins: { kind: 'settings', kept: 'URLs under former origins stay valid' },
  replicas: { kind: 'settings', kept: 'which processes run the node; those that are gone lose their row' },
  node_keys: { kind: 'settings', kept: 'it has one row' },
  node_state: { kind: 'settings', kept: 'it has one row' },
  grants: { kind: 'permissions', kept: 'permissions that count, and those with which somebody paid' },
  client_trust: { kind: 'permissions', kept: 'how far the operator trusts an app' },
  access_tokens: { kind: 'permissions', kept: 'tokens of grants that count' },
  grant_spendings: { kind: 'permissions', kept: 'what was spent with a permission' },
  client_keys: { kind: 'permissions', kept: 'signatures in the activity log are checked against revoked keys, too' },
  checkouts: { kind: 'visits', kept: 'which wallet paid a request, and attempts under way' },
  events: { kind: 'events', kept: 'what happened to payments that have not ended, and to newer ones; who made the last backup' },
  activities: { kind: 'activity', kept: 'the activity log: a chain of hashes has no gap' },
  activity_head: { kind: 'activity', kept: 'the end of that chain' },
  backups: { kind: 'settings', kept: 'the newest backup; making one removes the row of the one before' },
  backup_schedule: { kind: 'settings', kept: 'it has one row' },
  operator_links: { kind: 'settings', kept: 'making a link removes old ones' },
  operator_sessions: { kind: 'settings', kept: 'signing in removes old ones' },
  people: { kind: 'settings', kept: 'the activity log names removed persons, too; there are at most 100 others' },
  second_person_limits: { kind: 'settings', kept: 'two rows for each currency; the owner removes them' },
  waiting_acts: { kind: 'settings', kept: 'asking removes those of a month ago, and at most 50 wait' },
  passkeys: { kind: 'settings', kept: 'persons remove them, and each has at most 20' },
  passwords: { kind: 'settings', kept: 'one row for each person' },
  recovery_codes: { kind: 'settings', kept: 'at most ten for each person' },
  known_browsers: { kind: 'settings', kept: 'signing in removes those that nobody has used for 90 days' },
  browser_people: { kind: 'settings', kept: 'signing in removes those who were not there for 90 days' },
  pins: { kind: 'settings', kept: 'one row for each person' },
  pin_tries: { kind: 'settings', kept: 'one row for each person' },
  sign_in_challenges: { kind: 'settings', kept: 'making one removes old ones' },
  sign_in_attempts: { kind: 'settings', kept: 'an attempt removes those that are a day old' },
  api_keys: { kind: 'settings', kept: 'the owner removes keys, and there are at most 100' },
  tills: { kind: 'settings', kept: 'there are at most 50; adding one removes those that were removed a month ago' },
  operator_token: { kind: 'settings', kept: 'one row for each process of the node' },
  operator_lock: { kind: 'settings', kept: 'it has one row' },
  retention_clock: { kind: 'settings', kept: 'it has one row' },
  disk_days: { kind: 'settings', kept: 'a new day removes what is older than 30 days' },
  stranger_rows: { kind: 'permissions' },
  seen_signatures: { kind: 'signatures' },
  remote_grants: { kind: 'other_wallets' },
};
