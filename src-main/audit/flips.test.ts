import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PIECE } from '../ledger/audit/pieces.ts';
import { ORIGIN, openPayments } from '../payments/testing/payments.ts';
import { openSqliteTest } from '../platform/database/testing/sqlite-test.ts';
import { createLogger } from '../platform/logs/logger.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import { AuditBook } from './audit-book.ts';
import { damagesOnPages } from './testing/damages-on-pages.ts';
import { wholeRound } from './testing/whole-round.ts';

/** How many damages a run makes. PAYDESK_FLIPS sets another number. */
const FLIPS = Number(process.env.PAYDESK_FLIPS ?? 100);
const SECTOR = 512;

/** What must never change without notice: where money is, how it came there, and what payments have moved. */
const MONEY = [
  'select id, kind, asset_code, asset_scale, balance, pending from ledger_accounts order by id',
  'select number, state, debit_account_id, credit_account_id, amount, payment_id from ledger_transfers order by number',
  'select id, wallet_address_id, received from incoming_payments order by id',
  'select id, wallet_address_id, state, debit_amount, sent, held from outgoing_payments order by id',
];

let folder: string;
let file: string;
/** The database file as it was before the damage, and the money in it. */
let whole: Buffer;
let money: readonly string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-flips-'));
  file = join(folder, 'damaged.db');
  const test = openSqliteTest({ rehearse: false });
  const world = openPayments({ testDatabase: test, quiet: true });
  const account = async (name: string): Promise<WalletAddress> => {
    const terms = { name, publicName: name, assetCode: 'USD', assetScale: 2, openingBalance: 10_000n };
    const made = await world.walletAddresses.create({ id: crypto.randomUUID(), ...terms });
    if (!made.ok) throw new Error(made.error);
    return made.value;
  };
  const [alice, bob] = [await account('alice'), await account('bob')];
  const pay = async (value: bigint) => {
    const incoming = await world.incomingPayments.create({ walletAddress: bob, client: null });
    if (!incoming.ok) throw new Error(incoming.error);
    const paid = await world.outgoingPayments.createFromIncomingPayment({
      walletAddress: alice,
      right: null,
      incomingPayment: `${ORIGIN}/incoming-payments/${incoming.value.id}`,
      debitAmount: { value, assetCode: 'USD', assetScale: 2 },
    });
    if (!paid.ok) throw new Error(paid.error.code);
    return paid.value.id;
  };
  const ids = await Promise.all(Array.from({ length: 40 }, (_, n) => pay(BigInt(n + 1))));
  await world.worker.start();
  const isCompleted = async (id: string) => expect((await world.outgoingPayments.find(id))?.state).toBe('completed');
  for (const id of ids) await vi.waitFor(() => isCompleted(id), { timeout: 30_000 });
  const deposit = () =>
    world.walletAddresses.move({ id: crypto.randomUUID(), kind: 'deposit', walletAddressId: alice.id, amount: 5n, note: 'till' });
  await Promise.all(Array.from({ length: PIECE }, deposit));
  await world.worker.stop();
  const book = new AuditBook({ database: test.database, clock: world.clock, log: createLogger('silent') });
  await wholeRound(book, test.file, { beganAt: world.clock.now() });
  expect(book.damages).toEqual([]);
  test.database.connection.pragma('wal_checkpoint(TRUNCATE)');
  whole = readFileSync(test.file);
  await world.close();
  writeFileSync(file, whole);
  money = moneyIn(file) ?? [];
  expect(await damagesOnPages(file)).toEqual([]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** @returns what the books say about money, or undefined when they cannot be read. */
function moneyIn(path: string): string[] | undefined {
  const books = new Sqlite(path, { readonly: true });
  try {
    return MONEY.flatMap((query) =>
      books
        .prepare(query)
        .raw()
        .all()
        .map((row) => JSON.stringify(row)),
    );
  } catch {
    return undefined;
  } finally {
    books.close();
  }
}

/** @returns the rows that are not as before. */
const changes = (now: readonly string[] | undefined): string[] =>
  now === undefined ? ['the books cannot be read'] : now.filter((row, nth) => row !== money[nth]).slice(0, 3);

/** What disks and memories do: one bit turns, a sector is lost, or it is written to the wrong place. */
const damage = fc.oneof(
  fc.record({ kind: fc.constant('bit' as const), at: fc.nat(), bit: fc.nat(7) }),
  fc.record({ kind: fc.constant('zeros' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('misplaced' as const), at: fc.nat(), from: fc.nat() }),
);

function damaged(what: typeof damage extends fc.Arbitrary<infer T> ? T : never): Buffer {
  const bytes = Buffer.from(whole);
  const sectorAt = (n: number) => (n % (bytes.length / SECTOR)) * SECTOR;
  if (what.kind === 'bit') {
    const at = what.at % bytes.length;
    bytes[at] = (bytes[at] ?? 0) ^ (1 << what.bit);
  } else if (what.kind === 'zeros') bytes.fill(0, sectorAt(what.at), sectorAt(what.at) + SECTOR);
  else whole.copy(bytes, sectorAt(what.at), sectorAt(what.from), sectorAt(what.from) + SECTOR);
  return bytes;
}

it('no damage of the file changes money without the notice of the audit', { timeout: 120_000 + 200 * FLIPS }, async () => {
  const counted = { noticed: 0, 'without effect on money': 0 };
  await fc.assert(
    fc.asyncProperty(damage, async (what) => {
      writeFileSync(file, damaged(what));
      const isNoticed = (await damagesOnPages(file)).length > 0;
      if (!isNoticed) expect(changes(moneyIn(file))).toEqual([]);
      counted[isNoticed ? 'noticed' : 'without effect on money'] += 1;
    }),
    { numRuns: FLIPS },
  );
  process.stdout.write(`damages of the file: ${JSON.stringify(counted)}\n`);
});
