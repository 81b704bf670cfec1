import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { RunningNode } from '../nodes/running-node.ts';

/** Opens a node's database from outside, whether the node runs or not. Integers arrive as bigint. */
export function readBooks<T>(node: Pick<RunningNode, 'dataDir'>, look: (database: Sqlite.Database) => T): T {
  const database = new Sqlite(join(node.dataDir, 'paydesk.db'), { readonly: true });
  try {
    database.defaultSafeIntegers(true);
    // A sum of amounts may need more than 64 bits, and SQLite's own sum refuses that.
    database.aggregate('exact_sum', {
      start: 0n,
      step: (total: bigint, next: unknown) => total + BigInt(next as bigint),
      result: (total: bigint) => total.toString(),
    });
    return look(database);
  } finally {
    database.close();
  }
}

const one = (database: Sqlite.Database, query: string): bigint => database.prepare(query).pluck().get() as bigint;

/** Counts the outgoing payments that are accepted and not finished. */
export const unfinished = (database: Sqlite.Database): number =>
  Number(one(database, "select count(*) from outgoing_payments where state not in ('completed', 'failed')"));

/** Whether the packets of the payment `p` are still in the books: those of a payment that has ended go after a day. */
const hasPackets = (column: string): string =>
  `(p.updated_at > ${Date.now() - 24 * 60 * 60_000} or exists (select 1 from packets where ${column} = p.id))`;

/**
 * Tells what is wrong in the books. It checks in the rows everything that must always be true. It reads the stored
 * columns and shares no code with the node. It also asks what the audit of the node has found: nothing, in these tests.
 */
