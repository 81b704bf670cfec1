import { open } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { count } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DatabaseStopped } from '../database.ts';
import { int64, table } from '../schema.ts';
import { SqliteDatabase } from '../sqlite.ts';
import { openSqliteTest, type SqliteTest } from '../testing/sqlite-test.ts';

const marks = table('marks', { id: int64('id').primaryKey() });

let test: SqliteTest;
let syncs: PromiseWithResolvers<void>[];
/** What the callers have been told, in that order. */
let told: string[];
beforeEach(() => {
  syncs = [];
  told = [];
  const sync = () => {
    const next = Promise.withResolvers<void>();
    syncs.push(next);
    return next.promise;
  };
  const readWorker = join(import.meta.dirname, '../threads/read-worker.ts');
  test = openSqliteTest({ logSync: { sync, close: async () => undefined }, readWorker });
  test.database.connection.exec('create table marks (id integer primary key) strict');
});
afterEach(async () => {
  for (const { resolve } of syncs) resolve();
  await test.dispose();
});

function write(id: bigint): void {
  const writing = test.database.write(async (tx) => {
    await tx.insert(marks).values({ id });
  });
  writing.then(
    () => told.push(`stored ${id}`),
    (error: unknown) => told.push(error instanceof DatabaseStopped ? `stopped ${id}` : String(error)),
  );
}
/** A job that changes nothing. */
function look(): void {
  void test.database.write(async (tx) => void (await tx.select().from(marks))).then(() => told.push('looked'));
}
/** Lets everything happen that waits for no disk. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
const visible = async () => (await test.database.read.select({ rows: count() }).from(marks))[0]?.rows;

it('nobody is told of a commit, or can read it, before the log is on the disk', async () => {
  test.database.onCommit(() => told.push('commit'));
  write(1n);
  await settle();
  expect([syncs.length, told, await visible()]).toEqual([1, [], 0]);
  syncs[0]?.resolve();
  await settle();
  expect([told, await visible()]).toEqual([['commit', 'stored 1'], 1]);
});

it('the next commit is made while the first is on its way, and each is told of when it has arrived', async () => {
  write(1n);
  await settle();
  write(2n);
  await settle();
  expect([syncs.length, told, await visible()]).toEqual([2, [], 0]);
  syncs[0]?.resolve();
  await settle();
  expect([told, await visible()]).toEqual([['stored 1'], 1]);
  syncs[1]?.resolve();
  await settle();
  expect([told, await visible()]).toEqual([['stored 1', 'stored 2'], 2]);
});

it('a long read that has seen a commit on its way answers when the commit has arrived', async () => {
  await test.database.readAside.select({ rows: count() }).from(marks);
  write(1n);
  await settle();
  const reading = test.database.readAside.select({ rows: count() }).from(marks);
  reading.then(([found]) => told.push(`read ${found?.rows}`)).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(told).toEqual([]);
  syncs[0]?.resolve();
  await reading;
  await settle();
  expect(told).toEqual(['stored 1', 'read 1']);
});

it('nobody is told of a commit, or of a failed job in it, before the log is on the disk', async () => {
  const failing = test.database.write(async () => {
    throw new Error('not this one');
  });
  failing.catch(() => told.push('failed'));
  write(1n);
  await settle();
  expect([syncs.length, told, await visible()]).toEqual([1, [], 0]);
  syncs[0]?.resolve();
  await settle();
  expect([told, await visible()]).toEqual([['failed', 'stored 1'], 1]);
});

it('nobody is told that a job is stored whose commit fails', async () => {
  // SQLite checks this reference when the transaction is committed, and not before.
  test.database.connection.exec('create table links (id integer references marks (id) deferrable initially deferred) strict');
  const links = table('links', { id: int64('id') });
  write(1n);
  const linked = test.database.write(async (tx) => void (await tx.insert(links).values({ id: 2n })));
  linked.catch((error: unknown) => told.push(String(error)));
  await settle();
  const refusal = expect.stringContaining('could not be stored');
  expect([syncs.length, told, await visible()]).toEqual([0, [refusal, refusal], 0]);
  write(3n);
  await settle();
  syncs[0]?.resolve();
  await settle();
  expect([told.slice(2), await visible()]).toEqual([['stored 3'], 1]);
});

it('a commit that fails keeps nobody looking at the database as it was, so that the log can begin anew', async () => {
  test.database.connection.exec('create table links (id integer references marks (id) deferrable initially deferred) strict');
  const links = table('links', { id: int64('id') });
  const linked = test.database.write(async (tx) => void (await tx.insert(links).values({ id: 2n })));
  await expect(linked).rejects.toThrow('could not be stored');
  // This checkpoint is refused while somebody reads what the log holds.
  expect(test.database.connection.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0n, log: 0n, checkpointed: 0n }]);
});

it('a sync brings the commits before it to the disk, too', async () => {
  write(1n);
  await settle();
  write(2n);
  await settle();
  syncs[1]?.resolve();
  await settle();
  expect([told, await visible()]).toEqual([['stored 1', 'stored 2'], 2]);
  // The sync of the first commit ends after that of the second. All is on the disk as before, and nothing waits for it.
  syncs[0]?.resolve();
  await settle();
  look();
  await settle();
  expect(told.slice(2)).toEqual(['looked']);
  // What comes next is as safe as everything else.
  write(3n);
  await settle();
  expect([syncs.length, told.length, await visible()]).toEqual([3, 3, 2]);
});

it('further jobs gather while two commits are on their way', async () => {
  for (const id of [1n, 2n, 3n, 4n]) {
    write(id);
    await settle();
  }
  expect([syncs.length, test.database.stats]).toEqual([2, { commits: 2, jobs: 2 }]);
  syncs[0]?.resolve();
  await settle();
  expect([told, await visible(), syncs.length, test.database.stats]).toEqual([['stored 1'], 1, 3, { commits: 3, jobs: 4 }]);
  syncs[2]?.resolve();
  await settle();
  expect([told, await visible()]).toEqual([['stored 1', 'stored 2', 'stored 3', 'stored 4'], 4]);
});

it('a job that changes nothing waits for what it may have read, and needs no sync of its own', async () => {
  write(0n);
  await settle();
  syncs[0]?.resolve();
  await settle();
  look();
  await settle();
  expect([syncs.length, told]).toEqual([1, ['stored 0', 'looked']]);
  write(1n);
  await settle();
  look();
  await settle();
  expect([syncs.length, told.length]).toEqual([2, 2]);
  syncs[1]?.resolve();
  await settle();
  expect(told).toEqual(['stored 0', 'looked', 'stored 1', 'looked']);
});

it('after a failed sync nothing is acknowledged, not even when a later sync succeeds, and the database stops', async () => {
  write(1n);
  await settle();
  write(2n);
  await settle();
  syncs[0]?.reject(new Error('EIO'));
  await settle();
  syncs[1]?.resolve();
  await settle();
  expect([told, await visible()]).toEqual([['stopped 1', 'stopped 2'], 0]);
  expect(test.database.stopped).toBeInstanceOf(DatabaseStopped);
});

it('a job that waits for room when a sync fails is refused, and changes nothing', async () => {
  for (const id of [1n, 2n, 3n]) {
    write(id);
    await settle();
  }
  syncs[0]?.reject(new Error('EIO'));
  await settle();
  expect([told.toSorted(), syncs.length]).toEqual([['stopped 1', 'stopped 2', 'stopped 3'], 2]);
});

it('a job that waits for another program when a sync fails is refused, and changes nothing', async () => {
  write(1n);
  await settle();
  const outside = new Sqlite(test.file);
  outside.exec('begin immediate');
  write(2n);
  await settle();
  syncs[0]?.reject(new Error('EIO'));
  await settle();
  outside.close();
  await expect.poll(() => told).toEqual(['stopped 1', 'stopped 2']);
  expect(test.database.connection.prepare('select id from marks').pluck().all()).toEqual([1n]);
});

it('the log can begin anew after each moment in which all is durable', async () => {
  const checkpoint = () => (test.database.connection.pragma('wal_checkpoint(PASSIVE)') as { log: bigint; checkpointed: bigint }[])[0];
  checkpoint();
  for (let id = 1n; id <= 50n; id++) {
    write(id);
    await settle();
    syncs.at(-1)?.resolve();
    await settle();
    const { log = 0n, checkpointed } = checkpoint() ?? {};
    expect([log === checkpointed, log < 10n]).toEqual([true, true]);
  }
});

it('a node syncs the log by the system, and waits for it', async () => {
  const handle = await open(test.file);
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const disk = Promise.withResolvers<void>();
  const datasync = vi.spyOn(prototype, 'datasync').mockReturnValue(disk.promise);
  const database = new SqliteDatabase(test.file);
  try {
    expect(database.connection.pragma('synchronous', { simple: true }), 'a checkpoint syncs by itself').toBe(1n);
    const stored = vi.fn();
    const writing = database.write(async (tx) => void (await tx.insert(marks).values({ id: 1n }))).then(stored);
    await expect.poll(() => datasync.mock.calls.length).toBe(1);
    await settle();
    expect(stored).not.toHaveBeenCalled();
    disk.resolve();
    await writing;
  } finally {
    await database.close();
    datasync.mockRestore();
  }
});
