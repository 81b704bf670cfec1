import { statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../clock.ts';
import { int64, table, text } from '../schema.ts';
import { openSqliteTest, type SqliteTest } from '../testing/sqlite-test.ts';

const blobs = table('blobs', { id: int64('id').primaryKey(), words: text('words').notNull() });
const MB = 1024 * 1024;

let test: SqliteTest | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await test?.dispose();
  test = undefined;
});

/** A database whose commits take a while to reach the disk, so that one is always on its way. */
function open(readWorker: string): SqliteTest {
  let now = 0;
  vi.spyOn(systemClock, 'monotonic').mockImplementation(() => (now += 100));
  const sync = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
  const opened = openSqliteTest({ logSync: { sync, close: async () => undefined }, readWorker });
  opened.database.connection.exec('create table blobs (id integer primary key, words text not null) strict');
  test = opened;
  return opened;
}

/**
 * Writes 100 kB at a time, from several callers, so that the node never stops writing.
 * @param before how many megabytes were written before.
 */
async function writeMegabytes({ database }: SqliteTest, megabytes: number, before = 0): Promise<void> {
  let id = BigInt(before) * 10n;
  const words = 'x'.repeat(100_000);
  const writer = async () => {
    while (id < (before + megabytes) * 10) {
      id += 1n;
      const row = { id, words };
      await database.write(async (tx) => void (await tx.insert(blobs).values(row)));
    }
  };
  await Promise.all([writer(), writer(), writer(), writer(), writer(), writer()]);
}

it('the log of a node that never stops writing stays short, and nothing is lost', async () => {
  const opened = open(join(import.meta.dirname, '../threads/read-worker.ts'));
  const size = (): number => statSync(`${opened.file}-wal`).size;
  let written = 0;
  const more = async (megabytes: number): Promise<void> => {
    await writeMegabytes(opened, megabytes, written);
    written += megabytes;
  };
  // The thread takes some time to start. From the first time on that it has moved the log, the log begins anew.
  const hasBegunAnew = async (): Promise<boolean> => {
    await more(10);
    return size() < (written - 5) * MB;
  };
  await expect.poll(hasBegunAnew, { timeout: 60_000 }).toBe(true);
  const before = size();
  await more(200);
  expect(size()).toBeLessThan(before + 100 * MB);
  expect(await opened.database.read.select({ id: blobs.id }).from(blobs)).toHaveLength(written * 10);
  expect(opened.database.connection.pragma('integrity_check', { simple: true })).toBe('ok');
});

it('the log is held while somebody reads older rows, and no longer, though nobody writes any more', async () => {
  const opened = open(join(import.meta.dirname, '../threads/read-worker.ts'));
  const { database, file } = opened;
  await writeMegabytes(opened, 20);
  await expect.poll(() => database.isLogHeld(), { timeout: 60_000 }).toBe(false);
  const reader = new Sqlite(file, { readonly: true });
  reader.exec('begin');
  reader.prepare('select count(*) from blobs').get();
  let written = 20;
  const isHeld = async (): Promise<boolean> => {
    await writeMegabytes(opened, 20, written);
    written += 20;
    return await database.isLogHeld();
  };
  await expect.poll(isHeld, { timeout: 60_000 }).toBe(true);
  expect(await database.isLogHeld()).toBe(true);
  reader.close();
  expect(await database.isLogHeld()).toBe(false);
});

it('SQLite moves the log itself when the thread has ended', async () => {
  const opened = open(join(import.meta.dirname, 'missing-worker.ts'));
  expect(opened.database.connection.pragma('wal_autocheckpoint', { simple: true })).toBe(0n);
  await writeMegabytes(opened, 10);
  await expect.poll(() => opened.database.connection.pragma('wal_autocheckpoint', { simple: true })).toBe(1_000n);
});
