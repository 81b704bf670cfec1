import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newDatabase } from '../../src-main/platform/database/testing/new-database.ts';
import { testServer } from '../../src-main/platform/database/testing/postgres-server.ts';
import { createAccount } from '../support/clients/flows.ts';
import { Cluster, type Replica } from '../support/nodes/cluster.ts';
import { HEADLESS, NODE_FLAGS, RunningNode } from '../support/nodes/running-node.ts';

// Two replicas back up their shared database, by hand and by a schedule. What they made is restored into a data folder,
// and from there into another database. The story goes on from test to test.

const PASSPHRASE = 'five odd words in a row';
const OPENING = 12_345n;

let server: Awaited<ReturnType<typeof testServer>>;
let cluster: Cluster;
let folder: string;
let one: Replica;
let two: Replica;

beforeAll(async () => {
  server = await testServer();
  if (server === undefined) throw new Error('there is no PostgreSQL');
  cluster = await Cluster.start(server.url);
  folder = mkdtempSync(join(tmpdir(), 'paydesk-exports-'));
  one = await cluster.add('one');
  two = await cluster.add('two');
  cluster.balancer.choose(one.port);
  await createAccount(one.node, 'shop', OPENING);
});
afterAll(async () => {
  await cluster.stop();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const made = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.age'))
    .toSorted();
/** The exports that are being made. Each holds the advisory lock of that number. */
const exporting = async () =>
  (await cluster.rows("select 1 from pg_locks where locktype = 'advisory' and (classid::int8 << 32) + objid::int8 = 7230245119")).length;
const balances = async ({ operator }: RunningNode) => (await operator.accounts.list({})).items.map(({ name, balance }) => [name, balance]);
const backupHealth = async ({ operator }: RunningNode) =>
  (await operator.node.overview()).health.filter(({ name }) => name === 'backup').map((check) => 'finding' in check && check.finding);

/** Gives a command of the built node. @throws Error with what it printed when it is refused. */
async function command(args: readonly string[], env: Record<string, string>): Promise<void> {
  await promisify(execFile)(process.execPath, [...NODE_FLAGS, HEADLESS, ...args], { env: { ...process.env, ...env } });
}

it('the button of the console makes a backup at the replica that answers, and all replicas say when', async () => {
  expect(await two.node.operator.backups.status()).toMatchObject({ last: null, schedule: null });
  expect(await backupHealth(one.node)).toEqual([]);
  const { file, onDiskOfNode, place } = await one.node.operator.backups.make({ folder, passphrase: PASSPHRASE });
  expect(onDiskOfNode).toBe(false);
  expect(place).toEqual({ name: 'one', host: hostname() });
  expect(made().map((name) => join(folder, name))).toEqual([file]);
  expect(readFileSync(file).includes('SQLite format 3')).toBe(false);
  for (const { node } of [one, two]) {
    const { last } = await node.operator.backups.status();
    expect(last).toMatchObject({ file, scheduled: false, place });
    expect((await node.operator.health.replicas()).shared?.exportedAt).toEqual(last?.createdAt);
    expect(await backupHealth(node)).toEqual(['recent']);
  }
});

it('a schedule is kept by one replica, and by another when that one was killed while it made a backup', async () => {
  const schedule = { folder, passphrase: PASSPHRASE, everyHours: 1, keep: 2 };
  for (const { node } of [two, one]) await node.operator.backups.setSchedule(schedule);
  const last = async () => (await two.node.operator.backups.status()).last;
  await expect.poll(last, { interval: 100 }).toMatchObject({ scheduled: true, place: { name: 'one' } });
  expect(made()).toHaveLength(2);
  await one.node.operator.backups.setSchedule(schedule);
  await expect.poll(exporting, { interval: 20 }).toBe(1);
  await one.node.kill();
  // As if an hour had passed, in case it had just ended.
  await cluster.database.query("update backup_schedule set due_at = 1 where id = 'schedule'");
  await expect.poll(last, { interval: 100 }).toMatchObject({ scheduled: true, place: { name: 'two', host: hostname() } });
  await expect.poll(made).toHaveLength(2);
  expect(await two.node.operator.backups.status()).toMatchObject({ schedule: { problem: null } });
});

it('such a backup is restored into a data folder, and moved from there into another database', async () => {
  const file = join(folder, made().at(-1) ?? '');
  await two.node.stop();
  const [alone, moved] = [join(folder, 'alone'), join(folder, 'moved')];
  for (const dataDir of [alone, moved]) {
    await command(['restore', '--data-dir', dataDir, file], { PAYDESK_BACKUP_PASSPHRASE: PASSPHRASE });
  }
  const node = await cluster.startAlone(alone);
  expect(await balances(node)).toEqual([['shop', OPENING]]);
  expect(await node.stop()).toBe(0);

  const url = await newDatabase(server?.url ?? '', 'again');
  await command(['move', '--data-dir', moved, '--to', url], cluster.key);
  const replica = await RunningNode.start({
    flags: ['--public-url', cluster.balancer.origin],
    env: { ...cluster.key, PAYDESK_DATABASE: url },
  });
  expect(await balances(replica)).toEqual([['shop', OPENING]]);
  // The passphrase of the schedule came along, and the new node can open it.
  const { schedule } = await replica.operator.backups.status();
  expect(schedule).toMatchObject({ folder, everyHours: 1 });
  expect(await replica.stop()).toBe(0);
});
