import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BooksDamaged } from '../ledger/audit/damages.ts';
import { numberEarlierTransfers, PIECE } from '../ledger/audit/pieces.ts';
import { ORIGIN, openPayments } from '../payments/testing/payments.ts';
import { newPeer, openTestPeers } from '../peers/testing/peers.ts';
import { openSqliteTest, type SqliteTest } from '../platform/database/testing/sqlite-test.ts';
import { createLogger } from '../platform/logs/logger.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import { AuditBook } from './audit-book.ts';
import { wholeRound } from './testing/whole-round.ts';

let test: SqliteTest;
let world: ReturnType<typeof openPayments>;
let book: AuditBook;
let [alice, bob, carol]: WalletAddress[] = [];

beforeEach(async () => {
  test = openSqliteTest({ rehearse: false });
  world = openPayments({ testDatabase: test, quiet: true });
  book = newBook();
  [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map((name) => account(name)));
});
afterEach(() => world.close());

const newBook = () => new AuditBook({ database: test.database, clock: world.clock, log: createLogger('silent') });
const sql = (statement: string, ...values: unknown[]) => test.database.connection.prepare(statement).run(values);
const idOf = (walletAddress: WalletAddress | undefined): string => walletAddress?.id ?? '';

async function account(name: string): Promise<WalletAddress> {
  const made = await world.walletAddresses.create({
    id: randomUUID(),
    name,
    publicName: name,
    assetCode: 'USD',
    assetScale: 2,
    openingBalance: 10_000n,
  });
  if (!made.ok) throw new Error(made.error);
  return made.value;
}

const deposit = (to: WalletAddress | undefined) =>
  world.walletAddresses.move({ id: randomUUID(), kind: 'deposit', walletAddressId: idOf(to), amount: 5n, note: '' });

async function round(): Promise<string[]> {
  world.clock.advance(1_000);
  await wholeRound(book, test.file, { beganAt: world.clock.now() });
  return book.damages.map(({ owner, finding }) => `${nameOf(owner)} ${finding}`);
}

const nameOf = (owner: string): string => [alice, bob, carol].find((one) => one?.id === owner)?.name ?? owner;

/** Stores so many deposits into an account that they make a closed piece. */
async function closedPiece(): Promise<void> {
  await Promise.all(Array.from({ length: PIECE }, () => deposit(alice)));
  expect(await round()).toEqual([]);
}

