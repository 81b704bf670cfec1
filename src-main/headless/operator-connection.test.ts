import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { z } from '../../src-shared/zod.ts';
import { openDataFolder } from '../platform/data-folder/data-folder.ts';
import { ReportedError } from '../platform/errors.ts';
import { backup } from './commands/backup.ts';
import { OperatorConnection } from './operator-connection.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'paydesk-connection-'));
  writeFileSync(join(dataDir, 'console-url'), 'http://127.0.0.1:1\n', { mode: 0 });
});
afterEach(() => rmSync(dataDir, { recursive: true }));

it.runIf(process.platform !== 'win32').each([
  ['nobody else may enter', 0o700],
  ['others may enter', 0o755],
])('a user who may not read the files of the node is told whose command it is, in a folder that %s', (_, mode) => {
  chmodSync(dataDir, mode);
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    const connect = () => new OperatorConnection({ dataDir });
    expect(connect).toThrow(ReportedError);
    expect(connect).toThrow(`This user may not read ${join(dataDir, 'console-url')}. Give the command as the user who runs the node.`);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

it('a backup may take hours, and any other answer ten minutes', async () => {
  const answers: (() => void)[] = [];
  const node = createServer((_, response) => {
    answers.push(() => response.setHeader('content-type', 'application/json').end('{"file":"books.paydesk","bytes":2048}'));
  });
  await new Promise<void>((listening) => node.listen(0, '127.0.0.1', listening));
  const address = node.address();
  if (address === null || typeof address === 'string') throw new Error('the node has no port');
  const folder = openDataFolder(dataDir);
  rmSync(join(dataDir, 'console-url'));
  writeFileSync(join(dataDir, 'console-url'), `http://127.0.0.1:${address.port}`);
  writeFileSync(join(dataDir, 'operator-token'), 'token');
  const connection = new OperatorConnection({ dataDir });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const typed = { operands: [], options: { folder: dataDir }, config: { backupPassphrase: 'seven plain words' } };
    const made = backup(connection, typed as unknown as Parameters<typeof backup>[1], () => undefined);
    const other = connection.request('GET', '/operator/api/accounts', z.unknown()).catch((error: Error) => error.message);
    while (answers.length < 2) await new Promise((turn) => setImmediate(turn));
    vi.advanceTimersByTime(10 * 60_000);
    expect(await other).toMatch(/^The node runs but does not answer/);
    vi.advanceTimersByTime(5 * 3_600_000);
    answers[0]?.();
    expect((await made).lines).toEqual([expect.stringContaining('books.paydesk')]);
  } finally {
    vi.useRealTimers();
    connection.close();
    node.close();
    folder.release();
  }
});
