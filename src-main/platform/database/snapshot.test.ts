import { utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from './connection.ts';
import { Snapshot } from './snapshot.ts';
import { openSqliteTest, type SqliteTest } from './testing/sqlite-test.ts';

let test: SqliteTest;
let node: Sqlite.Database;
beforeEach(() => {
  test = openSqliteTest();
  node = test.database.connection;
  node.exec('create table pages (id integer primary key, words text not null) strict');
  write(2_000);
});
afterEach(() => test.dispose());

/** Writes rows of about 1 kB each, and changes the earlier ones. */
function write(rows: number): void {
  node.prepare("update pages set words = words || 'x' where id % 7 = 0").run();
  node
    .prepare(
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) insert into pages (words) select hex(randomblob(500)) from n',
    )
    .run(BigInt(rows));
}

const DIGEST = 'select count(*), sum(length(words)), max(words), min(words) from pages';
const digest = (connection: Sqlite.Database) => connection.prepare(DIGEST).raw().get();

/** Collects the snapshot in a file, while `meanwhile` runs after each part. */
async function collected(snapshot: Snapshot, meanwhile: () => void = () => undefined): Promise<Sqlite.Database> {
  const parts: Buffer[] = [];
  for await (const part of snapshot.content()) {
    parts.push(Buffer.from(part));
    meanwhile();
  }
  const file = join(dirname(test.file), 'collected.db');
  writeFileSync(file, Buffer.concat(parts));
  return new Sqlite(file, { readonly: true }).defaultSafeIntegers(true);
}

describe('a snapshot', () => {
  it('is the file of the rows of one moment, while the node writes and tries to clear its log', async () => {
    const before = digest(node);
    const snapshot = await Snapshot.take(test.file);
    write(500);
    const copy = await collected(snapshot, () => {
      write(100);
      node.pragma('wal_checkpoint(PASSIVE)');
    });
    expect(digest(snapshot.connection.defaultSafeIntegers(true))).toEqual(before);
    await snapshot.release();
    expect(digest(copy)).toEqual(before);
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(copy.pragma('journal_mode', { simple: true })).toBe('delete');
    copy.close();
    expect(digest(node)).not.toEqual(before);
    // The log is cleared as soon as the snapshot is released.
    expect(node.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0n, log: 0n, checkpointed: 0n }]);
    expect(node.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  it('cannot be written', async () => {
    const snapshot = await Snapshot.take(test.file);
    expect(() => snapshot.connection.exec('delete from pages')).toThrow('readonly');
    await snapshot.release();
  });

  it('waits for somebody who reads older rows, and keeps the node from nothing meanwhile', async () => {
    const reader = connect(test.file);
    reader.exec('begin');
    reader.prepare(DIGEST).get();
    write(10);
    let taken = false;
    const taking = Snapshot.take(test.file).then((snapshot) => {
      taken = true;
      return snapshot;
    });
    for (let turns = 0; turns < 5; turns += 1) {
      await turn();
      write(10);
    }
    expect(taken).toBe(false);
    const before = digest(node);
    reader.exec('rollback');
    reader.close();
    const snapshot = await taking;
    const copy = await collected(snapshot);
    expect(digest(copy)).toEqual(before);
    copy.close();
    await snapshot.release();
  });

  it('is refused when somebody has written into the file after all', async () => {
    const snapshot = await Snapshot.take(test.file);
    await expect(collected(snapshot, () => utimesSync(test.file, 1, 1))).rejects.toThrow('was written while it was read');
    await snapshot.release();
  });
});
