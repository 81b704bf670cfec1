import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Archive } from '../platform/archive/archive.ts';
import { archiveFolder } from '../platform/archive/archive-file.ts';
import { ManualClock } from '../platform/clock.ts';
import { measureDisk } from '../platform/database/space.ts';
import { openSqliteTest, type SqliteTest } from '../platform/database/testing/sqlite-test.ts';
import { noteSize } from '../platform/retention/disk-days.ts';
import { DAY_MS } from '../platform/retention/rule.ts';
import { diskDays } from '../platform/retention/tables.ts';
import { diskReport } from './disk.ts';
import { rulesKeeping } from './retention.ts';

let test: SqliteTest;
let archive: Archive;
beforeEach(() => {
  test = openSqliteTest();
  archive = new Archive({ database: test.database, folder: archiveFolder(dirname(test.file)) });
});
afterEach(() => test.dispose());

it('the report sums the tables by kind, the largest first, and says what goes when', async () => {
  const report = diskReport({
    ...{ database: test.database, rules: rulesKeeping(archive, { keepDays: 90, archiveDays: 120 }) },
    clock: new ManualClock(0),
    measure: async () => measureDisk(test.file),
  });
  const { kinds, removed, total, at } = await report();
  expect(at).toEqual(new Date(0));
  expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['payments', 'books', 'permissions', 'events', 'peers']));
  expect(kinds.map(({ bytes }) => bytes)).toEqual(kinds.map(({ bytes }) => bytes).toSorted((a, b) => b - a));
  const { tables } = measureDisk(test.file);
  const sum = (parts: readonly { bytes: number }[]) => parts.reduce((all, { bytes }) => all + bytes, 0);
  expect(sum(kinds)).toBe(sum(tables));
  expect(sum(kinds)).toBeLessThanOrEqual(total);
  expect(removed).toContainEqual({ kind: 'unpaid_requests', days: 90 });
  expect(removed).toContainEqual({ kind: 'signatures', days: 0 });
  expect(removed).toContainEqual({ kind: 'peer_answers', days: 31 });
  expect(removed).toContainEqual({ kind: 'payment_details', days: 120 });
});

it('the report measures once for all who ask within ten minutes, and again after a failure', async () => {
  const clock = new ManualClock(0);
  let measured = 0;
  let fails = false;
  const report = diskReport({
    ...{ database: test.database, rules: rulesKeeping(archive, { keepDays: 30, archiveDays: 120 }) },
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

it('the report says how fast the database grows, as soon as an earlier day is known', async () => {
  const clock = new ManualClock(100 * DAY_MS);
  const { database, file } = test;
  const answer = () =>
    diskReport({
      ...{ database, clock, rules: rulesKeeping(archive, { keepDays: 30, archiveDays: 120 }) },
      measure: async () => measureDisk(file),
    })();
  await noteSize(database, clock.now());
  expect(await answer()).toMatchObject({ perDay: null });
  const before = await database.usedBytes();
  await database.write((tx) =>
    tx
      .insert(diskDays)
      .values(Array.from({ length: 3_000 }, (_, n) => ({ day: 1_000_000 + n, bytes: 1 })))
      .onConflictDoNothing(),
  );
  clock.advance(4 * DAY_MS);
  const grown = (await database.usedBytes()) - before;
  expect(grown).toBeGreaterThan(0);
  expect(await answer()).toMatchObject({ perDay: Math.round(grown / 4) });
});

it('the node keeps one row for each of the last days, however often it notes the size', async () => {
  for (let hour = 0; hour < 24 * 40; hour++) await noteSize(test.database, hour * 60 * 60_000);
  const rows = await test.database.read.select().from(diskDays);
  expect(rows.map(({ day }) => day)).toEqual(Array.from({ length: 31 }, (_, n) => 9 + n));
});
