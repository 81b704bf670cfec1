import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccount } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// Backups and restores of the built node that end before their time.

const PASSPHRASE = 'seven plain words make a long one';
/** A file that another node is writing into the same folder. */
const OF_ANOTHER = 'paydesk-2026-01-01-000000-0123456789ab.age.part';

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
