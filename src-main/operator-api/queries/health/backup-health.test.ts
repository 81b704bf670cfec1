import { afterEach, beforeEach, expect, it } from 'vitest';
import { healthText } from '../../../../src-shared/words/health.ts';
import { backups } from '../../../backup/tables.ts';
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
