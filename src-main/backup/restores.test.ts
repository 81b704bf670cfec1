import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../platform/clock.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { refuse } from '../platform/result.ts';
import { Restores } from './restores.ts';
import type { OpenBackup } from './tasks.ts';

/** Opening a backup, which goes on until the signal ends it. */
const endless: OpenBackup = (_task, signal) =>
  new Promise((resolve) => signal?.addEventListener('abort', () => setImmediate(() => resolve(refuse('cancelled')))));

let folder: string;
let restores: Restores;
let room: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-restores-'));
  room = 1_000;
  restores = new Restores({
    room: () => room,
    ...{ dataFolder: folder, protection: undefined, migrations: '', openBackup: endless, restart: () => undefined },
    clock: new ManualClock(0),
    log: createLogger('silent'),
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function handOver(): Promise<string> {
  const begun = restores.begin(4);
  if (!begun.ok) throw new Error(begun.error);
  const { id } = begun.value;
  await restores.part({ id, offset: 0, data: Buffer.from('file') });
  return id;
}

const wanted = (id: string) => ({ id, passphrase: 'x', secretHash: 'hash' });
const prepared = () => join(folder, 'restore-prepared');

describe('opening a backup', () => {
  it('ends when the operator discards the file, and leaves nothing', async () => {
    const id = await handOver();
    const looking = restores.look(wanted(id));
    expect(await restores.discard()).toBe(true);
    expect(await looking).toEqual({ ok: false, error: 'gone' });
    expect(existsSync(prepared())).toBe(false);
    expect(restores.begin(4)).toMatchObject({ ok: true });
  });

  it('ends when the page that asked for it is left, and the file can be opened again', async () => {
    const id = await handOver();
    const page = new AbortController();
    const looking = restores.look(wanted(id), page.signal);
    expect(await restores.look(wanted(id))).toEqual({ ok: false, error: 'busy' });
    page.abort();
    expect(await looking).toEqual({ ok: false, error: 'gone' });
    const again = restores.look(wanted(id));
    expect(await restores.discard()).toBe(true);
    expect(await again).toEqual({ ok: false, error: 'gone' });
  });

  it('is discarded once, however often somebody asks, and never takes a later file with it', async () => {
    const id = await handOver();
    const looking = restores.look(wanted(id));
    expect(await Promise.all([restores.discard(), restores.discard()])).toEqual([true, true]);
    await looking;
    await handOver();
    expect(existsSync(prepared())).toBe(true);
  });
});

describe('taking a backup from the console', () => {
  it('ends when it is discarded between two parts, or while one is written, and never touches a later file', async () => {
    const begin = () => {
      const begun = restores.begin(8);
      return begun.ok ? begun.value.id : '';
    };
    for (let round = 0; round < 20; round++) {
      const id = begin();
      await restores.part({ id, offset: 0, data: Buffer.from('old!') });
      const writing = restores.part({ id, offset: 4, data: Buffer.from('old!') });
      expect(await restores.discard()).toBe(true);
      expect(existsSync(prepared())).toBe(false);
      const later = begin();
      expect(await writing).toEqual(refuse('gone'));
      expect(readFileSync(join(prepared(), 'backup.age'), 'utf8')).toBe('');
      expect(await restores.part({ id, offset: 0, data: Buffer.from('old!') })).toEqual(refuse('gone'));
      expect(await restores.part({ id: later, offset: 0, data: Buffer.from('new!') })).toMatchObject({ ok: true });
      expect(await restores.discard()).toBe(true);
    }
    expect(existsSync(prepared())).toBe(false);
  });

  it('begins with any size for which there is room twice', () => {
    const huge = 5 * 1024 ** 4;
    room = 2 * huge;
    expect(restores.begin(huge)).toMatchObject({ ok: true });
    room = 2 * huge - 1;
    expect(restores.begin(huge)).toEqual({ ok: false, error: 'no_room' });
    expect(existsSync(prepared())).toBe(false);
  });
});
