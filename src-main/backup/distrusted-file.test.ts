import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type BetterSqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SqliteTest } from '../platform/database/testing/sqlite-test.ts';
import { runBackupTask } from './tasks.ts';
import { head, openSmallBooks, PASSPHRASE } from './testing/small-books.ts';

/** Each statement with its file, and whether functions in stored SQL were trusted when it was prepared. */
const asked = vi.hoisted((): { file: string; isTrusted: boolean }[] => []);

vi.mock('better-sqlite3', async (importOriginal) => {
  const { default: Sqlite } = await importOriginal<{ default: typeof BetterSqlite }>();
  const { prepare } = Sqlite.prototype;
  Sqlite.prototype.prepare = function (this: BetterSqlite.Database, sql: string) {
    asked.push({ file: this.name, isTrusted: Number(this.pragma('trusted_schema', { simple: true })) !== 0 });
    return prepare.call(this, sql);
  } as typeof prepare;
  return { default: Sqlite };
});

let folder: string;
let test: SqliteTest;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-distrust-'));
  test = await openSmallBooks();
});
afterEach(async () => {
  await test.dispose();
  rmSync(folder, { recursive: true });
});

it('every statement on the database of a backup runs with functions in stored SQL distrusted', async () => {
  const [file, databaseFile] = [join(folder, 'books.age'), join(folder, 'restored.db')];
  const made = { databaseFile: test.database.connection.name, file, passphrase: PASSPHRASE, head, workFactor: 4 };
  expect(await runBackupTask({ kind: 'make', ...made })).toMatchObject({ ok: true });
  const migrations = join(import.meta.dirname, '../../drizzle');
  expect(await runBackupTask({ kind: 'open', file, passphrase: PASSPHRASE, databaseFile, migrations })).toMatchObject({ ok: true });
  const inBackup = asked.filter((one) => one.file === databaseFile);
  expect(inBackup.length).toBeGreaterThan(3);
  expect(inBackup.filter(({ isTrusted }) => isTrusted)).toEqual([]);
});
