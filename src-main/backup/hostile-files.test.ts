import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SqliteTest } from '../platform/database/testing/sqlite-test.ts';
import { writeBackupFile } from './backup-file.ts';
import { summarize } from './ledger-summary.ts';
import { BackupProcesses } from './task-processes.ts';
import { runBackupTask } from './tasks.ts';
import { head, openSmallBooks, PASSPHRASE } from './testing/small-books.ts';

const migrations = join(import.meta.dirname, '../../drizzle');
const ENDLESS = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';

let folder: string;
let test: SqliteTest;
let file: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-hostile-'));
  file = join(folder, 'hostile.age');
  test = await openSmallBooks();
});
afterEach(async () => {
  await test.dispose();
  rmSync(folder, { recursive: true });
});

const task = () => ({ kind: 'open' as const, file, passphrase: PASSPHRASE, databaseFile: join(folder, 'restored.db'), migrations });

/** Opens `file` as the node does: in a process of its own, which can be ended. */
const open = (limits = {}) => new BackupProcesses({ file: join(import.meta.dirname, 'worker.ts'), limits }).open(task());

/** Opens `file` with the code of that process. A process takes seconds to start on a busy machine. */
const openHere = () => runBackupTask(task());

/** Makes a backup of these bytes, which says that it holds the books of `test`. */
async function pack(content: Buffer): Promise<void> {
  const ledger = summarize(test.database.connection);
  await writeBackupFile(file, { passphrase: PASSPHRASE, workFactor: 4 }, { ...head, ledger }, [content]);
}

/** @returns the node's database after `change`, as one file. */
function changed(change: (connection: Sqlite.Database) => void): Buffer {
  const copy = join(folder, 'changed.db');
  test.database.connection.exec(`vacuum into '${copy}'`);
  const connection = new Sqlite(copy);
  connection.unsafeMode();
  change(connection);
  connection.close();
  const content = readFileSync(copy);
  rmSync(copy);
  return content;
}

/** Puts a definition into the schema without SQLite's own checks. */
const redefine = (connection: Sqlite.Database, name: string, sql: (old: string) => string) => {
  connection.pragma('writable_schema = ON');
  const old = connection.prepare('select sql from sqlite_schema where name = ?').pluck().get(name) as string;
  connection.prepare('update sqlite_schema set sql = ? where name = ?').run(sql(old), name);
  connection.pragma('schema_version = 9999');
};

const viewInPlaceOf = (table: string, query: string) => (connection: Sqlite.Database) => {
  connection.pragma('foreign_keys = OFF');
  connection.exec(`create table hidden as select * from ${table}; drop table ${table}; create view ${table} as ${query}`);
};

