import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ReportedError } from '../platform/errors.ts';
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
