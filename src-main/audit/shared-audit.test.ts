import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openPayments } from '../payments/testing/payments.ts';
import { hasPostgres } from '../platform/database/testing/postgres-databases.ts';
import { openPostgresTest } from '../platform/database/testing/postgres-test.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { AuditBook } from './audit-book.ts';
import { SharedAudit } from './shared-audit.ts';

describe.runIf(hasPostgres)('the audit of books in a shared database', () => {
  let test: ReturnType<typeof openPostgresTest>;
  let world: ReturnType<typeof openPayments>;
  let book: AuditBook;
  let audit: SharedAudit;
  let isMine: boolean;
  /** How often the audit has rested. */
  let rests: number;

  beforeEach(async () => {
    test = openPostgresTest({});
    world = openPayments({ testDatabase: test, quiet: true });
    await world.account('alice', 10_000n);
    book = newBook();
    [isMine, rests] = [true, 0];
    audit = new SharedAudit({
      ...{ database: test.database, clock: world.clock, log: createLogger('silent'), book },
      isMine: () => isMine,
      pace: { restAfter: () => 0 },
      rest: async () => {
        rests += 1;
        world.clock.advance(1);
        await new Promise((resolve) => setImmediate(resolve));
      },
    });
  });
  afterEach(async () => {
    await audit.stop();
    await world.close();
  });

  const newBook = () => new AuditBook({ database: test.database, clock: world.clock, log: createLogger('silent') });
  const damage = (by: number) => test.tamper(`update ledger_accounts set balance = balance + ${by} where kind = 'customer'`);
  const found = (by = book) => by.damages.map(({ finding }) => finding);

  it('finds damage, stores it for the others, and takes it back when it is mended', async () => {
    await damage(1);
    audit.start();
    await expect.poll(() => found().length).toBeGreaterThan(0);
    const there = newBook();
    const foundThere = async () => {
      await there.load();
      return found(there).length;
    };
    await expect.poll(foundThere).toBeGreaterThan(0);
    await damage(-1);
    await expect.poll(() => found()).toEqual([]);
    expect((await test.look("select count(*) as n from events where type = 'books.mended'"))[0]?.n).toBeGreaterThan(0n);
  });

  it('finds nothing in whole books, and says since when they are', async () => {
    audit.start();
    await expect.poll(() => book.goodAt).toBeGreaterThan(0);
    expect(found()).toEqual([]);
  });

  it('that fails is told, until a round has seen everything', async () => {
    const failed = vi.spyOn(book, 'failed');
    vi.spyOn(test.database, 'readAtOnce').mockRejectedValueOnce(new Error('no answer'));
    audit.start();
    await expect.poll(() => failed.mock.calls.length).toBe(1);
    await expect.poll(() => book.goodAt).toBeGreaterThan(0);
    expect(book.failedAt).toBeUndefined();
  });

  it('is done by one replica: another one reads nothing', async () => {
    isMine = false;
    await damage(1);
    audit.start();
    await expect.poll(() => rests).toBeGreaterThan(20);
    expect(found()).toEqual([]);
    // It takes the audit over when the first is gone.
    isMine = true;
    await expect.poll(() => found().length).toBeGreaterThan(0);
  });
});
