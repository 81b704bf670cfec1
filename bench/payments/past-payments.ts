import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

/** How far two payments of the past lie apart. */
const APART_MS = 1_000;

const hex = (bytes: number): string => `hex(randomblob(${bytes}))`;
/**
 * A random id that begins with a time, as the node's own ids do. SQLite makes ids and hashes: asking Node for ten
 * million of them would take longer than storing them.
 */
const freshId = (at: string): string =>
  `lower(printf('%08x-%04x-7', (${at}) >> 16, (${at}) & 65535) || substr(${hex(2)}, 2) || '-8' || substr(${hex(2)}, 2) || '-' || ${hex(6)})`;
const FRESH_HASH = `substr(${hex(22)}, 1, 43)`;

type Value = string | bigint | null;
type Row = Record<string, Value>;

/**
 * A completed payment by its ids. A payment within the node has both, a payment between nodes has the one that is here.
 */
type MadePayment = { incomingPayment: string; outgoingPayment: string } | { incomingPayment: string } | { outgoingPayment: string };

/** The tables with rows of a payment, and the columns of these rows that hold ids of their own. */
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

/** The columns that count on from the greatest value, and their tables. */
const COUNTED: Readonly<Record<string, string>> = { position: 'events', number: 'ledger_transfers' };

const columnsOf = (row: Row): string[] => Object.keys(row);
const isTime = (column: string): boolean => column.endsWith('_at') || column === 'at' || column === 'deadline';

/**
 * Gives a node a past: `count` completed payments more, each with everything that a payment leaves behind (incoming
 * payment, quote, outgoing payment, packets, transfers, events). They are copies of a payment that was really made,
 * with fresh ids and earlier times. The function books what they spent and received, so that the books add up. Every
 * table keeps its constraints and indexes.
 *
 * The node must not be running. An interrupted seeding cannot be repaired, because for speed nothing is kept for that.
 * @throws when the database is in use.
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
    const ids = idsOf(database, made);
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
    for (const table of TABLES) copyRows(database, table, ids, count);
    countSpendings(database, ids, count);
    rebuildIndexes();
    database.exec('commit');
    database.exec('drop table past');
  } finally {
    database.pragma('locking_mode = normal');
    database.pragma('journal_mode = wal');
    database.close();
  }
  // The first sync of the node would otherwise wait for all of it.
  syncFile(join(dataDir, 'paydesk.db'));
}

function syncFile(file: string): void {
  const open = openSync(file, 'r+');
  try {
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
}

/** The ids of the payment that is copied, by the names that the queries use. An id is empty when there is none. */
type PaymentIds = Readonly<Record<'i' | 'o' | 'q', string>>;

function idsOf(database: Sqlite.Database, made: MadePayment): PaymentIds {
  const outgoing = 'outgoingPayment' in made ? made.outgoingPayment : '';
  const quote = database.prepare<[string], string>('select quote_id from outgoing_payments where id = ?').pluck().get(outgoing);
  return { i: 'incomingPayment' in made ? made.incomingPayment : '', o: outgoing, q: quote ?? '' };
}

/** Copies what the payment left in one table, and books the transfers. */
function copyRows(database: Sqlite.Database, table: (typeof TABLES)[number], ids: PaymentIds, count: number): void {
  const rows = database.prepare<[PaymentIds], Row>(`select * from ${table.name} where ${table.of}`).all(ids);
  // Every payment leaves rows in these two tables; in the others only some payments do.
  if (rows.length === 0 && (table.name === 'ledger_transfers' || table.name === 'events')) {
    throw new Error(`a payment left nothing in ${table.name}`);
  }
  for (const row of rows) {
    copyRow(database, table, row, ids, count);
    if (table.name === 'ledger_transfers') book(database, row, BigInt(count));
  }
}

/**
 * Drops the indexes of the seeded tables, because it is faster to fill a table without them.
 * @returns the function that makes them again.
 */
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

/** Counts the copies of a payment against the permission by which it was made. The column holds 20 digits. */
function countSpendings(database: Sqlite.Database, { o }: PaymentIds, count: number): void {
  const payment = database.prepare<[string], Row>('select grant_id, sent, delivered from outgoing_payments where id = ?').get(o);
  if (payment?.grant_id == null) return;
  const add = database.prepare(
    "update grant_spendings set spent = printf('%020d', cast(spent as integer) + ?) where grant_id = ? and kind = ?",
  );
  for (const [kind, each] of [
    ['debit', payment.sent],
    ['receive', payment.delivered],
  ] as const)
    if (typeof each === 'bigint') add.run(each * BigInt(count), payment.grant_id, kind);
}

/** Copies one row of the payment that was made, once for every payment of the past. */
function copyRow(database: Sqlite.Database, { name, own }: (typeof TABLES)[number], row: Row, ids: PaymentIds, count: number): void {
  const bound: Value[] = [];
  const bind = (value: Value): string => {
    bound.push(value);
    return '?';
  };
  const withPastIds = (text: string): string =>
    Object.entries(ids)
      .filter(([, id]) => id !== '' && text.includes(id))
      .reduce((expression, [alias, id]) => `replace(${expression}, ${bind(id)}, past.${alias})`, bind(text));
  const expressionOf = (column: string): string => {
    const value = row[column] ?? null;
    if (value !== null && own.some((name) => name === column)) {
      return column === 'id' ? freshId(`${Date.now() - count * APART_MS} + past.k * ${APART_MS}`) : FRESH_HASH;
    }
    const counted = COUNTED[column];
    if (counted !== undefined) return `(select max(${column}) from ${counted}) + past.k`;
    if (typeof value === 'bigint' && isTime(column)) return `${bind(value - BigInt(count) * BigInt(APART_MS))} + past.k * ${APART_MS}`;
    return typeof value === 'string' ? withPastIds(value) : bind(value);
  };
  const columns = columnsOf(row);
  const expressions = columns.map(expressionOf);
  database.prepare(`insert into ${name} (${columns.join(', ')}) select ${expressions.join(', ')} from past order by past.k`).run(bound);
}

/** Books the copies of a posted transfer in the balances of its two ledger accounts. */
function book(database: Sqlite.Database, { state, amount, debit_account_id, credit_account_id }: Row, count: bigint): void {
  if (state !== 'posted' || typeof amount !== 'bigint') return;
  const add = database.prepare('update ledger_accounts set balance = balance + ? where id = ?');
  add.run(-amount * count, debit_account_id);
  add.run(amount * count, credit_account_id);
}