describe('a backup that somebody else has made', () => {
  it('opens when its database has what the migrations make and nothing more', async () => {
    await pack(changed(() => undefined));
    expect(await open()).toMatchObject({ ok: true });
  });

  it.each<[string, (connection: Sqlite.Database) => void]>([
    [
      'a trigger that allows apps again which the restored node freezes',
      (c) =>
        c.exec(
          `create trigger thaw after update on grants when new.state = 'frozen' begin update grants set state = 'issued' where id = new.id; end`,
        ),
    ],
    [
      'a trigger that gives ended tokens back',
      (c) =>
        c.exec(
          'create trigger back after update on access_tokens when new.awaits_rotation = 1 begin update access_tokens set awaits_rotation = 0 where id = new.id; end',
        ),
    ],
    [
      'a trigger that moves money',
      (c) => c.exec('create trigger pay after insert on events begin update ledger_accounts set balance = 0; end'),
    ],
    ['a view in the place of a table, which hides a permission', viewInPlaceOf('grants', "select * from hidden where id <> 'secret'")],
    ['a view in the place of the accounts that never ends', viewInPlaceOf('ledger_accounts', ENDLESS)],
    ['a view in the place of the migrations that never ends', viewInPlaceOf('__drizzle_migrations', ENDLESS)],
    ['a table of its own', (c) => c.exec('create table more (x)')],
    ['statistics that mislead the planner', (c) => c.exec('analyze')],
    ['an index over an expression', (c) => c.exec('create index more on grants (length(requested))')],
    ['a generated column', (c) => c.exec('alter table grants add column more text generated always as (hex(zeroblob(1e8))) virtual')],
    ['a weakened constraint', (c) => redefine(c, 'ledger_accounts', (sql) => sql.replaceAll(/,\s*CONSTRAINT[^\n]*/g, ''))],
    [
      'a default that the node does not set',
      (c) => redefine(c, 'grants', (sql) => sql.replace('`state` text NOT NULL', "`state` text NOT NULL DEFAULT 'issued'")),
    ],
    ['a missing index', (c) => c.exec('drop index access_tokens_living')],
    [
      'fewer migrations than its schema has',
      (c) => c.exec('delete from __drizzle_migrations where created_at = (select max(created_at) from __drizzle_migrations)'),
    ],
    ['a migration between those that paydesk made', (c) => c.exec("insert into __drizzle_migrations (hash, created_at) values ('x', 1)")],
  ])('is refused when it holds %s', async (name, change) => {
    await pack(changed(change));
    expect(await (name.endsWith('never ends') ? open() : openHere())).toEqual({ ok: false, error: 'foreign_parts' });
    expect(readdirSync(folder)).toEqual(['hostile.age']);
  });

  it('is refused when its pages are in a circle, and when its size is a lie', async () => {
    const good = changed(() => undefined);
    const huge = Buffer.from(good);
    // The size of the database in pages is at byte 28 of its header (SQLite file format, 1.3.7).
    huge.writeUInt32BE(0xffff_fffe, 28);
    await pack(huge);
    expect(await open()).toEqual({ ok: false, error: 'damaged' });
    rmSync(file);
    const circle = Buffer.from(good);
    const pageSize = good.readUInt16BE(16);
    // Every page that is an inner node points to itself as its rightmost child (1.6).
    for (let page = 0; page < good.length / pageSize; page += 1) {
      const at = page * pageSize + (page === 0 ? 100 : 0);
      if (circle[at] === 0x05 || circle[at] === 0x02) circle.writeUInt32BE(page + 1, at + 8);
    }
    await pack(circle);
    expect(await open({ openMs: 10_000 })).toMatchObject({ ok: false });
  });

  it('is refused at once when its passphrase would cost hours of work', async () => {
    const salt = Buffer.alloc(16, 1).toString('base64').replaceAll('=', '');
    const body = Buffer.alloc(32, 2).toString('base64').replaceAll('=', '');
    for (const factor of ['21', '30', '63', '1e9', '-1', '018']) {
      writeFileSync(
        file,
        `age-encryption.org/v1\n-> scrypt ${salt} ${factor}\n${body}\n--- ${Buffer.alloc(32).toString('base64').replaceAll('=', '')}\n`,
      );
      expect(await openHere(), factor).toEqual({ ok: false, error: 'locked' });
    }
  });

  it('is refused when its beginning never ends', async () => {
    writeFileSync(file, 'age-encryption.org/v1\n');
    const opened = openSync(file, 'a');
    const line = `${'-> x '.padEnd(60, 'y')}\n\n`.repeat(20_000);
    for (let written = 0; written < 60; written += 1) writeSync(opened, line);
    closeSync(opened);
    const answer = await open({ openMs: 4_000, mostBytes: 700_000_000 });
    expect(answer.ok ? 'opened' : answer.error).toMatch(/^(unfit|locked)$/);
    expect(readdirSync(folder)).toEqual(['hostile.age']);
  });

  it('is refused when it is gigabytes of nothing', async () => {
    writeFileSync(file, 'age-encryption.org/v1\n');
    truncateSync(file, 3 * 1024 ** 3);
    const answer = await open({ openMs: 4_000, mostBytes: 700_000_000 });
    expect(answer.ok ? 'opened' : answer.error).toMatch(/^(unfit|locked)$/);
  });
});
