import { afterEach, beforeEach, expect, it } from 'vitest';
import { healthText } from '../../../../src-shared/words/health.ts';
import { backupSchedule, backups } from '../../../backup/tables.ts';
import { openDesk } from '../../testing/desk.ts';
import { backupHealth } from './backup-health.ts';

const DAY_MS = 24 * 60 * 60_000;

let desk: ReturnType<typeof openDesk>;
beforeEach(() => {
  desk = openDesk();
});
afterEach(async () => await desk.close());

it.each([
  [-1_000, 'good', 'The last backup is less than a day old.'],
  [0, 'good', 'The last backup is less than a day old.'],
  [DAY_MS, 'good', 'The last backup is one day old.'],
  [8 * DAY_MS, 'warning', 'The last backup is 8 days old.'],
])('the health page says how old a backup is that was made %i ms ago, also after the clock was set back', async (age, state, words) => {
  const { database, clock } = desk.context;
  const createdAt = clock.now() - age;
  await database.write(async (tx) => {
    await tx.insert(backups).values({ id: 'one', file: '/backups/one.age', bytes: 1, scheduled: false, createdAt });
  });
  const checks = await backupHealth(desk.context);
  expect(checks.map((check) => [check.name, check.state, healthText(check)])).toEqual([['backup', state, expect.stringContaining(words)]]);
});

it('the health page warns of a recent backup that is lost with the disk of the node', async () => {
  const { database, clock, configuration } = desk.context;
  const file = `${configuration.dataFolder}/one.age`;
  await database.write(async (tx) => {
    await tx.insert(backups).values({ id: 'one', file, bytes: 1, scheduled: false, createdAt: clock.now() });
  });
  const checks = await backupHealth(desk.context);
  expect(checks).toEqual([{ name: 'backup', state: 'warning', finding: 'same_disk', days: 0 }]);
  expect(checks.map(healthText)).toEqual([expect.stringContaining('same disk as your node')]);
});

/** Puts the books into a shared database, whose server last copied its log away so many days ago; never with null. */
function share(archivedDays: number | null): void {
  const archivedAt = archivedDays === null ? null : desk.context.clock.now() - archivedDays * DAY_MS;
  desk.context.shared = { ownReplica: 'one', aboutServer: async () => ({ version: '18.0', archivedAt }) };
}

const schedule = (problem: string | null) =>
  desk.context.database.write(async (tx) => {
    const dueAt = desk.context.clock.now() + DAY_MS;
    await tx.insert(backupSchedule).values({ id: 'schedule', folder: '/b', everyHours: 24, keep: 7, passphrase: 'sealed', dueAt, problem });
  });

it.each<[string, number | null, number | null, boolean, string | undefined]>([
  ['says how old a recent export is', 2, null, false, 'recent'],
  ['says nothing where none was made: its server has backups of its own', null, null, false, undefined],
  ['warns of an old export where the server tells of no backups', 8, null, false, 'old'],
  ['warns of an old export where the server copied its log away just as long ago', 8, 8, false, 'old'],
  ['says nothing of an old export where the server copies its log away', 8, 1, false, undefined],
  ['warns of an old export that a schedule should have followed, whatever the server does', 8, 1, true, 'old'],
])('with a shared database the health page %s', async (_words, exportedDays, archivedDays, isScheduled, finding) => {
  const { database } = desk.context;
  const { clock } = desk;
  // There is something to lose.
  const till = { id: 'a', name: 'till', publicName: 'The till', assetCode: 'USD', assetScale: 2, openingBalance: 0n };
  expect(await desk.context.walletAddresses.create(till)).toMatchObject({ ok: true });
  clock.advance(2 * DAY_MS);
  share(archivedDays);
  if (isScheduled) await schedule(null);
  if (exportedDays !== null) {
    const createdAt = clock.now() - exportedDays * DAY_MS;
    await database.write((tx) => tx.insert(backups).values({ id: 'one', file: '/b/one.age', bytes: 1, scheduled: false, createdAt }));
  }
  expect((await backupHealth(desk.context)).map((check) => ('finding' in check ? check.finding : ''))).toEqual(finding ? [finding] : []);
});

it('with a shared database the health page warns of a scheduled backup that could not be made', async () => {
  share(1);
  await schedule('no_folder');
  expect(await backupHealth(desk.context)).toEqual([{ name: 'backup', state: 'warning', finding: 'failed', days: null }]);
});
