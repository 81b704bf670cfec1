import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Damage } from '../ledger/audit/damages.ts';
import { ManualClock } from '../platform/clock.ts';
import { openSqliteTest, type SqliteTest } from '../platform/database/testing/sqlite-test.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { SecretsFile } from '../platform/secrets/node-secrets.ts';
import { Seal } from '../platform/secrets/seal.ts';
import { Backups } from './backups.ts';
import { booksInFile } from './sources.ts';
import { backups as backupRows } from './tables.ts';
import { runBackupTask } from './tasks.ts';

const DAY_MS = 24 * 3_600_000;
const passphrase = 'seven plain words make a long one';

let folder: string;
let opened: SqliteTest;
let clock: ManualClock;
let backups: Backups;
let room: number;
let damages: Damage[];
/** Called with the name of a backup when it begins. */
let meanwhile: (file: string) => void;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-backups-'));
  opened = openSqliteTest();
  room = Number.MAX_SAFE_INTEGER;
  damages = [];
  meanwhile = () => undefined;
  clock = new ManualClock(Date.UTC(2026, 0, 1));
  backups = new Backups({
    ...{ database: opened.database, dataFolder: folder, version: '0.0.0', clock },
    secrets: () => new SecretsFile(folder).read(),
    seal: new Seal(Buffer.alloc(32, 3)),
    log: createLogger('silent'),
    room: () => room,
    audit: {
      get damages() {
        return damages;
      },
    },
    books: booksInFile(opened.database.connection.name, (task) => {
      meanwhile(task.file);
      return runBackupTask({ ...task, workFactor: 4 });
    }),
    isMine: () => true,
  });
});
afterEach(async () => {
  await opened.dispose();
  rmSync(folder, { recursive: true });
});

async function made(): Promise<string> {
  const one = await backups.make({ folder, passphrase });
  if (!one.ok) throw new Error(one.error);
  return one.value.file;
}

it('the node does not overwrite a backup that was made in the same second', async () => {
  const made = [await backups.make({ folder, passphrase }), await backups.make({ folder, passphrase })];
  const files = made.map((one) => (one.ok ? one.value.file : one.error));
  expect(readdirSync(folder).filter((name) => name.endsWith('.age'))).toHaveLength(2);
  expect(files.toSorted()).toEqual(files);
  expect(new Set(files).size).toBe(2);
});

it('the node records a scheduled backup and when the next one is due in one write, so that a crash does not repeat it', async () => {
  await backups.setSchedule({ folder, everyHours: 24, keep: 2, passphrase });
  await vi.waitFor(async () => expect((await backups.last())?.scheduled).toBe(true), { timeout: 30_000 });
  clock.advance(DAY_MS);
  const write = vi.spyOn(opened.database, 'write');
  await backups.runDue();
  expect(write).toHaveBeenCalledTimes(1);
  expect(await backups.schedule()).toMatchObject({ dueAt: clock.now() + DAY_MS, problem: null });
  expect((await backups.last())?.createdAt).toBe(clock.now());
});

it('the node makes a scheduled backup once when making it takes longer than until the next look', async () => {
  await backups.setSchedule({ folder, everyHours: 24, keep: 2, passphrase });
  await Promise.all([backups.runDue(), backups.runDue()]);
  await vi.waitFor(async () => expect((await backups.schedule())?.dueAt).toBe(clock.now() + DAY_MS), { timeout: 30_000 });
  expect(await backups.schedule()).toMatchObject({ problem: null });
  expect(readdirSync(folder).filter((name) => name.endsWith('.age'))).toHaveLength(1);
});

it('the node goes on making backups after the clock was a year ahead, and keeps the one that it makes then', async () => {
  clock.advance(365 * DAY_MS);
  await backups.setSchedule({ folder, everyHours: 24, keep: 1, passphrase });
  await vi.waitFor(async () => expect((await backups.schedule())?.dueAt).toBe(clock.now() + DAY_MS), { timeout: 30_000 });
  clock.jump(-365 * DAY_MS);
  await backups.runDue();
  expect(await backups.schedule()).toMatchObject({ dueAt: clock.now() + DAY_MS, problem: null });
  expect(readdirSync(folder).filter((name) => name.endsWith('.age'))).toEqual([
    expect.stringMatching(/^paydesk-2026-01-01-000000-[0-9a-f]{12}\.age$/),
  ]);
});

it('the node makes no additional backup when the clock is set back by a minute', async () => {
  await backups.setSchedule({ folder, everyHours: 24, keep: 2, passphrase });
  await vi.waitFor(async () => expect((await backups.schedule())?.dueAt).toBe(clock.now() + DAY_MS), { timeout: 30_000 });
  clock.jump(-60_000);
  await backups.runDue();
  expect(readdirSync(folder).filter((name) => name.endsWith('.age'))).toHaveLength(1);
});

