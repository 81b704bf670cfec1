import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../platform/clock.ts';
import { measureDisk } from '../platform/database/space.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { diskReport } from './disk.ts';

let test: TestDatabase;
beforeEach(() => {
  test = openTestDatabase();
});
afterEach(() => test.dispose());

it('sums the tables by kind, the largest first, and says what goes when', async () => {
  const report = diskReport({ clock: new ManualClock(0), measure: async () => measureDisk(test.file) });
  const { kinds, removed, total, at } = await report();
  expect(at).toEqual(new Date(0));
  expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['payments', 'books', 'permissions', 'events', 'peers']));
  expect(kinds.map(({ bytes }) => bytes)).toEqual(kinds.map(({ bytes }) => bytes).toSorted((a, b) => b - a));
  expect(kinds.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(total);
  expect(removed).toContainEqual({ kind: 'unpaid_requests', days: 30 });
  expect(removed).toContainEqual({ kind: 'signatures', days: 0 });
});

it('measures once for all who ask within ten minutes, and again after a failure', async () => {
  const clock = new ManualClock(0);
  let measured = 0;
  let fails = false;
  const report = diskReport({
    clock,
    measure: async () => {
      measured += 1;
      if (fails) throw new Error('the disk cannot be read');
      return measureDisk(test.file);
    },
  });
  await Promise.all([report(), report()]);
  expect(measured).toBe(1);
  clock.advance(10 * 60_000 + 1);
  fails = true;
  await expect(report()).rejects.toThrow('the disk cannot be read');
  fails = false;
  await report();
  expect(measured).toBe(3);
});
