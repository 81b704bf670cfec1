import { closeSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { expect } from 'vitest';
import { wholeRound } from '../audit/testing/whole-round.ts';
import { PIECE } from '../ledger/audit/pieces.ts';
import { booksDamages } from '../operator-api/queries/health/books-health.ts';
import { healthChecks } from '../operator-api/queries/health/health.ts';
import { onSqlite } from '../platform/database/testing/on-sqlite.ts';
import { openSqliteTest } from '../platform/database/testing/sqlite-test.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

// Bits turn in the files of a node that runs: in the database file and in its log, beneath its open connections. It
// pays after each, and has a payment under way meanwhile. Either the node says that its books are damaged, and takes no
// new payment, or every unit is where it must be.

/** How many damages a run makes. PAYDESK_FLIPS sets another number. */
const FLIPS = Number(process.env.PAYDESK_FLIPS ?? 60);
const USD = { assetCode: 'USD', assetScale: 2 };
/** The tables and indexes from which the node learns what money may move. */
const OF_MONEY =
  /^(ledger_|sqlite_autoindex_ledger|(incoming|outgoing)_payments|sqlite_autoindex_(incoming|outgoing)_payments|wallet_addr)/;

/** Bytes of the file, from `from` up to `to`. */
interface Stretch {
  from: number;
  to: number;
}

/** The database file before any damage, and where its rows and entries {@link OF_MONEY} lie, by table or index. */
let whole: Buffer;
let places: readonly (readonly Stretch[])[];
let shared: Pick<TestNode, 'clock' | 'accounts'>;

/** Makes books in which much was paid, and keeps them. */
async function makeBooks(): Promise<void> {
  const node = await openTestNode();
  const { test, clock, accounts, payments } = node;
  await payments.worker.start();
  for (let n = 1; n <= 20; n += 1) await ended(node, await begin(node, BigInt(n)));
  const deposit = () =>
    payments.walletAddresses.move({ id: crypto.randomUUID(), kind: 'deposit', walletAddressId: accounts.alice.id, amount: 5n, note: '' });
  await Promise.all(Array.from({ length: PIECE }, deposit));
  await wholeRound(node.audit, test.file, { beganAt: clock.now() });
  expect(node.audit.damages).toEqual([]);
  await test.stored();
  whole = readFileSync(test.file);
  const books = new Sqlite(test.file, { readonly: true });
  const size = Number(books.pragma('page_size', { simple: true }));
  const pages = books.prepare<[], { name: string; pageno: number }>('select name, pageno from dbstat').all();
  // The header of a page says where its content begins. See https://sqlite.org/fileformat2.html, section 1.6.
  const contentOf = ({ pageno }: { pageno: number }) => {
    const page = (pageno - 1) * size;
    return { from: page + whole.readUInt16BE(page + 5), to: page + size };
  };
  const ofMoney = Map.groupBy(
    pages.filter(({ name }) => OF_MONEY.test(name)),
    ({ name }) => name,
  );
  places = [...ofMoney.values()].map((some) => some.map(contentOf).filter(({ from, to }) => from < to)).filter(({ length }) => length > 0);
  books.close();
  shared = { clock, accounts };
  await node.close();
}

/** Asks for a payment from alice to carol. @returns its id. */
async function begin({ payments, urls, accounts }: TestNode, amount: bigint): Promise<string> {
  const asked = await payments.incomingPayments.create({
    walletAddress: accounts.carol,
    client: 'app',
    incomingAmount: { value: amount, ...USD },
  });
  if (!asked.ok) throw new Error(asked.error);
  const incomingPayment = urls.incomingPayment(asked.value.id);
  const debitAmount = { value: amount, ...USD };
  const paid = await payments.outgoingPayments.createFromIncomingPayment({
    walletAddress: accounts.alice,
    right: null,
    incomingPayment,
    debitAmount,
  });
  if (!paid.ok) throw new Error(paid.error.code);
  return paid.value.id;
}

/** Waits until a payment has ended, or nothing moves any more. */
async function ended({ payments, test }: TestNode, id: string): Promise<void> {
  for (let look = 0; look < 40; look += 1) {
    const payment = await payments.outgoingPayments.find(id);
    if (payment?.state === 'completed' || payment?.state === 'failed') return;
    await test.idle(20);
  }
}

/** A bit of a file: of the database's anywhere, of what it holds of money, or of the log. */
const bit = fc.record({
  of: fc.constantFrom('file', 'money', 'money', 'log'),
  ...{ at: fc.nat(), table: fc.nat(), page: fc.nat(), bit: fc.nat(7) },
});
type Bit = typeof bit extends fc.Arbitrary<infer T> ? T : never;

function placeOf({ of, at, table, page }: Bit, file: string): number {
  if (of !== 'money') return at % statSync(file).size;
  const stretches = places[table % places.length] ?? [];
  const { from, to } = stretches[page % stretches.length] ?? { from: 0, to: 1 };
  return from + (at % (to - from));
}

function turn(path: string, what: Bit): void {
  const file = what.of === 'log' ? `${path}-wal` : path;
  const place = placeOf(what, file);
  const [open, byte] = [openSync(file, 'r+'), Buffer.alloc(1)];
  readSync(open, byte, 0, 1, place);
  byte[0] = (byte[0] ?? 0) ^ (1 << what.bit);
  writeSync(open, byte, 0, 1, place);
  closeSync(open);
}

interface Transfer {
  number: bigint | null;
  state: string;
  debit_account_id: string;
  credit_account_id: string;
  amount: bigint;
  payment_id: string | null;
}
interface Money {
  transfers: Transfer[];
  balances: Map<string, bigint>;
}

/** @returns where the money is, read from beside the node, or undefined when that cannot be read. */
function moneyIn(path: string): Money | undefined {
  const books = new Sqlite(path, { readonly: true });
  try {
    books.defaultSafeIntegers(true);
    const transfers = books.prepare<[], Transfer>('select * from ledger_transfers order by id').all();
    const balances = books.prepare<[], { id: string; balance: bigint }>('select id, balance from ledger_accounts').all();
    return { transfers, balances: new Map(balances.map(({ id, balance }) => [id, balance])) };
  } catch {
    return undefined;
  } finally {
    books.close();
  }
}

const text = (row: object) => JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

/** What is wrong with the money of a node in which `paid` was asked for, and nothing else was. */
function wrongMoney(node: TestNode, before: Money, after: Money | undefined, paid: ReadonlyMap<string, bigint>): string[] {
  if (after === undefined) return ['the books cannot be read'];
  const [alice, carol] = [node.accounts.alice, node.accounts.carol].map(({ id }) => `customer:${id}`);
  const isFinal = ({ number }: Transfer) => number !== null;
  const now = new Set(after.transfers.map(text));
  const old = new Set(before.transfers.filter(isFinal).map(({ number }) => number));
  const fresh = after.transfers.filter(({ state, number }) => state === 'posted' && !old.has(number));
  const isRight = (t: Transfer) =>
    t.debit_account_id === alice && t.credit_account_id === carol && paid.get(t.payment_id ?? '') === t.amount;
  const moved = fresh.reduce((sum, { amount }) => sum + amount, 0n);
  const shift = new Map([
    [alice, -moved],
    [carol, moved],
  ]);
  const accounts = new Set([...before.balances.keys(), ...after.balances.keys()]);
  return [
    ...before.transfers.filter((row) => isFinal(row) && !now.has(text(row))).map((row) => `gone: ${text(row)}`),
    ...fresh.filter((row) => !isRight(row)).map((row) => `wrong: ${text(row)}`),
    ...[...accounts]
      .filter((id) => after.balances.get(id) !== (before.balances.get(id) ?? 0n) + (shift.get(id) ?? 0n))
      .map((id) => `balance of ${id}`),
  ];
}

/** Turns a bit beneath a running node that pays. @returns whether the node has noticed it. */
async function play(what: Bit): Promise<boolean> {
  let node: TestNode | undefined;
  const test = openSqliteTest({ rehearse: false, onDamaged: (error) => node?.audit.unreadable(error) }, whole);
  node = await openTestNode({ beside: { ...shared, test } });
  const { audit, database, payments, clock } = node;
  try {
    const paid = new Map([[await begin(node, 700n), 700n]]);
    const before = moneyIn(test.file);
    if (before === undefined) throw new Error('the books cannot be read before the damage');
    turn(test.file, what);
    // Whoever meets damage may fail in any way.
    await payments.worker.start().catch(() => undefined);
    for (const id of paid.keys()) await ended(node, id).catch(() => undefined);
    const next = await begin(node, 300n).catch(() => undefined);
    if (next !== undefined) {
      paid.set(next, 300n);
      await ended(node, next).catch(() => undefined);
    }
    await wholeRound(audit, test.file, { beganAt: clock.now() }).catch((error: unknown) => {
      if (database.notStored === undefined) throw error;
    });
    const isNoticed = audit.damages.length > 0 || database.notStored !== undefined;
    const wrong = wrongMoney(node, before, moneyIn(test.file), paid);
    expect(isNoticed ? [] : wrong).toEqual([]);
    if (isNoticed) await expectTold(node);
    return isNoticed;
  } finally {
    await node.close().catch(() => undefined);
    await test.dispose().catch(() => undefined);
  }
}

/** The node says that it is damaged, and no new payment moves money on what is damaged. */
async function expectTold(node: TestNode): Promise<void> {
  const { app, audit, database, payments, accounts } = node;
  expect((await app.inject('/readyz')).statusCode).toBe(503);
  const damages = await booksDamages({ audit, walletAddresses: payments.walletAddresses, peers: payments.peers.operator });
  const rest = { sums: [], isShared: false, stuck: 0, unknown: 0, reachable: true, certificate: undefined };
  const states = healthChecks({ notStored: database.notStored, damages, ...rest }).map(({ state }) => state);
  expect(states).toContain('bad');
  const touches = (owner: string) => owner === '' || owner === accounts.alice.id || owner === accounts.carol.id;
  if (audit.damages.some(({ owner }) => touches(owner))) await expect(begin(node, 1n)).rejects.toThrow();
}

onSqlite('the audit reads the file of SQLite')(
  'a bit that turns beneath a running node is noticed, or no unit is elsewhere',
  async () => {
    await makeBooks();
    const counted = { noticed: 0, 'without effect on money': 0 };
    await fc.assert(
      fc.asyncProperty(bit, async (what) => {
        counted[(await play(what)) ? 'noticed' : 'without effect on money'] += 1;
      }),
      { numRuns: FLIPS },
    );
    process.stdout.write(`bits beneath a running node: ${JSON.stringify(counted)}\n`);
  },
  120_000 + 1_000 * FLIPS,
);
