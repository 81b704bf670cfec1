import type { Topic } from '../../src-shared/operator-contract/node.ts';
import { queries } from './operator-client.ts';

type Key = readonly unknown[];

/** The beginnings of all query keys that may show something new after a change, by its topic. */
const KEYS: Record<Topic, readonly Key[]> = {
  lock: [queries.lock.key()],
  accounts: [
    queries.accounts.list.key(),
    queries.accounts.get.key(),
    queries.accounts.movements.key(),
    queries.node.overview.key(),
    // Payments between currencies change these funds, too.
    queries.rates.funds.key(),
    queries.requests.accounts.key(),
    queries.statements.look.key(),
  ],
  payments: [
    queries.payments.list.key(),
    queries.payments.get.key(),
    queries.requests.key(),
    queries.refunds.key(),
    queries.claims.key(),
    queries.node.overview.key(),
    queries.wallets.outside.key(),
    queries.closings.key(),
    queries.receipts.key(),
    queries.printing.key(),
  ],
  requests: [
    ...[queries.requests.key(), queries.refunds.key(), queries.claims.key(), queries.closings.key()],
    ...[queries.receipts.key(), queries.printing.key()],
  ],
  approvals: [queries.approvals.key(), queries.node.overview.key()],
  apps: [queries.apps.key(), queries.node.overview.key()],
  keys: [queries.accounts.keys.key()],
  peers: [
    ...[queries.peers.key(), queries.invitations.key(), queries.node.overview.key(), queries.node.info.key()],
    queries.wallets.outside.key(),
  ],
  rates: [queries.rates.key(), queries.rateSources.key(), queries.pairs.key(), queries.node.overview.key()],
  backups: [queries.backups.key(), queries.node.overview.key()],
  settings: [
    queries.desktop.key(),
    queries.refundLimits.key(),
    queries.secondPerson.key(),
    queries.settings.timeZone.key(),
    queries.settings.till.key(),
    queries.shop.key(),
    queries.printing.key(),
    queries.statements.key(),
    queries.reports.key(),
  ],
  products: [queries.products.key()],
  sessions: [queries.sessions.key(), queries.apiKeys.key()],
  waiting: [queries.waiting.key()],
  tills: [queries.tills.key()],
  people: [queries.people.key(), queries.sessions.key(), queries.ways.key(), queries.secondPerson.key()],
  activity: [queries.activity.key()],
  node: [queries.node.info.key(), queries.node.overview.key(), queries.restore.key()],
};

/** What to read again after changes of `topics`, each key once. */
export function keysOf(topics: Iterable<Topic>): Key[] {
  const keys = [...topics].flatMap((topic) => KEYS[topic] ?? []);
  const byText = new Map(keys.map((key) => [JSON.stringify(key), key]));
  return [...byText.values()];
}
