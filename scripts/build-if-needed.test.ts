import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isBuilt } from './build-if-needed.mjs';

const OUTPUTS = ['out/main/desktop.js', 'out/main/headless.js', 'out/preload/index.cjs', 'out/renderer/index.html'];
let folder: string;

/** Writes a file whose last change was at `minute`. */
function file(path: string, minute: number) {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, '');
  utimesSync(full, minute * 60, minute * 60);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-built-'));
  for (const path of [
    'src-main/headless/entry.ts',
    'src-main/ledger/ledger.ts',
    'src-shared/amounts.ts',
    'src-renderer/main.tsx',
    'package.json',
  ])
    file(path, 10);
  for (const path of OUTPUTS) file(path, 20);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('isBuilt', () => {
  it('is true when every output is newer than every source', () => expect(isBuilt(folder)).toBe(true));

  it.each(OUTPUTS)('is false without %s', (path) => {
    rmSync(join(folder, path));
    expect(isBuilt(folder)).toBe(false);
  });

  it.each(['src-main/ledger/ledger.ts', 'src-main/new-folder/new.ts', 'src-renderer/main.tsx', 'drizzle/0001_more.sql', 'package.json'])(
    'is false after a change of %s',
    (path) => {
      file(path, 30);
      expect(isBuilt(folder)).toBe(false);
    },
  );

  it('ignores tests', () => {
    file('src-main/ledger/ledger.test.ts', 30);
    file('src-renderer/main.test.tsx', 30);
    expect(isBuilt(folder)).toBe(true);
  });

  it('is false in a fresh clone', () => {
    rmSync(join(folder, 'out'), { recursive: true });
    expect(isBuilt(folder)).toBe(false);
  });
});
