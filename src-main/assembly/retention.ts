import { endedGrantRule, endedTokenRule, signatureRule } from '../access/retention.ts';
import { failedCheckoutRule } from '../checkout/retention.ts';
import { eventRule } from '../journal/retention.ts';
import { unpaidRequestRule, unusedQuoteRule } from '../payments/retention.ts';
import { peerAnswerRule } from '../peers/retention.ts';
import type { RetentionRule } from '../platform/retention/rule.ts';
import { remoteGrantRule } from '../remote-wallets/retention.ts';

/**
 * Everything that the node removes by itself, in this order. What refers to something else goes before it: quotes and
 * attempts before the requests that they are for, tokens before their grants.
 */
export const RETENTION_RULES: readonly RetentionRule[] = [
  signatureRule,
  unusedQuoteRule,
  failedCheckoutRule,
  unpaidRequestRule,
  endedTokenRule,
  endedGrantRule,
  remoteGrantRule,
  peerAnswerRule,
  eventRule,
];

/**
 * Why the rows of every other table stay. A table stands here or in a rule; where only some of its rows go, in both.
 * The names are those of the database.
 */
export const KEPT_TABLES: Readonly<Record<string, string>> = {
  wallet_addresses: 'money and payments belong to them',
  ledger_accounts: 'the books',
  ledger_transfers: 'the books: every balance is the sum of its transfers',
  ledger_quarters: 'the books: one row for each asset and quarter of an hour in which money moved',
  shop_settings: 'it has one row',
  incoming_payments: 'what was paid, what still may be paid, and what the operator asked for',
  outgoing_payments: 'what was paid, or tried, by whom and with whose permission',
  quotes: 'the price at which a payment was made',
  packets: 'a packet that comes again moves no money',
  received_packets: 'a packet that comes again moves no money; the sums of a payment that changes currency',
  sent_packets: 'what is owed to and by peers, packet by packet',
  peers: 'packets and ledger accounts refer to removed peers, too',
  rates: 'the newest rate of each pair; the operator removes it',
  origins: 'URLs under former origins stay valid',
  node_state: 'it has one row',
  grants: 'permissions that count, and those with which somebody paid',
  access_tokens: 'tokens of grants that count',
  grant_spendings: 'what was spent with a permission',
  client_keys: 'signatures in the activity log are checked against revoked keys, too',
  checkouts: 'which wallet paid a request, and attempts under way',
  events: 'what happened to payments; their pages show it',
  activities: 'the activity log: a chain of hashes has no gap',
  activity_head: 'the end of that chain',
  backups: 'which backups there are',
  backup_schedule: 'it has one row',
  operator_links: 'making a link removes old ones',
  operator_sessions: 'signing in removes old ones',
  operator_token: 'it has one row',
  operator_lock: 'it has one row',
};
