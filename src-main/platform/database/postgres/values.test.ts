import { asc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contains } from '../dialect.ts';
import { exactSum } from '../exact-sum.ts';
import { int64, json, table, text, uint64 } from '../schema.ts';
import { openSqliteTest } from '../testing/sqlite-test.ts';
import { counters, DriverTest, note, notes } from './testing/driver-test.ts';

const test = await DriverTest.start();
beforeEach(({ skip }) => skip(!test.canRun));
afterEach(() => test.closeAll());
afterAll(() => test.stop());

const MOST = 2n ** 63n - 1n;
const LEAST = -(2n ** 63n);
const things = table('things', {
  id: int64('id').primaryKey(),
  amount: int64('amount').notNull(),
  large: uint64('large').notNull(),
  words: text('words'),
  details: json<unknown>('details'),
});
const FORM =
  'id bigint primary key, amount bigint not null, large text collate "C" not null, words text collate "C", details text collate "C"';

async function open(form?: string) {
  const url = await (form === undefined ? test.fresh() : test.another(form));
  await test.admin(url, `drop table if exists things; create table things (${FORM})`);
  return test.open(url, { listens: false });
}

describe('integers of 64 bits', () => {
  it('are stored, compared, added and returned exactly at both ends', async () => {
    const database = await open();
    await database.write((tx) =>
      tx.insert(things).values([
        { id: LEAST, amount: LEAST, large: 0n },
        { id: MOST, amount: MOST, large: 2n ** 64n - 1n },
        { id: 0n, amount: 9_007_199_254_740_993n, large: 2n ** 53n + 1n },
      ]),
    );
    const rows = await database.read.select().from(things).orderBy(asc(things.id));
    expect(rows.map(({ amount, large }) => [amount, large])).toEqual([
      [LEAST, 0n],
      [9_007_199_254_740_993n, 2n ** 53n + 1n],
      [MOST, 2n ** 64n - 1n],
    ]);
    expect(
      await database.read
        .select({ id: things.id })
        .from(things)
        .where(gt(things.amount, MOST - 1n)),
    ).toEqual([{ id: MOST }]);
    expect(
      await database.read
        .select({ id: things.id })
        .from(things)
        .where(inArray(things.large, [2n ** 64n - 1n])),
    ).toEqual([{ id: MOST }]);
    expect(
      await database.read
        .select({ x: sql`${MOST} - ${1n}` })
        .from(things)
        .limit(1),
    ).toEqual([{ x: MOST - 1n }]);
  });

  it('have sums that need more than 64 bits', async () => {
    const database = await open();
    await database.write((tx) => tx.insert(things).values([1n, 2n, 3n].map((id) => ({ id, amount: MOST, large: id }))));
    expect(await database.read.select({ sum: exactSum(things.amount) }).from(things)).toEqual([{ sum: 3n * MOST }]);
  });

  it('that would overflow refuse the job', async () => {
    const database = await open();
    await database.write((tx) => tx.insert(counters).values({ id: 'a', value: MOST }));
    const adding = database.write((tx) => tx.update(counters).set({ value: sql`${counters.value} + ${1n}` }));
    await expect(adding).rejects.toMatchObject({ code: '22003' });
    expect(await database.read.select().from(counters)).toEqual([{ id: 'a', value: MOST }]);
  });

  it('come as integers from counts and comparisons, and null stays null', async () => {
    const database = await open();
    await database.write((tx) => tx.insert(things).values({ id: 1n, amount: 2n, large: 3n, words: null, details: { a: ['\0', 1] } }));
    const asked = {
      count: sql`count(*)`,
      sum: sql`sum(${things.amount})`,
      is: sql`${things.amount} < ${3n}`,
      words: things.words,
      details: things.details,
    };
    expect(await database.read.select(asked).from(things).groupBy(things.id)).toEqual([
      { count: 1n, sum: 2n, is: 1n, words: null, details: { a: ['\0', 1] } },
    ]);
  });
});

describe('texts', () => {
  const WORDS = ['', ' ', 'B', 'Z', '_', 'a', 'z', 'Ä', 'ß', 'ä', 'é', 'œ', '中', '\uFF5E', '😀'];

  it('sort, compare and lower as in SQLite, whatever the language of the database', async () => {
    const database = await open("template template0 locale_provider icu icu_locale 'de-DE' encoding 'UTF8'");
    const sqlite = openSqliteTest();
    sqlite.database.connection.exec('create table notes (id text primary key, body text not null) strict');
    const answers = async ({ write, read }: Pick<typeof database, 'write' | 'read'>) => {
      await write((tx) => tx.insert(notes).values(WORDS.toReversed().map((id) => ({ id, body: `${id} Ä A` }))));
      return [
        await read.select({ id: notes.id }).from(notes).orderBy(notes.id),
        await read.select({ id: notes.id }).from(notes).where(lt(notes.id, 'a')).orderBy(notes.id),
        await read
          .select({ low: sql`lower(${notes.body})` })
          .from(notes)
          .orderBy(notes.id),
        await read
          .select({ id: notes.id })
          .from(notes)
          .where(contains(sql`lower(${notes.id})`, sql`lower(${'Ä'})`)),
        await read
          .select({ least: sql`min(${notes.id})`, most: sql`max(${notes.id})` })
          .from(notes)
          .where(gt(notes.id, '')),
      ];
    };
    const bound = (of: Pick<typeof database, 'write' | 'read'>) => ({ write: of.write.bind(of) as typeof of.write, read: of.read });
    const [here, there] = [await answers(bound(database)), await answers(bound(sqlite.database))];
    expect(here).toEqual(there);
    expect(here[3]).toEqual([{ id: 'Ä' }]);
    await sqlite.dispose();
  });

  it('with a NUL character are refused by both engines, before they reach them', async () => {
    const database = await open();
    const sqlite = openSqliteTest({});
    sqlite.database.connection.exec('create table notes (id text primary key, body text not null) strict');
    for (const one of [database, sqlite.database]) {
      await expect(one.write((tx) => note(tx, 'a', 'x\0y'))).rejects.toThrow('a text with a NUL character cannot be stored');
      await expect(one.read.select().from(notes).where(eq(notes.id, '\0')).then()).rejects.toThrow('NUL');
      await one.write((tx) => note(tx, 'a', 'x\u0001y'));
    }
    await sqlite.dispose();
  });

  it('of a hundred thousand characters and with every kind of quote come back as they were', async () => {
    const database = await open();
    const body = `'"\\$1?${'😀é'.repeat(50_000)}`;
    await database.write((tx) => note(tx, `it's "?"`, body));
    expect(await database.read.select().from(notes).where(eq(notes.id, `it's "?"`))).toEqual([{ id: `it's "?"`, body }]);
  });
});