describe('the audit', () => {
  it('finds nothing in whole books, whatever is under way in them', async () => {
    const incoming = await world.incomingPayments.create({ walletAddress: bob as WalletAddress, client: null });
    if (!incoming.ok) throw new Error(incoming.error);
    const receiver = `${ORIGIN}/incoming-payments/${incoming.value.id}`;
    const debitAmount = { value: 700n, assetCode: 'USD', assetScale: 2 };
    const paid = await world.outgoingPayments.createFromIncomingPayment({
      walletAddress: alice as WalletAddress,
      right: null,
      incomingPayment: receiver,
      debitAmount,
    });
    expect(paid.ok).toBe(true);
    expect(await round()).toEqual([]);
    await world.worker.start();
    await expect.poll(async () => (paid.ok ? (await world.outgoingPayments.find(paid.value.id))?.state : undefined)).toBe('completed');
    expect(await round()).toEqual([]);
    expect(book.goodAt).toBe(world.clock.now());
  });

  it('finds two changed balances that cancel out, and no money moves on these accounts any more', async () => {
    expect(await round()).toEqual([]);
    const goodAt = world.clock.now();
    sql('update ledger_accounts set balance = balance + 7 where id = ?', `customer:${idOf(alice)}`);
    sql('update ledger_accounts set balance = balance - 7 where id = ?', `customer:${idOf(bob)}`);
    expect((await round()).toSorted()).toEqual(['alice balance', 'bob balance']);
    expect(book.damages.map((damage) => damage.goodAt)).toEqual([goodAt, goodAt]);
    await expect(deposit(alice)).rejects.toThrow(BooksDamaged);
    await expect(deposit(bob)).rejects.toThrow(BooksDamaged);
    expect(await deposit(carol)).toMatchObject({ ok: true });
  });

  it('finds a changed transfer that was final long ago, with the balances changed to match', async () => {
    await closedPiece();
    sql('update ledger_transfers set amount = amount + 1 where number = 9');
    sql('update ledger_accounts set balance = balance + 1 where id = ?', `customer:${idOf(alice)}`);
    sql("update ledger_accounts set balance = balance - 1 where id = 'external:USD/2'");
    expect(await round()).toEqual(expect.arrayContaining(['alice transfer_changed', 'USD/2 transfer_changed']));
    expect(book.damages.some(({ owner }) => owner === bob?.id)).toBe(false);
  });

  it('finds a transfer whose money is right and whose note was changed', async () => {
    await closedPiece();
    sql("update ledger_transfers set note = 'for Anna' where number = 9");
    expect(await round()).toEqual(expect.arrayContaining(['alice transfer_changed']));
  });

  it('finds a deleted transfer of a closed piece', async () => {
    await closedPiece();
    sql('delete from ledger_transfers where number = 9');
    expect(await round()).toEqual(expect.arrayContaining(['alice transfer_missing']));
  });

  it('finds a deleted transfer that is new', async () => {
    await deposit(carol);
    sql('delete from ledger_transfers where number = (select max(number) from ledger_transfers)');
    expect(await round()).toEqual(expect.arrayContaining(['carol balance']));
  });

  it('closes no piece in which a transfer is missing, and lets no money move then', async () => {
    await Promise.all(Array.from({ length: PIECE }, () => deposit(alice)));
    sql('delete from ledger_transfers where number = 9');
    expect(await round()).toContain(' transfer_missing');
    await expect(deposit(bob)).rejects.toThrow(BooksDamaged);
  });

  it('finds a payment that says it has cost something else than left its account', async () => {
    const incoming = await world.incomingPayments.create({ walletAddress: bob as WalletAddress, client: null });
    if (!incoming.ok) throw new Error(incoming.error);
    sql('update incoming_payments set received = 5');
    expect(await round()).toEqual(['bob payment']);
  });

  it('finds a payment under way whose amount was changed, whichever of its amounts that is', async () => {
    const incoming = await world.incomingPayments.create({ walletAddress: bob as WalletAddress, client: null });
    if (!incoming.ok) throw new Error(incoming.error);
    const made = await world.outgoingPayments.createFromIncomingPayment({
      ...{ walletAddress: alice as WalletAddress, right: null, incomingPayment: `${ORIGIN}/incoming-payments/${incoming.value.id}` },
      debitAmount: { value: 700n, assetCode: 'USD', assetScale: 2 },
    });
    expect(made.ok).toBe(true);
    for (const column of ['debit_amount', 'sent', 'delivered', 'held']) {
      sql(`update outgoing_payments set ${column} = ${column} + 1`);
      expect(await round(), column).toContain('alice payment');
      sql(`update outgoing_payments set ${column} = ${column} - 1`);
      expect(await round(), column).toEqual([]);
    }
  });

  it('finds an account that holds something else than what is under way', async () => {
    sql('update ledger_accounts set pending = pending + 1 where id = ?', `customer:${idOf(alice)}`);
    expect(await round()).toEqual(['alice held']);
  });

  it('finds an account that is gone', async () => {
    test.database.connection.pragma('foreign_keys = off');
    sql('delete from ledger_accounts where id = ?', `customer:${idOf(carol)}`);
    expect(await round()).toEqual(['carol balance']);
  });

  it('finds a kept sum that was changed together with the balance of its account', async () => {
    await closedPiece();
    sql('update ledger_closings set sum = cast(cast(sum as integer) + 1 as text) where account_id = ?', `customer:${idOf(alice)}`);
    sql('update ledger_accounts set balance = balance + 1 where id = ?', `customer:${idOf(alice)}`);
    expect(await round()).toEqual(['alice balance']);
  });

  it('finds a peer with something else under way than its open packets', async () => {
    const added = await openTestPeers({ database: test.database, clock: world.clock }).registry.add(newPeer({ id: randomUUID() }));
    if (!added.ok) throw new Error(added.error);
    expect(await round()).toEqual([]);
    sql('update peers set in_flight = 5');
    expect((await round()).filter((found) => found.endsWith('in_flight'))).toHaveLength(1);
  });

  it('finds another kind and another currency on an account without money', async () => {
    test.database.connection.pragma('ignore_check_constraints = on');
    sql("update ledger_accounts set kind = 'dscrow' where id = ?", `escrow:${idOf(alice)}`);
    sql('update ledger_accounts set asset_scale = 3 where id = ?', `escrow:${idOf(bob)}`);
    sql("update ledger_accounts set asset_code = 'EUR' where id = 'external:USD/2'");
    expect((await round()).filter((found) => found.endsWith(' owner')).toSorted()).toEqual(['USD/2 owner', 'alice owner', 'bob owner']);
  });

  it('remembers the damage over a restart, and takes it back once a whole round finds it mended', async () => {
    sql('update ledger_accounts set balance = balance + 7 where id = ?', `customer:${idOf(alice)}`);
    await round();
    book = newBook();
    await book.load();
    expect(book.damages).toHaveLength(1);
    sql('update ledger_accounts set balance = balance - 7 where id = ?', `customer:${idOf(alice)}`);
    expect(await round()).toEqual([]);
    expect(await deposit(alice)).toMatchObject({ ok: true });
    const types = test.database.connection.prepare("select type from events where type like 'books.%' order by position").pluck().all();
    expect(types).toEqual(['books.damaged', 'books.mended']);
  });

  it('takes mended damage back although the clock was ahead when it was found, and is put right', async () => {
    world.clock.jump(2 * 3_600_000);
    sql('update ledger_accounts set balance = balance + 7 where id = ?', `customer:${idOf(alice)}`);
    await round();
    world.clock.jump(-2 * 3_600_000);
    sql('update ledger_accounts set balance = balance - 7 where id = ?', `customer:${idOf(alice)}`);
    expect(await round()).toEqual([]);
    expect(await deposit(alice)).toMatchObject({ ok: true });
  });

  it('numbers the transfers of an earlier version, and notices from then on when one is changed', async () => {
    await Promise.all(Array.from({ length: PIECE }, () => deposit(alice)));
    sql('update ledger_transfers set number = null');
    await numberEarlierTransfers(test.database);
    expect(await round()).toEqual([]);
    sql("update ledger_transfers set note = 'x' where number = 1");
    expect(await round()).not.toEqual([]);
  });
});
