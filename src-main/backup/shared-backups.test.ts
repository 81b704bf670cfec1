import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Damage } from '../ledger/audit/damages.ts';
import { ManualClock } from '../platform/clock.ts';
import { PostgresDatabase } from '../platform/database/postgres/postgres-database.ts';
import { PostgresRows } from '../platform/database/postgres/postgres-rows.ts';
import { MIGRATIONS } from '../platform/database/testing/other-migrations.ts';
import { hasPostgres, migratedDatabase, type OneDatabase } from '../platform/database/testing/postgres-databases.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { newStoredSecrets } from '../platform/secrets/node-secrets.ts';
import { Seal } from '../platform/secrets/seal.ts';
import { Backups } from './backups.ts';
import { booksInDatabase } from './sources.ts';
import { runBackupTask } from './tasks.ts';

// Two replicas over one PostgreSQL, each with a data folder of its own. They make their backups into a folder that both
// computers have.

const DAY_MS = 24 * 3_600_000;
const passphrase = 'seven plain words make a long one';

interface Replica {
  backups: Backups;
  /** Whether it does the chores. */
  isMine: boolean;
}

let server: OneDatabase;
let database: PostgresDatabase;
let folder: string;
let clock: ManualClock;
let one: Replica;
let two: Replica;
/** How many exports were begun. */
let begun: number;
/** What the audit has found at both. */
let damages: Damage[];
beforeEach(async ({ skip }) => {
  skip(!hasPostgres);
  server = migratedDatabase();
  database = new PostgresDatabase(server.url, { listens: false, ready: server.ready });
  folder = mkdtempSync(join(tmpdir(), 'paydesk-shared-backups-'));
  clock = new ManualClock(Date.UTC(2026, 0, 1));
  begun = 0;
  damages = [];
  const secrets = newStoredSecrets();
  const books = { address: { url: server.url, shown: 'the database' }, migrations: MIGRATIONS };
  const open = (name: string, isMine: boolean): Replica => {
    const replica: Replica = {
      isMine,
      backups: new Backups({
        ...{ database, clock, version: '0.0.0', secrets: () => secrets, audit: { damages }, log: createLogger('silent') },
        dataFolder: mkdtempSync(join(folder, 'replica-')),
        seal: new Seal(Buffer.alloc(32, 3)),
        isMine: () => replica.isMine,
        books: booksInDatabase(database, { ...books, place: { name, host: `${name}.example` } }, (task) => {
          begun += 1;
          return runBackupTask({ ...task, workFactor: 4 });
        }),
      }),
    };
    return replica;
  };
  [one, two] = [open('one', true), open('two', false)];
});
afterEach(async () => {
  if (!hasPostgres) return;
  await database.close();
  await server.drop();
  rmSync(folder, { recursive: true });
});

const filesThere = () => readdirSync(folder).filter((name) => name.endsWith('.age'));
const made = () => vi.waitFor(async () => expect((await one.backups.schedule())?.dueAt).toBe(clock.now() + DAY_MS), { timeout: 30_000 });

it('a backup made at one replica is the last one at the other, and says nothing of the disk of the server', async () => {
  const answer = await one.backups.make({ folder, passphrase });
  expect(answer).toMatchObject({ ok: true, value: { scheduled: false } });
  const last = await two.backups.last();
  expect(last?.place).toEqual({ name: 'one', host: 'one.example' });
  expect(filesThere()).toEqual([basename(last?.file ?? '')]);
  expect(await two.backups.isOnDiskOfNode({ file: last?.file ?? '' })).toBe(false);
  const read = { kind: 'open', file: last?.file ?? '', passphrase, databaseFile: join(folder, 'read.db'), migrations: MIGRATIONS } as const;
  expect(await runBackupTask(read)).toMatchObject({ ok: true });
});

it('scheduled backups are made by the replica that does the chores, wherever the schedule was set', async () => {
  expect(await two.backups.setSchedule({ folder, everyHours: 24, keep: 1, passphrase })).toMatchObject({ ok: true });
  await two.backups.runDue();
  expect(begun).toBe(0);
  await Promise.all([one.backups.runDue(), two.backups.runDue()]);
  await made();
  expect([begun, filesThere().length]).toEqual([1, 1]);
  expect(await two.backups.last()).toMatchObject({ scheduled: true, createdAt: clock.now() });
});

it('another replica goes on with the schedule when it takes the chores over, and removes old backups of the first', async () => {
  await one.backups.setSchedule({ folder, everyHours: 24, keep: 1, passphrase });
  await made();
  const [first] = filesThere();
  [one.isMine, two.isMine] = [false, true];
  clock.advance(DAY_MS);
  await Promise.all([one.backups.runDue(), two.backups.runDue()]);
  await made();
  expect(begun).toBe(2);
  expect(await one.backups.last()).toMatchObject({ scheduled: true, place: { name: 'two' } });
  expect(filesThere()).toHaveLength(1);
  expect(filesThere()).not.toContain(first);
});

it('a backup that another replica is making stays, and one that it left behind long ago goes', async () => {
  const [name = ''] = (await one.backups.make({ folder, passphrase }).then(filesThere)).slice(0, 1);
  const [fresh, old] = [name.replace('000000', '003000'), name.replace('000000', '000001')].map((file) => `${file}.part`);
  for (const part of [fresh, old]) writeFileSync(join(folder, part ?? ''), 'a part');
  clock.advance(80 * 60_000);
  expect(await two.backups.make({ folder, passphrase })).toMatchObject({ ok: true });
  const parts = readdirSync(folder).filter((file) => file.endsWith('.part'));
  expect(parts).toEqual([fresh]);
});

it('while damage stands no replica makes a backup, and the schedule keeps the last good one', async () => {
  await one.backups.setSchedule({ folder, everyHours: 24, keep: 1, passphrase });
  await made();
  const good = filesThere();
  damages.push({ owner: 'a', finding: 'balance', place: 'customer:a', goodAt: null, foundAt: clock.now() });
  clock.advance(DAY_MS);
  await one.backups.runDue();
  expect(await two.backups.schedule()).toMatchObject({ problem: 'books_damaged' });
  expect(await two.backups.make({ folder, passphrase })).toEqual({ ok: false, error: 'books_damaged' });
  expect(filesThere()).toEqual(good);
});

it('of two replicas that export at the same moment one is refused, and its files stay away from the other’s', async () => {
  const both = await Promise.all([one.backups.make({ folder, passphrase }), two.backups.make({ folder, passphrase })]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(both).toContainEqual({ ok: false, error: 'busy' });
  expect(filesThere()).toHaveLength(1);
});

it('the server soon lets the lock of an export go whose computer has lost its power', async () => {
  await server.ready;
  const names = ['tcp_user_timeout', 'tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count'];
  const settings = await PostgresRows.on({ url: server.url, shown: '' }, async (rows) =>
    rows.ask(`select ${names.map((name) => `current_setting('${name}')`).join(', ')}`),
  );
  expect(settings).toEqual([['60000', '15', '15', '3']]);
});
