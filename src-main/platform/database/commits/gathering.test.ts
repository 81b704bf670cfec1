import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { int64, table } from '../schema.ts';
import { openSqliteTest, type SqliteTest } from '../testing/sqlite-test.ts';

const marks = table('marks', { id: int64('id').primaryKey() });

let test: SqliteTest;
let syncs: PromiseWithResolvers<void>[];
let last: bigint;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  syncs = [];
  last = 0n;
  const sync = () => {
    const next = Promise.withResolvers<void>();
    syncs.push(next);
    return next.promise;
  };
  test = openSqliteTest({ logSync: { sync, close: async () => undefined } });
  test.database.connection.exec('create table marks (id integer primary key) strict');
});
afterEach(async () => {
  // It has an end, even while a log that nobody reads tries again and again to write.
  vi.advanceTimersByTime(60_000);
  await settle();
  for (const { resolve } of syncs) resolve();
  vi.useRealTimers();
  await test.dispose();
});

/** Writes come at the same moment, and what waits for no disk happens. */
async function write(jobs: number): Promise<void> {
  for (let job = 0; job < jobs; job++) {
    last += 1n;
    const id = last;
    test.database.write(async (tx) => void (await tx.insert(marks).values({ id }))).catch(() => undefined);
  }
  await settle();
}
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
/** The disk takes the oldest of two commits, of four jobs and of one, after so many milliseconds. */
async function answerFour(ms: number): Promise<void> {
  await write(4);
  await write(1);
  vi.advanceTimersByTime(ms);
  syncs[0]?.resolve();
  await settle();
}

it('on a slow disk a commit waits for half of those who write', async () => {
  await answerFour(21);
  await write(1);
  await write(1);
  expect(syncs).toHaveLength(2);
  await write(1);
  expect(syncs).toHaveLength(3);
  expect(test.database.stats).toEqual({ commits: 3, jobs: 8 });
});

it('those who wait while two commits are on their way are among them', async () => {
  await write(1);
  await write(1);
  await write(4);
  vi.advanceTimersByTime(21);
  syncs[0]?.resolve();
  await settle();
  // The four take the place of the first one. Seven then write, of whom two wait, so the next commit waits for four.
  await write(2);
  syncs[1]?.resolve();
  await settle();
  await write(1);
  expect(syncs).toHaveLength(3);
  await write(1);
  expect(syncs).toHaveLength(4);
});

it.each([
  [16, 'at once', 0, 7],
  [8, 'at once', 0, 7],
  // The second commit has taken 17 ms then, so the next one begins 8 ms after the third, of which 3 have passed.
  [16, 'later', 3, 5],
])('where %i write, commits begin half of their time apart, also when the disk answers %s', async (writers, _, later, apart) => {
  const half = writers / 2;
  await write(half);
  await write(half);
  vi.advanceTimersByTime(14);
  syncs[0]?.resolve();
  await settle();
  await write(half);
  expect(syncs).toHaveLength(3);
  vi.advanceTimersByTime(later);
  syncs[1]?.resolve();
  await settle();
  await write(half);
  vi.advanceTimersByTime(apart - 1);
  await settle();
  expect(syncs).toHaveLength(3);
  vi.advanceTimersByTime(1);
  await settle();
  expect(syncs).toHaveLength(4);
});

it('it waits for half of the time that a commit takes, and then takes what has come', async () => {
  await answerFour(14);
  await write(1);
  vi.advanceTimersByTime(6);
  await settle();
  expect(syncs).toHaveLength(2);
  vi.advanceTimersByTime(1);
  await settle();
  expect(syncs).toHaveLength(3);
});

it('it waits for 10 ms at most, however slow the disk is', async () => {
  await answerFour(1_000);
  await write(1);
  vi.advanceTimersByTime(10);
  await settle();
  expect(syncs).toHaveLength(3);
});

it.each([
  ['nobody', 4, 3],
  ['others', 5, 2],
])('it waits for %s on a disk that takes %i ms', async (_, ms, commits) => {
  await answerFour(ms);
  await write(1);
  expect(syncs).toHaveLength(commits);
});

it('while no other commit is on its way it waits for nobody', async () => {
  await write(4);
  vi.advanceTimersByTime(21);
  syncs[0]?.resolve();
  await settle();
  await write(1);
  expect(syncs).toHaveLength(2);
});

it('a database that closes waits for nobody', async () => {
  await answerFour(21);
  await write(1);
  const closing = test.database.close();
  await settle();
  expect(syncs).toHaveLength(3);
  for (const { resolve } of syncs) resolve();
  await closing;
});
