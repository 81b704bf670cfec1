import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { RunningNode } from '../nodes/running-node.ts';

/** Opens a node's database from outside, whether the node runs or not. Integers arrive as bigint. */
export function readBooks<T>(node: Pick<RunningNode, 'dataDir'>, look: (database: Sqlite.Database) => T): T {
  const database = new Sqlite(join(node.dataDir, 'paydesk.db'), { readonly: true });
  try {
    return look(exact(database));
  } finally {
    database.close();
  }
}

/** Lets integers arrive as bigint, and teaches the database to add them exactly. */
export function exact(database: Sqlite.Database): Sqlite.Database {
  database.defaultSafeIntegers(true);
  // A sum of amounts may need more than 64 bits, and SQLite's own sum refuses that.
  database.aggregate('exact_sum', {
    start: 0n,
    step: (total: bigint, next: unknown) => total + BigInt(next as bigint),
    result: (total: bigint) => total.toString(),
  });
  database.function('exact_add', (a: unknown, b: unknown) => (BigInt(a as string) + BigInt(b as string)).toString());
  return database;
}

const one = (database: Sqlite.Database, query: string): bigint => database.prepare(query).pluck().get() as bigint;

/** Counts the outgoing payments that are accepted and not finished. */
export const unfinished = (database: Sqlite.Database): number =>
  Number(one(database, "select count(*) from outgoing_payments where state not in ('completed', 'failed')"));

const DAY_MS = 24 * 60 * 60_000;
/** The details of a payment stay in the books for at least this long after it has ended. */
const LEAST_ARCHIVE_MS = 32 * DAY_MS;

/** The condition that the payment `p` has ended. */
const HAS_ENDED = "p.state in ('completed', 'failed')";
/**
 * The condition that the events of the outgoing payment `p` are in the archive, at least in part: the oldest events go
 * first.
 */
const IS_ARCHIVED = "not exists (select 1 from events where subject = p.id and type = 'outgoing_payment.created')";
/** The condition that the money of the outgoing payment `p` is held on its account, for another one of this node. */
const IS_HELD = `exists (select 1 from ledger_transfers where id = p.id and state = 'pending' and kind = 'payment'
  and debit_account_id = 'customer:' || p.wallet_address_id)`;
/** The amount that the transfers of the outgoing payment `p` have brought to a receiver on this node. */
const BROUGHT = `(select exact_sum(amount) from ledger_transfers where payment_id = p.id and state = 'posted' and kind = 'payment'
  and substr(credit_account_id, 1, 9) = 'customer:')`;
/** The amount that the packets of the outgoing payment `p` have delivered, with those that are in the archive. */
const PACKETS = `(select exact_sum(amount) from (select amount from packets where outgoing_payment_id = p.id
  union all select delivered from sent_packets where outgoing_payment_id = p.id and state = 'fulfilled'
  union all select delivered from archived_packets where outgoing_payment_id = p.id))`;

/** Every incoming payment, and what payments of this node, transfers from peers and packets of peers brought to it. */
const INCOMING = `with incoming as materialized (select p.*, coalesce(h.sum, '0') as from_here,
  (select exact_sum(amount) from ledger_transfers where payment_id = p.id and state = 'posted' and kind = 'payment'
    and credit_account_id = 'customer:' || p.wallet_address_id) as from_peers,
  (select exact_sum(amount) from received_packets where incoming_payment_id = p.id) as from_packets
  from incoming_payments p
  left join (select receiver_id, exact_sum(delivered) as sum from outgoing_payments group by receiver_id) h on h.receiver_id = p.id)`;

/** The rules for ledger accounts and their transfers. */
const rulesOfLedger = (): Record<string, string> => ({
  'an account differs from its transfers': `select count(*) from ledger_accounts a where cast(a.balance as text) <>
     (select exact_sum(case credit_account_id when a.id then amount else -amount end) from ledger_transfers
       where (credit_account_id = a.id or debit_account_id = a.id) and state = 'posted')`,
  'an asset does not add up to zero':
    "select count(*) from (select exact_sum(balance) s from ledger_accounts group by asset_code, asset_scale) where s <> '0'",
  'an account holds something else than its pending transfers': `select count(*) from ledger_accounts a where cast(a.pending as text) <>
     (select exact_sum(amount) from ledger_transfers where debit_account_id = a.id and state = 'pending')`,
  'an account is below zero': "select count(*) from ledger_accounts where kind not in ('external', 'peer') and balance < pending",
  'a peer owes more than its credit': "select count(*) from ledger_accounts where kind = 'peer' and balance < -overdraft",
  'escrow differs from what unfinished payments hold': `select count(*) from ledger_accounts a where a.kind = 'escrow' and cast(a.balance as text) <>
     (select exact_sum(debit_amount - sent) from outgoing_payments p
       where 'escrow:' || wallet_address_id = a.id and not ${HAS_ENDED} and not ${IS_HELD})`,
  'an account holds money for something else than a payment that is to come': `select count(*) from ledger_transfers t
     where t.state = 'pending' and substr(t.debit_account_id, 1, 9) = 'customer:' and not exists (select 1 from outgoing_payments p
       join incoming_payments i on i.id = p.receiver_id where p.id = t.id and not ${HAS_ENDED} and ${IS_HELD} and p.sent = 0
       and t.payment_id = p.id and t.amount = p.debit_amount and t.credit_account_id = 'customer:' || i.wallet_address_id)`,
  'the exchange has set aside something else than a payment on this node will bring': `select count(*) from outgoing_payments p
     join wallet_addresses w on w.id = p.wallet_address_id where p.receiver_id is not null and
     coalesce((select amount from ledger_transfers where id = p.id and state = 'pending'
       and substr(debit_account_id, 1, 9) = 'exchange:'), 0) <>
     (case when p.state in ('completed', 'failed') or (w.asset_code = p.receive_asset_code and w.asset_scale = p.receive_asset_scale)
       then 0 else p.receive_amount - p.delivered end)`,
  'the audit of the node has found damage': 'select count(*) from ledger_damages',
});

