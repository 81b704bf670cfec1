import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import { createAccount } from '../support/clients/flows.ts';
import { isLong } from '../support/long.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// Backups and restores of the built node that end before their time.

const PASSPHRASE = 'seven plain words make a long one';
/** A file that another node is writing into the same folder. */
const OF_ANOTHER = 'paydesk-2026-01-01-000000-0123456789ab.age.part';
/**
 * The steps of a restore at which it is killed, and whether the books are whole then: it has begun; the keys come
 * next; the books come next; all is in its place, and that is not noted yet.
 */
const STEPS = [
  [1, false],
  [2, false],
  [3, false],
  [4, true],
] as const;

let folder: string;
let made: string;
let dataDir: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-interrupted-'));
  [made, dataDir] = [join(folder, 'made'), join(folder, 'data')];
  mkdirSync(made);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Asks a node for a backup, and resolves while the backup is being verified: that takes half a second at least. */
async function backUp(node: RunningNode): Promise<void> {
  node.operator.backups.make({ folder: made, passphrase: PASSPHRASE }).catch(() => undefined);
  await expect.poll(() => readdirSync(made).some((name) => name.endsWith('.part')), { interval: 5 }).toBe(true);
}

const extraFiles = () =>
  readdirSync(dataDir).filter((name) => name.startsWith('backup-') || (name.endsWith('.db') && name !== 'paydesk.db'));

describe('a backup that does not end', () => {
  it('leaves nothing when the node stops', async () => {
    const node = await RunningNode.start({ dataDir });
    await backUp(node);
    writeFileSync(join(made, OF_ANOTHER), '');
    expect(await node.stop()).toBe(0);
    expect(readdirSync(made)).toEqual([OF_ANOTHER]);
    expect(extraFiles()).toEqual([]);
  });

  it('leaves nothing once the node starts again after a power cut', async () => {
    const node = await RunningNode.start({ dataDir });
    await createAccount(node, 'till', 100n);
    await backUp(node);
    writeFileSync(join(made, OF_ANOTHER), '');
    await node.kill();
    expect(existsSync(join(dataDir, 'backup-unfinished'))).toBe(true);
    const again = await RunningNode.start({ dataDir });
    expect(readdirSync(made)).toEqual([OF_ANOTHER]);
    expect(extraFiles()).toEqual([]);
    expect((await again.operator.backups.status()).last).toBeNull();
    await again.stop();
  });
});

describe('a restore at a terminal that does not end', () => {
  /** Types the command `restore`. @returns the signal that has ended it, and what it has printed. */
  function restore(file: string, failPoint = ''): Promise<{ signal: unknown; code: unknown; err: string }> {
    const args = [join(root, 'out/main/headless.js'), 'restore', file, '--data-dir', dataDir];
    const env = { ...process.env, PAYDESK_FAIL_POINT: failPoint, PAYDESK_BACKUP_PASSPHRASE: PASSPHRASE };
    return new Promise((resolve) => {
      execFile(process.execPath, args, { env }, (error, _out, err) =>
        resolve({ signal: error?.signal, code: error === null ? 0 : error.code, err }),
      );
    });
  }
  let kept: string;
  let file: string;
  beforeAll(async () => {
    kept = mkdtempSync(join(tmpdir(), 'paydesk-kept-'));
    const node = await RunningNode.start();
    await createAccount(node, 'bakery', 4_250n);
    ({ file } = await node.operator.backups.make({ folder: kept, passphrase: PASSPHRASE }));
    await node.stop();
  });
  afterAll(() => rmSync(kept, { recursive: true, force: true }));
  const names = async (node: RunningNode) => (await node.operator.accounts.list({})).items.map(({ name }) => name);

  it('never leaves a folder on which an empty node starts', async () => {
    for (const [step, whole] of isLong ? STEPS : STEPS.slice(-2)) {
      rmSync(dataDir, { recursive: true, force: true });
      expect(await restore(file, `restore-step:${step}`)).toMatchObject({ signal: 'SIGKILL' });
      if (!whole) {
        await expect(RunningNode.start({ dataDir }), `step ${step}`).rejects.toThrow(
          /A backup was being restored into .* and is not there yet\. Give the command restore once more/,
        );
        expect(existsSync(join(dataDir, 'paydesk.db'))).toBe(false);
        expect(await restore(join(folder, 'nothing'))).toMatchObject({ code: 1 });
        await expect(RunningNode.start({ dataDir })).rejects.toThrow('is not there yet');
        expect(await restore(file)).toMatchObject({ code: 0, err: '' });
      }
      const node = await RunningNode.start({ dataDir });
      expect(await names(node), `step ${step}`).toEqual(['bakery']);
      await node.stop();
      for (const left of ['restore-begun', 'restore-prepared']) expect(existsSync(join(dataDir, left)), left).toBe(false);
    }
  });

  it('leaves no copy of the books once a start was refused', async () => {
    await restore(file, 'restore-step:1');
    const prepared = join(dataDir, 'restore-prepared');
    mkdirSync(prepared);
    writeFileSync(join(prepared, 'paydesk.db'), 'half of the books');
    await expect(RunningNode.start({ dataDir })).rejects.toThrow('is not there yet');
    expect(existsSync(prepared)).toBe(false);
  });

  it('leaves a folder as it was when the file is not opened', async () => {
    const other = join(made, 'other.age');
    writeFileSync(other, 'no backup');
    expect(await restore(other)).toMatchObject({ code: 1 });
    expect(readdirSync(dataDir).filter((name) => !name.startsWith('paydesk.lock'))).toEqual([]);
  });
});
