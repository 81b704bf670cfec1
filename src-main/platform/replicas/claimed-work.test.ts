import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ManualClock } from '../clock.ts';
import type { Database, Tx } from '../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { createLogger } from '../logs/logger.ts';
import { ClaimedWork } from './claimed-work.ts';

let test: TestDatabase;
let left: unknown[];
let underWay: unknown[];
/** How often a worker has asked whether something is under way. */
let asked: number;
const freed: number[] = [];
const log = createLogger('silent');
const complaints = vi.spyOn(log, 'error');

/** A worker whose looks wait for the test. */
class Worker extends ClaimedWork {
  readonly looks: PromiseWithResolvers<boolean>[] = [];

  constructor(database: Database, holder?: string) {
    super(
      { database, clock: new ManualClock(7), log, ...(holder !== undefined && { holder }) },
      {
        everyMs: 1_000,
        trouble: 'the work could not be carried on',
        oneUnderWay: async () => {
          asked += 1;
          return underWay;
        },
        oneAbandoned: async () => left,
        freeAbandoned: async (_tx: Tx, now: number) => freed.push(now),
      },
    );
  }

  get name(): string {
    return this.holder;
  }

  override runOnce(): Promise<boolean> {
    const look = Promise.withResolvers<boolean>();
    this.looks.push(look);
    return look.promise;
  }
}

beforeEach(() => {
  test = openTestDatabase();
  left = [];
  underWay = [{ id: 'any' }];
  asked = 0;
  freed.length = 0;
  complaints.mockClear();
});
afterEach(async () => {
  vi.useRealTimers();
  await test.dispose();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('claims under the name of its process, or under a name of its own', () => {
  expect(new Worker(test.database, 'a replica').name).toBe('a replica');
  expect(new Worker(test.database).name).not.toBe(new Worker(test.database).name);
});

it('frees at its start what was left behind, in a write that it asks for only then', async () => {
  const nothing = new Worker(test.database);
  await nothing.start();
  expect(freed).toEqual([]);
  left = [{ id: 'a' }];
  const worker = new Worker(test.database);
  await worker.start();
  // The database of tests runs every job once more.
  expect(new Set(freed)).toEqual(new Set([7]));
  await turn();
  expect(worker.looks).toHaveLength(1);
  for (const one of [nothing, worker]) {
    one.looks[0]?.resolve(false);
    await one.stop();
  }
});

it('looks again after a look that failed, and says so, but not once it has stopped', async () => {
  const worker = new Worker(test.database);
  worker.wake();
  await turn();
  worker.looks[0]?.reject(new Error('the disk is full'));
  await turn();
  expect(complaints).toHaveBeenCalledTimes(1);
  worker.wake();
  await turn();
  expect(worker.looks).toHaveLength(2);
  const stopped = worker.stop();
  worker.looks[1]?.reject(new Error('the books are closed'));
  await stopped;
  expect(complaints).toHaveBeenCalledTimes(1);
});

it('stops with its step, and after two seconds without it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const worker = new Worker(test.database);
  worker.wake();
  await turn();
  const onStop = vi.fn();
  void worker.stop().then(onStop);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(onStop).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(onStop).toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
  const quick = new Worker(test.database);
  quick.wake();
  await turn();
  quick.looks[0]?.resolve(true);
  await quick.stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('asks once in a minute while nothing is under way, and at its next look once somebody has committed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const listeners: (() => void)[] = [];
  const onCommit = (listener: () => void) => {
    listeners.push(listener);
    return () => listeners.splice(listeners.indexOf(listener), 1);
  };
  const worker = new Worker(Object.assign(Object.create(test.database), { onCommit }));
  underWay = [];
  await worker.start();
  const looks = async (seconds: number): Promise<number> => {
    const before = asked;
    for (let passed = 0; passed < seconds; passed += 1) {
      vi.advanceTimersByTime(1_000);
      await turn();
    }
    return asked - before;
  };
  await turn();
  expect(asked).toBe(1);
  expect([await looks(59), await looks(1), await looks(120)]).toEqual([0, 1, 2]);
  for (const listener of listeners) listener();
  expect([await looks(1), await looks(59)]).toEqual([1, 0]);
  worker.wake();
  await turn();
  expect([asked, worker.looks.length]).toEqual([6, 0]);
  underWay = [{ id: 'refund' }];
  for (const listener of listeners) listener();
  expect(await looks(1)).toBe(1);
  worker.looks[0]?.resolve(false);
  await turn();
  // What is under way becomes due by the clock, without a commit.
  expect(await looks(1)).toBe(1);
  worker.looks[1]?.resolve(false);
  await worker.stop();
  expect(listeners).toEqual([]);
});