export function contradictions(database: Sqlite.Database): string[] {
  const rules: Record<string, string> = {
    'an account differs from its transfers': `select count(*) from ledger_accounts a where cast(a.balance as text) <>
       (select exact_sum(case credit_account_id when a.id then amount else -amount end) from ledger_transfers
         where (credit_account_id = a.id or debit_account_id = a.id) and state = 'posted')`,
    'an asset does not add up to zero':
      "select count(*) from (select exact_sum(balance) s from ledger_accounts group by asset_code, asset_scale) where s <> '0'",
    'an account holds something else than its pending transfers': `select count(*) from ledger_accounts a where cast(a.pending as text) <>
       (select exact_sum(amount) from ledger_transfers where debit_account_id = a.id and state = 'pending')`,
    'an account is below zero': "select count(*) from ledger_accounts where kind not in ('external', 'peer') and balance < pending",
    'a peer owes more than its credit': "select count(*) from ledger_accounts where kind = 'peer' and balance < -overdraft",
    // In books that were put back from a copy the operator says what arrived. No packet records that.
    'an outgoing payment has delivered something else than its packets': `select count(*) from outgoing_payments p where not exists
       (select 1 from events where subject = p.id and type = 'outgoing_payment.resolved') and cast(p.delivered as text) <>
       (select exact_sum(amount) from (select amount from packets where outgoing_payment_id = p.id
         union all select delivered from sent_packets where outgoing_payment_id = p.id and state = 'fulfilled'
         union all select delivered from archived_packets where outgoing_payment_id = p.id))
       and ${hasPackets('outgoing_payment_id')}`,
    'an outgoing payment has cost something else than left its escrow': `select count(*) from outgoing_payments p where cast(p.sent as text) <>
       (select exact_sum(amount) from ledger_transfers where payment_id = p.id and state = 'posted' and kind = 'payment'
         and debit_account_id = 'escrow:' || p.wallet_address_id)`,
    'an outgoing payment holds something else than its open packets': `select count(*) from outgoing_payments p where cast(p.held as text) <>
       (select exact_sum(source_amount) from sent_packets where outgoing_payment_id = p.id and state in ('held', 'unknown'))`,
    'a peer has something else in flight than its open packets': `select count(*) from peers p where cast(p.in_flight as text) <>
       (select exact_sum(peer_amount) from sent_packets where peer_id = p.id and state in ('held', 'unknown'))`,
    // A payer elsewhere converts on the way, and may bring a unit or one percent more than the payment takes.
    'an incoming payment differs from its packets': `select count(*) from (select p.received, p.incoming_amount as asked,
       cast((select exact_sum(amount) from (select amount from packets where incoming_payment_id = p.id
         union all select amount from received_packets where incoming_payment_id = p.id)) as integer) as brought
       from incoming_payments p where ${hasPackets('incoming_payment_id')}) where received <> brought and (asked is null or received <> asked or
         brought > cast(asked as integer) + max(1, cast(asked as integer) / 100) or brought < received)`,
    'an incoming payment got more than it asked for':
      'select count(*) from incoming_payments where incoming_amount is not null and received > cast(incoming_amount as integer)',
    'a completed payment has not delivered everything':
      "select count(*) from outgoing_payments where state = 'completed' and delivered < receive_amount",
    'a completed payment on this node has not sent everything':
      "select count(*) from outgoing_payments where state = 'completed' and receiver_id is not null and sent <> debit_amount",
    'a failed payment has delivered everything':
      "select count(*) from outgoing_payments where state = 'failed' and delivered >= receive_amount",
    'escrow differs from what unfinished payments hold': `select count(*) from ledger_accounts a where a.kind = 'escrow' and cast(a.balance as text) <>
       (select exact_sum(debit_amount - sent) from outgoing_payments
         where 'escrow:' || wallet_address_id = a.id and state not in ('completed', 'failed'))`,
    'the exchange has set aside something else than a payment on this node will bring': `select count(*) from outgoing_payments p
       join wallet_addresses w on w.id = p.wallet_address_id where p.receiver_id is not null and
       coalesce((select amount from ledger_transfers where id = p.id and state = 'pending'), 0) <>
       (case when p.state in ('completed', 'failed') or (w.asset_code = p.receive_asset_code and w.asset_scale = p.receive_asset_scale)
         then 0 else p.receive_amount - p.delivered end)`,
    'a payment has another number of endings than one': `select count(*) from outgoing_payments p where state in ('completed', 'failed') and 1 <>
       (select count(*) from events where subject = p.id and type in ('outgoing_payment.completed', 'outgoing_payment.failed'))
       -- What happened to old payments is in the archive.
       and exists (select 1 from events where subject = p.id and type = 'outgoing_payment.created')`,
    'a grant has counted something else than its payments spent': `select count(*) from grant_spendings s where kind = 'debit' and ltrim(spent, '0') <>
       (select ltrim( exact_sum(case when state in ('completed', 'failed') then sent else debit_amount end), '0') from outgoing_payments
         where grant_id = s.grant_id and spending_window = s.window_start)`,
    'the audit of the node has found damage': 'select count(*) from ledger_damages',
  };
  const broken = Object.entries(rules).filter(([, query]) => one(database, query) !== 0n);
  const integrity = database.pragma('integrity_check', { simple: true });
  return [...broken.map(([rule]) => rule), ...(integrity === 'ok' ? [] : [`integrity check: ${String(integrity)}`])];
}

/** The tables that change without a stored request: the gate remembers signatures, and the audit writes at any time. */
const NOT_OF_REQUESTS = new Set(['seen_signatures', 'ledger_audit', 'ledger_pieces', 'ledger_closings']);

/**
 * Makes a fingerprint of every table, by name. Two equal fingerprints mean that nothing was stored, changed or removed
 * in between.
 */
export function fingerprints(database: Sqlite.Database): Record<string, string> {
  const tables = database
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
    .pluck()
    .all();
  return Object.fromEntries(
    tables
      .map(String)
      .filter((table) => !NOT_OF_REQUESTS.has(table))
      .map((table) => {
        const digest = createHash('sha256');
        let rows = 0;
        for (const row of database.prepare(`select * from "${table}"`).raw().iterate()) {
          digest.update(String(row)).update('\n');
          rows += 1;
        }
        return [table, `${rows} rows ${digest.digest('base64url')}`];
      }),
  );
}
