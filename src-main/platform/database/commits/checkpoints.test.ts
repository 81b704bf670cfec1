import { statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../clock.ts';
import { int64, table, text } from '../schema.ts';
import { openSqliteTest, type SqliteTest } from '../testing/sqlite-test.ts';
import { Checkpoints } from './checkpoints.ts';

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

/** Checkpoints of a log whose pages the test tells. */
function told() {
  let now = 0;
  const running: PromiseWithResolvers<{ rows: unknown[][] }>[] = [];
  const thread = {
    execute: () => {
      const run = Promise.withResolvers<{ rows: unknown[][] }>();
      running.push(run);
      return run.promise;
    },
    ...{ rest: async () => undefined, stop: async () => undefined },
  };
  const checkpoints = new Checkpoints({ thread, clock: { monotonic: () => now }, onEnded: () => undefined });
  const begin = (): void => {
    now += 2_000;
    checkpoints.commitWasMade();
  };
  /** Ends the checkpoint that runs. @param inFile how many of the log's pages are in the file then. */
  const end = async (pages: number, inFile: number): Promise<void> => {
    running.shift()?.resolve({ rows: [[0n, BigInt(pages), BigInt(inFile)]] });
    await new Promise((resolve) => setImmediate(resolve));
  };
  const runs = async (pages: number, inFile = pages): Promise<boolean> => {
    begin();
    await end(pages, inFile);
    return checkpoints.isLogTooLong;
  };
  return { checkpoints, begin, end, runs, underWay: () => running.length };
}

it('no commit waits for what a reader has kept in the log, nor for what came while that was moved', async () => {
  const { checkpoints, begin, end, runs, underWay } = told();
  expect(await runs(3_000)).toBe(false);
  expect(await runs(600_000, 4_000)).toBe(false);
  begin();
  expect(checkpoints.isLogTooLong).toBe(false);
  await checkpoints.beginAnew();
  await end(600_000, 600_000);
  expect(checkpoints.isLogTooLong).toBe(false);
  expect(await runs(620_000)).toBe(false);
  expect(await runs(621_000)).toBe(true);
  const anew = checkpoints.beginAnew();
  expect(underWay()).toBe(1);
  expect(checkpoints.isLogTooLong).toBe(false);
  await end(621_100, 621_100);
  await anew;
  expect(await runs(500)).toBe(false);
  expect(await runs(4_500)).toBe(true);
});

it('a commit waits for many pages when the disk is too slow for ever fewer of them', async () => {
  const { runs } = told();
  expect(await runs(20_000)).toBe(false);
  expect(await runs(29_900)).toBe(false);
  expect(await runs(39_700)).toBe(false);
  expect(await runs(49_500)).toBe(true);
});

it('commits wait no more often than the log has grown much, while a reader reads its newest rows', async () => {
  const { checkpoints, end, runs } = told();
  expect(await runs(3_000)).toBe(false);
  expect(await runs(5_000)).toBe(true);
  const anew = checkpoints.beginAnew();
  await end(5_100, 5_100);
  await anew;
  expect(await runs(6_000)).toBe(false);
  expect(await runs(9_196)).toBe(true);
});
