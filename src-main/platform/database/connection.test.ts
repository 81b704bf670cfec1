import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect, pageCacheKib } from './connection.ts';

let folder: string;
let connection: Sqlite.Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-connection-'));
  connection = connect(join(folder, 'paydesk.db'));
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

// No test can cut the power, so this one asks what SQLite was told. Upgrades, and the thread that moves the log into
// the file, rely on these settings.
it.each([
  ['synchronous', 2n],
  ['journal_mode', 'wal'],
  ['journal_size_limit', 67_108_864n],
  ['busy_timeout', 0n],
  ['auto_vacuum', 2n],
  ['trusted_schema', 0n],
  ['cell_size_check', 1n],
  ['temp_store', 2n],
  ['cache_size', -8_192n],
  ['query_only', 0n],
])('a connection that writes has %s = %s', (setting, value) => {
  const found = connection.pragma(setting, { simple: true });
  expect(found).toBe(value);
});

it('a connection to a file that is there syncs as the first one does', () => {
  const next = connect(join(folder, 'paydesk.db'));
  expect(next.pragma('synchronous', { simple: true })).toBe(2n);
  next.close();
});

it('a connection that reads cannot write', () => {
  const reading = connect(join(folder, 'paydesk.db'), 'reading');
  expect(reading.pragma('query_only', { simple: true })).toBe(1n);
  reading.close();
});

it.each([
  ['a new one', 0, 8_192],
  ['one of 4 GB', 1_000_000, 8_192],
  ['one of 20 GB', 5_000_000, 20_000],
  ['one of 35 GB', 9_000_000, 32_768],
])('a connection keeps a thousandth of the file, and 8 to 32 MB: %s', (_, pages, kib) => {
  expect(pageCacheKib(pages)).toBe(kib);
});