it('a schedule deletes only files of its own node, whatever else lies in the folder', async () => {
  const name = (await made()).replace(folder, '').slice(1);
  const others = [
    name.replace(/-[0-9a-f]{12}\.age$/, '-0123456789ab.age'),
    'paydesk-2020-01-01-000000.age',
    name.replace('paydesk-2026-01-01', 'paydesk-2026-1-1'),
    name.replace('paydesk-', 'other-paydesk-'),
    name.replace(/-[0-9a-f]{12}\.age$/, '-0123456789ab.age.part'),
  ];
  const unfinished = name.replace('2026-01-01', '2025-12-31').replace('.age', '.age.part');
  writeFileSync(join(folder, unfinished), 'of this node, when its disk was taken out');
  for (const other of others) writeFileSync(join(folder, other), 'of another node');
  await backups.setSchedule({ folder, everyHours: 24, keep: 1, passphrase });
  await vi.waitFor(async () => expect((await backups.schedule())?.dueAt).toBe(clock.now() + DAY_MS), { timeout: 30_000 });
  clock.advance(DAY_MS);
  await backups.runDue();
  const left = readdirSync(folder).filter((one) => one.includes('paydesk-'));
  expect(left).not.toContain(unfinished);
  expect(left).toEqual(expect.arrayContaining(others));
  expect(left).toHaveLength(others.length + 1);
  expect(left).not.toContain(name);
});

it('while damage stands no backup is made, and the schedule keeps the last good one', async () => {
  await backups.setSchedule({ folder, everyHours: 24, keep: 1, passphrase });
  await vi.waitFor(async () => expect((await backups.schedule())?.dueAt).toBe(clock.now() + DAY_MS), { timeout: 30_000 });
  const good = readdirSync(folder).filter((name) => name.endsWith('.age'));
  damages = [{ owner: 'a', finding: 'balance', place: 'customer:a', goodAt: null, foundAt: clock.now() }];
  clock.advance(DAY_MS);
  await backups.runDue();
  expect(await backups.schedule()).toMatchObject({ problem: 'books_damaged' });
  expect(await backups.make({ folder, passphrase })).toEqual({ ok: false, error: 'books_damaged' });
  expect(readdirSync(folder).filter((name) => name.endsWith('.age'))).toEqual(good);
  expect((await backups.last())?.createdAt).toBe(clock.now() - DAY_MS);
});

it('a backup is named in the data folder before its file is begun, so that the next start finds what a power cut left', async () => {
  const noted: string[] = [];
  meanwhile = (file) => void noted.push(readFileSync(join(folder, 'backup-unfinished'), 'utf8'), file);
  const file = await made();
  expect(noted).toEqual([`${file}.part\n`, file]);
  expect(readdirSync(folder)).not.toContain('backup-unfinished');
});

it('the book of backups names the newest one only, however often a schedule makes one', async () => {
  await backups.setSchedule({ folder, everyHours: 1, keep: 2, passphrase });
  await vi.waitFor(async () => expect(await backups.last()).toBeDefined(), { timeout: 30_000 });
  for (let hours = 0; hours < 3; hours += 1) {
    clock.advance(3_600_000);
    await backups.runDue();
  }
  expect((await backups.last())?.createdAt).toBe(clock.now());
  const rows = await opened.database.read.select().from(backupRows);
  expect(rows.map((row) => ({ ...row, place: null }))).toEqual([await backups.last()]);
  expect(readdirSync(folder).filter((name) => name.endsWith('.age'))).toHaveLength(2);
});

it('the book of backups tells whether one lies on the disk of the node', async () => {
  expect(await backups.isOnDiskOfNode({ file: await made() })).toBe(true);
  expect(await backups.isOnDiskOfNode({ file: join(folder, 'missing/a.age') })).toBe(false);
  // Linux has another file system there.
  if (process.platform === 'linux') expect(await backups.isOnDiskOfNode({ file: '/proc/a.age' })).toBe(false);
});

it('a backup is not begun without room for it, and the schedule says so', async () => {
  const { size: bytes } = await stat(await made());
  const before = readdirSync(folder);
  room = bytes - 1;
  expect(await backups.make({ folder, passphrase })).toEqual({ ok: false, error: 'no_room' });
  expect(readdirSync(folder)).toEqual(before);
  await backups.setSchedule({ folder, everyHours: 24, keep: 2, passphrase });
  await vi.waitFor(async () => expect(await backups.schedule()).toMatchObject({ problem: 'no_room' }), { timeout: 30_000 });
  room = Number.MAX_SAFE_INTEGER;
  clock.advance(600_000);
  await backups.runDue();
  expect(await backups.schedule()).toMatchObject({ problem: null });
});
