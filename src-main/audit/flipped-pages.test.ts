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

/** The page of a table or an index with its first or last entries, as the file has it. */
function pageOf(name: string, part: 'first' | 'last'): { at: number; size: number } {
  const { connection } = test.database;
  connection.pragma('wal_checkpoint(TRUNCATE)');
  const size = Number(connection.pragma('page_size', { simple: true }));
  const order = part === 'last' ? 'desc' : 'asc';
  const page = connection
    .prepare(`select pageno from dbstat where name = ? and pagetype = 'leaf' order by pageno ${order} limit 1`)
    .pluck()
    .get(name);
  return { at: (Number(page) - 1) * size, size };
}

function write(bytes: Buffer, at: number): void {
  const file = openSync(test.file, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

/** Overwrites a page of a table or an index in the file, beneath the open node. */
function overwrite(name: string, bytes: (size: number) => Buffer, part: 'first' | 'last' = 'last'): void {
  const { at, size } = pageOf(name, part);
  write(bytes(size), at);
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

  it('the audit names the account whose id is bytes in a closed piece since one bit has turned', async () => {
    const id = test.database.connection.prepare("select id from ledger_accounts where kind = 'customer'").pluck().get() as string;
    const { at, size } = pageOf('sqlite_autoindex_ledger_closings_1', 'first');
    const page = readFileSync(test.file).subarray(at, at + size);
    // An entry begins with the length of its header, one byte for each value, and the id. The byte of a text is 13 and
    // twice its length, and that of bytes is one less. See https://sqlite.org/fileformat2.html, section 2.1.
    const kind = page.indexOf(id) - 2;
    expect(page[kind]).toBe(2 * id.length + 13);
    write(Buffer.from([2 * id.length + 12]), at + kind);
    await wholeRound(book, test.file, { beganAt: world.clock.now() });
    expect(book.damages).toContainEqual(expect.objectContaining({ owner: id.slice('customer:'.length), place: id }));
  });

  it('the audit notices that one bit of the definition of an index has turned', async () => {
    test.database.connection.pragma('wal_checkpoint(TRUNCATE)');
    // The index is made of `substr(…)`. With the bit turned it is made of a function that does not exist.
    const place = readFileSync(test.file).indexOf('substr(');
    expect(place).toBeGreaterThan(0);
    write(Buffer.from('r'), place);
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
