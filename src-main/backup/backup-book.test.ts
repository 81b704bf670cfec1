import { afterEach, beforeEach, expect, it } from 'vitest';
import { appendEvent } from '../journal/events.ts';
import { eventRule } from '../journal/retention.ts';
import { events } from '../journal/tables.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { isNotLastBackup, lastBackup, type MadeBackup, noteBackup } from './backup-book.ts';
import { backups } from './tables.ts';

let test: TestDatabase;
beforeEach(() => {
  test = openTestDatabase();
});
afterEach(() => test.dispose());

const made = (id: string, createdAt: number, place: MadeBackup['place'] = null): MadeBackup => ({
  ...{ id, createdAt, place, file: `/backups/${id}.age`, bytes: 1, scheduled: true },
});
const note = (backup: MadeBackup) => test.database.write((tx) => noteBackup(tx, backup));

it('the last backup says which replica made it, also when all other events of that time have gone', async () => {
  const place = { name: 'one', host: 'db1.example' };
  await note(made('a', 1, { name: 'two', host: 'db2.example' }));
  await note(made('b', 2, place));
  await test.database.write((tx) => appendEvent(tx, { type: 'backup.failed', subject: 'schedule', at: 3 }));
  await test.database.write((tx) => appendEvent(tx, { type: 'backup.failed', subject: 'schedule', at: 4 }));
  await eventRule(isNotLastBackup).removeSome(test.database, 1_000, undefined);
  expect((await test.database.read.select().from(events)).map(({ subject, at }) => [subject, at])).toEqual([
    ['b', 2],
    ['schedule', 4],
  ]);
  expect(await lastBackup(test.database.read)).toEqual(made('b', 2, place));
});

it('only the newest backup is remembered, and one of books in a data folder, or of an earlier version, tells no replica', async () => {
  await note(made('a', 2));
  await note(made('b', 1));
  expect(await test.database.read.select({ id: backups.id }).from(backups)).toEqual([{ id: 'b' }]);
  expect(await lastBackup(test.database.read)).toEqual(made('b', 1));
  await test.database.write((tx) => tx.delete(events));
  expect(await lastBackup(test.database.read)).toEqual(made('b', 1));
});
