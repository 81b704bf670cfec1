import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contradictions, readBooks } from '../support/books/books.ts';
import { createAccount } from '../support/clients/flows.ts';
import { isLong } from '../support/long.ts';
import { handOver } from '../support/nodes/hand-over.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// A backup takes the place of a running node, also when the node is killed meanwhile.

const PASSPHRASE = 'seven plain words make a long one';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-restore-'));
  mkdirSync(join(folder, 'made'));
  const other = await RunningNode.start();
  await createAccount(other, 'bakery', 4_250n);
  ({ file } = await other.operator.backups.make({ folder: join(folder, 'made'), passphrase: PASSPHRASE }));
  await other.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const names = async (node: RunningNode) => (await node.operator.accounts.list({})).items.map(({ name }) => name);

/** The nodes that were moved aside, by the name of their account. */
const keptAside = (dataDir: string): unknown[] =>
  readdirSync(dataDir)
    .filter((name) => name.startsWith('replaced-'))
    .flatMap((name) =>
      readBooks({ dataDir: join(dataDir, name) }, (books) => books.prepare('select name from wallet_addresses').pluck().all()),
    );

it('a restored node starts again by itself at the same addresses, takes the same script token, and keeps its keys encrypted', async () => {
  const dataDir = join(folder, 'protected');
  const env = { PAYDESK_SECRETS_PASSPHRASE: 'what protects the keys here' };
  const node = await RunningNode.start({ dataDir, env });
  await createAccount(node, 'till', 100n);
  const { id, content } = await handOver(node.operator, file, PASSPHRASE);
  expect(content.accounts).toMatchObject([{ name: 'bakery', balance: 4_250n, reserved: 0n }]);
  await expect(node.operator.restore.start({ id: crypto.randomUUID(), confirm: 'restore' })).rejects.toMatchObject({ code: 'GONE' });
  const { keptAside: place } = await node.operator.restore.start({ id, confirm: 'restore' });
  await expect.poll(() => names(node).catch(() => [])).toEqual(['bakery']);
  expect((await fetch(`${node.publicUrl}/bakery`)).status).toBe(200);
  expect(await node.operator.restore.last()).toMatchObject({ last: { id, madeAt: content.madeAt, keptAside: place } });
  expect(JSON.parse(readFileSync(join(dataDir, 'node-secrets.json'), 'utf8'))).toMatchObject({ protection: 'passphrase' });
  expect(readBooks(node, contradictions)).toEqual([]);
  expect(node.isRunning).toBe(true);
  expect(await node.stop()).toBe(0);
  // The node that was moved aside is unchanged and starts.
  const before = await RunningNode.start({ dataDir: place, env });
  expect(await names(before)).toEqual(['till']);
  expect((await before.operator.activity.list({})).items.map(({ operation }) => operation)).toContain('restore.start');
  await before.stop();
});

/**
 * The moments at which the node is killed: before the decision, right after it, between two moves, and before the last
 * one is noted.
 */
it.each(isLong ? [1, 2, 4, 6, 8] : [2, 6])(
  'a node killed at step %i is the old node or the restored one, and the old one is never lost',
  async (step) => {
    const dataDir = join(folder, `killed-${step}`);
    const node = await RunningNode.start({ dataDir, env: { PAYDESK_FAIL_POINT: `restore-step:${step}` } });
    await createAccount(node, 'till', 100n);
    const { id } = await handOver(node.operator, file, PASSPHRASE);
    await node.operator.restore.start({ id, confirm: 'restore' });
    expect(await node.exited()).toBe('SIGKILL');
    const again = await RunningNode.start({ dataDir });
    const replaced = step > 1;
    expect(await names(again)).toEqual(replaced ? ['bakery'] : ['till']);
    expect((await again.operator.restore.last()).last?.id).toBe(replaced ? id : undefined);
    expect(keptAside(dataDir)).toEqual(replaced ? ['till'] : []);
    expect(readBooks(again, contradictions)).toEqual([]);
    for (const left of ['restore-prepared', 'restore.json']) expect(existsSync(join(dataDir, left)), left).toBe(false);
    await again.stop();
  },
);
