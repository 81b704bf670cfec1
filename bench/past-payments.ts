import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

/** How far two payments of the past lie apart. */
const APART_MS = 1_000;

const hex = (bytes: number): string => `hex(randomblob(${bytes}))`;
/** Random ids and hashes, made by SQLite: asking Node for ten million of them would take longer than storing them. */
/** Like the node's own, they begin with a time. */
const freshId = (at: string): string =>
  `lower(printf('%08x-%04x-7', (${at}) >> 16, (${at}) & 65535) || substr(${hex(2)}, 2) || '-8' || substr(${hex(2)}, 2) || '-' || ${hex(6)})`;
const FRESH_HASH = `substr(${hex(22)}, 1, 43)`;

type Value = string | bigint | null;
type Row = Record<string, Value>;

/** A completed payment, by its ids: both of one within a node, the one that is there of one between nodes. */
export type MadePayment = { incomingPayment: string; outgoingPayment: string } | { incomingPayment: string } | { outgoingPayment: string };

/** Which rows tell of a payment, and which of their columns are ids of their own. */
const TABLES = [
  { name: 'incoming_payments', of: 'id = :i', own: [] },
  { name: 'quotes', of: 'id = :q', own: [] },
  { name: 'outgoing_payments', of: 'id = :o', own: ['request_hash'] },
  { name: 'packets', of: 'outgoing_payment_id = :o', own: ['condition'] },
  { name: 'sent_packets', of: 'outgoing_payment_id = :o', own: ['condition'] },
  { name: 'received_packets', of: 'incoming_payment_id = :i', own: ['condition'] },
  { name: 'ledger_transfers', of: 'payment_id in (:i, :o)', own: ['id'] },
  { name: 'events', of: 'subject in (:i, :o)', own: [] },
] as const;

const columnsOf = (row: Row): string[] => Object.keys(row);
const isTime = (column: string): boolean => column.endsWith('_at') || column === 'at' || column === 'deadline';

/**
 * Gives a node a past: as many completed payments more, each with everything a payment leaves behind (incoming payment, quote,
 * outgoing payment, packets, transfers, events), as copies of one that was really made, under fresh ids and at earlier times. What was
 * spent and received is booked, so that the books add up. Every table keeps its constraints and indexes.
 *
 * The node must not be running: for speed nothing is kept that an interrupted seeding could be repaired from.
 */
export function seedPastPayments(dataDir: string, made: MadePayment, count: number): void {
  const database = new Sqlite(join(dataDir, 'paydesk.db'));
  database.defaultSafeIntegers(true);
  for (const pragma of ['synchronous = off', 'cache_size = -2000000', 'temp_store = memory', 'wal_checkpoint(truncate)'])
    database.pragma(pragma);
  const journal: unknown = database.pragma('journal_mode = memory', { simple: true });
  if (journal !== 'memory') throw new Error(`the database in ${dataDir} is still in use: its journal stays ${String(journal)}`);
  database.pragma('locking_mode = exclusive');
  database.pragma('foreign_keys = on');
  try {
    const [incoming, outgoing] = [
      'incomingPayment' in made ? made.incomingPayment : '',
      'outgoingPayment' in made ? made.outgoingPayment : '',
    ];
    const quote = database.prepare<[string], string>('select quote_id from outgoing_payments where id = ?').pluck().get(outgoing);
    const ids = { i: incoming, o: outgoing, q: quote ?? '' };
    const idOfPast = freshId(`${Date.now() - count * APART_MS} + k * ${APART_MS}`);
    database.exec('create temp table past (k integer primary key, i text, o text, q text)');
    database
      .prepare(
        `with recursive counted(k) as (select 1 union all select k + 1 from counted where k < ?)
         insert into past select k, ${idOfPast}, ${idOfPast}, ${idOfPast} from counted`,
      )
      .run(BigInt(count));
    database.exec('begin');
    const rebuildIndexes = dropIndexes(database);
    for (const table of TABLES) {
      const rows = database.prepare<[typeof ids], Row>(`select * from ${table.name} where ${table.of}`).all(ids);
      // What every payment leaves; the other tables know only some of them.
      if (rows.length === 0 && (table.name === 'ledger_transfers' || table.name === 'events')) {
        throw new Error(`a payment left nothing in ${table.name}`);
      }
      for (const row of rows) copyRow(database, table, row, ids, count);
      if (table.name === 'ledger_transfers') for (const row of rows) book(database, row, BigInt(count));
    }
    rebuildIndexes();
    database.exec('commit');
    database.exec('drop table past');
  } finally {
    database.pragma('locking_mode = normal');
    database.pragma('journal_mode = wal');
    database.close();
  }
}

/** Takes the indexes of the seeded tables away, because filling a table is faster than keeping its indexes meanwhile. @returns the way to have them again. */
function dropIndexes(database: Sqlite.Database): () => void {
  const seeded = TABLES.map(({ name }) => `'${name}'`).join(', ');
  const indexes = database
    .prepare<[], { name: string; sql: string }>(
      `select name, sql from sqlite_schema where type = 'index' and sql is not null and tbl_name in (${seeded})`,
    )
    .all();
  for (const { name } of indexes) database.exec(`drop index ${name}`);
  return () => {
    for (const { sql } of indexes) database.exec(sql);
  };
}

/** One row of the payment that was made, once for every payment of the past. */
function copyRow(
  database: Sqlite.Database,
  { name, own }: (typeof TABLES)[number],
  row: Row,
  ids: Readonly<Record<'i' | 'o' | 'q', string>>,
  count: number,
): void {
  const bound: Value[] = [];
  const bind = (value: Value): string => {
    bound.push(value);
    return '?';
  };
  const expressionOf = (column: string): string => {
    const value = row[column] ?? null;
    if (value !== null && own.some((name) => name === column)) {
      return column === 'id' ? freshId(`${Date.now() - count * APART_MS} + past.k * ${APART_MS}`) : FRESH_HASH;
    }
    if (column === 'position') return '(select max(position) from events) + past.k';
    if (typeof value === 'bigint' && isTime(column)) return `${bind(value - BigInt(count) * BigInt(APART_MS))} + past.k * ${APART_MS}`;
    let expression = bind(value);
    for (const [alias, id] of Object.entries(ids)) {
      if (id !== '' && typeof value === 'string' && value.includes(id)) expression = `replace(${expression}, ${bind(id)}, past.${alias})`;
    }
    return expression;
  };
  const columns = columnsOf(row);
  const expressions = columns.map(expressionOf);
  database.prepare(`insert into ${name} (${columns.join(', ')}) select ${expressions.join(', ')} from past order by past.k`).run(bound);
}

/** The copies of a posted transfer, in the balances of its two accounts. */
function book(database: Sqlite.Database, { state, amount, debit_account_id, credit_account_id }: Row, count: bigint): void {
  if (state !== 'posted' || typeof amount !== 'bigint') return;
  const add = database.prepare('update ledger_accounts set balance = balance + ? where id = ?');
  add.run(-amount * count, debit_account_id);
  add.run(amount * count, credit_account_id);
}
