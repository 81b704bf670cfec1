import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PIECE } from '../ledger/audit/pieces.ts';
import { openPayments } from '../payments/testing/payments.ts';
import { openSqliteTest, type SqliteTest } from '../platform/database/testing/sqlite-test.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { AuditBook } from './audit-book.ts';
import { wholeRound } from './testing/whole-round.ts';

let test: SqliteTest;
let world: ReturnType<typeof openPayments>;
let book: AuditBook;

beforeEach(async () => {
  test = openSqliteTest({ rehearse: false, onDamaged: (error) => book.unreadable(error) });
  world = openPayments({ testDatabase: test, quiet: true });
  book = new AuditBook({ database: test.database, clock: world.clock, log: createLogger('silent') });
  const made = await world.walletAddresses.create({
    id: randomUUID(),
    name: 'alice',
    publicName: 'a',
    assetCode: 'USD',
    assetScale: 2,
    openingBalance: 9n,
  });
  const walletAddressId = made.ok ? made.value.id : '';
  const deposit = () =>
    world.walletAddresses.move({ id: randomUUID(), kind: 'deposit', walletAddressId, amount: 5n, note: 'x'.repeat(300) });
  await Promise.all(Array.from({ length: 3 * PIECE }, deposit));
  expect(await round()).toEqual([]);
});
afterEach(() => world.close());

async function round(): Promise<string[]> {
  await wholeRound(book, test.file, { beganAt: world.clock.now() });
  return book.damages.map(({ finding, place }) => `${finding} ${place}`);
}

/** Overwrites pages of a table or an index in the file, beneath the open node. */
function overwrite(name: string, bytes: (size: number) => Buffer, part: 'first' | 'last' = 'last'): void {
  const { connection } = test.database;
  connection.pragma('wal_checkpoint(TRUNCATE)');
  const size = Number(connection.pragma('page_size', { simple: true }));
  const order = part === 'last' ? 'desc' : 'asc';
  const page = connection
    .prepare(`select pageno from dbstat where name = ? and pagetype = 'leaf' order by pageno ${order} limit 1`)
    .pluck()
    .get(name);
  const file = openSync(test.file, 'r+');
  writeSync(file, bytes(size), 0, size, (Number(page) - 1) * size);
  closeSync(file);
}

const zeros = (size: number) => Buffer.alloc(size);
const garbage = (size: number) => randomBytes(size);

describe('beneath a running node', () => {
  it.each([
    ['ledger_transfers', zeros],
    ['ledger_transfers', garbage],
    ['ledger_transfers_credit', zeros],
    ['events', garbage],
    ['events_subject', zeros],
    ['wallet_addresses', garbage],
    ['ledger_pieces', garbage],
    ['ledger_closings', zeros],
  ] as const)('the audit notices that a page of %s was overwritten', async (name, bytes) => {
    overwrite(name, bytes);
    expect(await round()).not.toEqual([]);
  });

  it('the audit notices that one bit of the definition of an index has turned', async () => {
    test.database.connection.pragma('wal_checkpoint(TRUNCATE)');
    // The index is made of `substr(…)`. With the bit turned it is made of a function that does not exist.
    const place = readFileSync(test.file).indexOf('substr(');
    expect(place).toBeGreaterThan(0);
    const file = openSync(test.file, 'r+');
    writeSync(file, 'r', place);
    closeSync(file);
    expect(await round()).toContainEqual(expect.stringMatching(/^unreadable /));
  });

  it('a read of the node that meets such a page is damage at once, and no money moves any more', async () => {
    overwrite('ledger_transfers_credit', garbage, 'first');
    const all = test.database.connection.prepare('select count(*) from events').pluck().get();
    expect(all).toBeGreaterThan(0);
    const { isCreditListed, ledgerTransfers } = await import('../ledger/tables.ts');
    const read = async () => {
      for (let n = 0; n < 40; n++)
        await test.database.read
          .select()
          .from(ledgerTransfers)
          .where(isCreditListed)
          .orderBy(ledgerTransfers.creditAccountId, ledgerTransfers.createdAt, ledgerTransfers.id)
          .limit(2_000)
          .offset(n);
    };
    await expect(read()).rejects.toThrow();
    expect(book.damages).toMatchObject([{ owner: '', finding: 'unreadable' }]);
  });
});
