import { rmSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { eq, lt } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from './connection.ts';
import { int53, table, text } from './schema.ts';
import { makeShrinkable, measureDisk } from './space.ts';
import { openSqliteTest, type SqliteTest } from './testing/sqlite-test.ts';

const pages = table('pages', { id: text('id').primaryKey(), words: text('words').notNull(), changed: int53('changed').notNull() });

let test: SqliteTest;
beforeEach(() => {
  test = openSqliteTest({});
  test.database.connection.exec('create table pages (id text primary key, words text not null, changed integer not null) strict');
});
afterEach(() => test.dispose());

/** Rows of about 4 kB each. */
async function fill(rows: number): Promise<void> {
  for (let first = 0; first < rows; first += 500)
    await test.database.write(async (tx) => {
      for (let i = first; i < Math.min(rows, first + 500); i++) {
        const id = String(i).padStart(6, '0');
        await tx.insert(pages).values({ id, words: 'x'.repeat(3_500), changed: i });
      }
    });
}
const sizeOf = (file: string) => statSync(file).size;
const settle = () => test.database.connection.pragma('wal_checkpoint(TRUNCATE)');
const pragma = (name: string) => Number(test.database.connection.pragma(name, { simple: true }));

describe('a database from which rows went', () => {
  it('gives the space back step by step, while it takes writes, and keeps a little', async () => {
    await fill(3_000);
    settle();
    const full = sizeOf(test.file);
    await test.database.write((tx) => tx.delete(pages).where(lt(pages.id, '002900')));
    let steps = 0;
    while (await test.database.giveBack()) {
      steps += 1;
      await test.database.write((tx) => tx.update(pages).set({ changed: steps }).where(eq(pages.id, '002950')));
    }
    settle();
    expect(steps).toBeGreaterThan(20);
    expect(sizeOf(test.file)).toBeLessThan(full / 2);
    expect(pragma('freelist_count')).toBeGreaterThan(1_000);
    expect(test.database.connection.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(await test.database.read.select().from(pages)).toHaveLength(100);
  });

  it('gives nothing back when there is little', async () => {
    await fill(100);
    await test.database.write((tx) => tx.delete(pages));
    expect(await test.database.giveBack()).toBe(false);
    expect(pragma('freelist_count')).toBeGreaterThan(0);
  });
});

describe('a database of an earlier version', () => {
  it('is rewritten once, with the same rows, and can give space back from then on', async () => {
    const file = `${test.file}-old`;
    const old = new Sqlite(file);
    old.exec("create table things (id text primary key, words text) strict; insert into things values ('a', 'one'), ('b', 'two')");
    old.close();
    const connection = connect(file);
    expect(Number(connection.pragma('auto_vacuum', { simple: true }))).toBe(0);
    makeShrinkable(connection);
    makeShrinkable(connection);
    expect(Number(connection.pragma('auto_vacuum', { simple: true }))).toBe(2);
    expect(connection.prepare('select * from things').raw().all()).toEqual([
      ['a', 'one'],
      ['b', 'two'],
    ]);
    connection.close();
    expect(Number(new Sqlite(file).pragma('auto_vacuum', { simple: true }))).toBe(2);
    rmSync(file);
  });
});

it('the measurement says which table takes how much, with its indexes, and what is free', async () => {
  await fill(1_000);
  const before = measureDisk(test.file);
  const accounts = before.tables.find(({ table }) => table === 'pages');
  expect(accounts?.bytes).toBeGreaterThan(3_500_000);
  expect(before).toMatchObject({ shrinks: true, free: 0 });
  expect(before.total).toBeGreaterThanOrEqual(sizeOf(test.file));
  await test.database.write((tx) => tx.delete(pages));
  const after = measureDisk(test.file);
  expect(after.free).toBeGreaterThan(3_500_000);
});
