import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WakeLoop } from '../../wake-loop.ts';
import { DatabaseBusy } from '../database.ts';
import { asRefusable } from '../job-context.ts';
import { int64, table } from '../schema.ts';
import { openSqliteTest, type SqliteTest } from '../testing/sqlite-test.ts';
import { MOST_WAIT_MS, type Waiting, WriteQueue } from './write-queue.ts';

const marks = table('marks', { id: int64('id').primaryKey() });

let test: SqliteTest;
let disk: PromiseWithResolvers<void>;
/** What the callers have been told, in that order. */
let told: string[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  disk = Promise.withResolvers();
  told = [];
  test = openSqliteTest({ logSync: { sync: () => disk.promise, close: async () => undefined } });
  test.database.connection.exec('create table marks (id integer primary key) strict');
});
afterEach(async () => {
  disk.resolve();
  await test.dispose();
  vi.useRealTimers();
});

function write(id: number): void {
  const writing = test.database.write(async (tx) => void (await tx.insert(marks).values({ id: BigInt(id) })));
  writing.then(
    () => told.push(`stored ${id}`),
    (error: unknown) => told.push(error instanceof DatabaseBusy ? `busy ${id}` : String(error)),
  );
}
const refusable = (id: number) => asRefusable(() => write(id));
/** Lets everything happen that waits for no disk. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
/** Two commits are on their way, and the disk takes neither. */
async function holdTheDisk(): Promise<void> {
  for (const id of [1, 2]) {
    write(id);
    await settle();
  }
}
const stored = () => test.database.connection.prepare('select id from marks order by id').pluck().all().map(Number);

it('what may be refused and has waited two seconds is refused before it begins, and everything else waits', async () => {
  await holdTheDisk();
  refusable(3);
  write(4);
  await settle();
  vi.advanceTimersByTime(MOST_WAIT_MS - 1);
  await settle();
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  await settle();
  expect(told).toEqual(['busy 3']);
  disk.resolve();
  await settle();
  expect([told.toSorted(), stored()]).toEqual([
    ['busy 3', 'stored 1', 'stored 2', 'stored 4'],
    [1, 2, 4],
  ]);
});

it('what has waited two seconds is refused before it begins, also when the node was too busy for any timer', () => {
  let now = 0;
  const queue = new WriteQueue({ monotonic: () => now });
  const job = (name: string, isRefusable: boolean): Waiting => ({
    ...{ job: async () => undefined, context: undefined, isRefusable, resolve: () => undefined },
    reject: (error) => told.push(error instanceof DatabaseBusy ? `busy ${name}` : String(error)),
  });
  queue.add(job('late', true));
  queue.add(job('of the operator', false));
  now = 1;
  queue.add(job('in time', true));
  now = MOST_WAIT_MS;
  expect(queue.take(10).map(({ since }) => since)).toEqual([0, 1]);
  expect(told).toEqual(['busy late']);
});

it('while the disk takes nothing for two seconds, what may be refused is refused at once, and taken again afterwards', async () => {
  await holdTheDisk();
  vi.advanceTimersByTime(MOST_WAIT_MS);
  expect(test.database.isBusy).toBe(true);
  refusable(3);
  await settle();
  expect(told).toEqual(['busy 3']);
  disk.resolve();
  await settle();
  expect(test.database.isBusy).toBe(false);
  refusable(4);
  await settle();
  expect([told.at(-1), test.database.notStored]).toEqual(['stored 4', undefined]);
});

it('a crowd is refused as soon as it would wait for half a second', async () => {
  await holdTheDisk();
  for (let id = 3; id < 3 + 64; id++) refusable(id);
  vi.advanceTimersByTime(499);
  expect(test.database.isBusy).toBe(false);
  vi.advanceTimersByTime(1);
  refusable(100);
  await settle();
  expect(told).toEqual(['busy 100']);
});

it('a burst is refused by how long the last commit took, before anybody has waited', async () => {
  write(1);
  await settle();
  vi.advanceTimersByTime(400);
  disk.resolve();
  await settle();
  disk = Promise.withResolvers();
  for (let id = 2; id < 400; id++) refusable(id);
  await settle();
  // 192 jobs that wait are three commits, two of which go at a time: 600 ms.
  expect(told.filter((one) => one.startsWith('busy'))).toHaveLength(398 - 192);
});

it('what may not be refused begins first, whenever it came', async () => {
  await holdTheDisk();
  for (let id = 3; id < 3 + 63; id++) refusable(id);
  for (let id = 100; id < 100 + 10; id++) write(id);
  await settle();
  disk.resolve();
  await settle();
  // The commit took 64 jobs: the ten, and 54 of those that came before them.
  expect(told.slice(2, 12)).toEqual(Array.from({ length: 10 }, (_, n) => `stored ${100 + n}`));
  expect(stored()).toHaveLength(2 + 63 + 10);
});

it('what a request has left running can no longer be refused when the request is over', async () => {
  await holdTheDisk();
  const later = Promise.withResolvers<void>();
  const end = asRefusable(() => void later.promise.then(() => write(3)));
  end();
  later.resolve();
  await settle();
  vi.advanceTimersByTime(10 * MOST_WAIT_MS);
  disk.resolve();
  await settle();
  expect(told).toContain('stored 3');
});

it('a loop that a request wakes, such as that of payments under way, is not refused', async () => {
  await holdTheDisk();
  const loop = new WakeLoop({
    look: async () => {
      write(3);
      return false;
    },
  });
  asRefusable(() => loop.wake());
  await settle();
  vi.advanceTimersByTime(10 * MOST_WAIT_MS);
  disk.resolve();
  await settle();
  expect(told).toContain('stored 3');
});