/** The rules for payments and their sums, however old they are. */
const rulesOfPayments = (): Record<string, string> => ({
  'an outgoing payment has delivered something else than its transfers brought': `select count(*) from outgoing_payments p
     where p.receiver_id is not null and cast(p.delivered as text) <> ${BROUGHT}`,
  // When the books were put back from a copy, the operator can say that the rest has arrived. It then leaves the books.
  'a payment to another node has delivered something else than its packets': `select count(*) from outgoing_payments p
     where p.receiver_id is null and cast(p.delivered as text) <> ${PACKETS} and not
       (p.state = 'completed' and p.delivered = p.receive_amount and cast(${PACKETS} as integer) < p.delivered and exists
         (select 1 from ledger_transfers where payment_id = p.id and kind = 'payment' and substr(credit_account_id, 1, 9) = 'external:'))`,
  'an outgoing payment has cost something else than left its account or escrow': `select count(*) from outgoing_payments p where cast(p.sent as text) <>
     (select exact_sum(amount) from ledger_transfers where payment_id = p.id and state = 'posted' and kind = 'payment'
       and debit_account_id in ('escrow:' || p.wallet_address_id, 'customer:' || p.wallet_address_id))`,
  'an outgoing payment holds something else than its open packets': `select count(*) from outgoing_payments p where cast(p.held as text) <>
     (select exact_sum(source_amount) from sent_packets where outgoing_payment_id = p.id and state in ('held', 'unknown'))`,
  'a peer has something else in flight than its open packets': `select count(*) from peers p where cast(p.in_flight as text) <>
     (select exact_sum(peer_amount) from sent_packets where peer_id = p.id and state in ('held', 'unknown'))`,
  'an incoming payment differs from what was brought to it': `${INCOMING}
     select count(*) from incoming where cast(received as text) <> exact_add(from_here, from_peers)`,
  'an incoming payment got more than it asked for':
    'select count(*) from incoming_payments where incoming_amount is not null and received > cast(incoming_amount as integer)',
  'a completed payment has not delivered everything':
    "select count(*) from outgoing_payments where state = 'completed' and delivered < receive_amount",
  'a completed payment on this node has not sent everything':
    "select count(*) from outgoing_payments where state = 'completed' and receiver_id is not null and sent <> debit_amount",
  'a failed payment has delivered everything':
    "select count(*) from outgoing_payments where state = 'failed' and delivered >= receive_amount",
  'a grant has counted something else than its payments spent': `select count(*) from grant_spendings s where kind = 'debit' and ltrim(spent, '0') <>
     (select ltrim( exact_sum(case when state in ('completed', 'failed') then sent else debit_amount end), '0') from outgoing_payments
       where grant_id = s.grant_id and spending_window = s.window_start)`,
});

/** The rules for packets and events, which are in the books for a while only. */
const rulesOfDetails = (now: number): Record<string, string> => ({
  'a payment on this node has delivered something else than its packets': `select count(*) from outgoing_payments p
     where p.receiver_id is not null and cast(p.delivered as text) <> ${PACKETS} and (not ${HAS_ENDED} or p.updated_at > ${now - DAY_MS}
       or exists (select 1 from packets where outgoing_payment_id = p.id))`,
  'a packet on this node went to another payment than its own': `select count(*) from packets k
     where not exists (select 1 from outgoing_payments where id = k.outgoing_payment_id and receiver_id = k.incoming_payment_id)`,
  // A payer elsewhere converts on the way, and may bring a unit or one percent more than the payment takes. Old packets
  // go into the archive, also while the payment is open.
  'an incoming payment differs from its packets of peers': `${INCOMING}
     select count(*) from incoming where cast(from_peers as integer) <> cast(from_packets as integer) and
       (cast(from_packets as integer) < cast(from_peers as integer) and not exists (select 1 from archive_files) or
         cast(from_packets as integer) > cast(from_peers as integer) and (incoming_amount is null or received <> cast(incoming_amount as integer)) or
         cast(from_packets as integer) > cast(from_peers as integer) + max(1, cast(incoming_amount as integer) / 100))
       and exists (select 1 from events where subject = incoming.id and type = 'incoming_payment.created')`,
  'a payment has another number of endings than one': `select count(*) from outgoing_payments p
     join (select p.id, ${IS_ARCHIVED} as is_archived, ${HAS_ENDED} as has_ended, (select count(*) from events where subject = p.id
       and type in ('outgoing_payment.completed', 'outgoing_payment.failed')) as endings from outgoing_payments p) e on e.id = p.id
     where endings > has_ended or (endings < has_ended and not is_archived)`,
  'what happened to a payment is gone before its time': `select count(*) from outgoing_payments p
     where ${IS_ARCHIVED} and (not ${HAS_ENDED} or p.updated_at > ${now - LEAST_ARCHIVE_MS})`,
});

/**
 * Tells what is wrong in the books. It checks in the rows everything that must always be true. It reads the stored
 * columns and shares no code with the node. It also asks what the audit of the node has found: nothing, in these tests.
 * @param now the time of the node, in milliseconds since the Unix epoch. It decides which details the books must still
 * have. The rules for transfers and sums hold however old a payment is.
 */
export function contradictions(database: Sqlite.Database, now: number = Date.now()): string[] {
  const broken = Object.entries({ ...rulesOfLedger(), ...rulesOfPayments(), ...rulesOfDetails(now) }).filter(
    ([, query]) => one(database, query) !== 0n,
  );
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
