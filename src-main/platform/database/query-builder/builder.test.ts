import Sqlite from 'better-sqlite3';
import { DrizzleQueryError, eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { executeOn } from '../connection.ts';
import { placeholdersOf } from '../placeholders.ts';
import { bool, int64, json, table, text, timestampMs, uint64 } from '../schema.ts';
import { type Builder, builder } from './builder.ts';

const shops = table('shops', { id: text('id').primaryKey(), name: text('name').notNull() });
const sales = table('sales', {
  id: text('id').primaryKey(),
  shopId: text('shop_id'),
  amount: int64('amount').notNull(),
  limit: uint64('most'),
  paid: bool('paid').notNull(),
  at: timestampMs('at').notNull(),
  note: json<{ lines: number }>('note'),
});

let connection: Sqlite.Database;
let books: Builder;

beforeEach(async () => {
  connection = new Sqlite(':memory:');
  connection.defaultSafeIntegers(true);
  connection.exec(`create table shops (id text primary key, name text not null);
    create table sales (id text primary key, shop_id text, amount integer not null, most text, paid integer not null,
      at integer not null, note text)`);
  books = builder(executeOn(connection));
  await books.insert(shops).values({ id: 'bakery', name: 'Bakery' });
});

afterEach(() => void connection.close());

const insertSale = () => books.insert(sales).values(placeholdersOf(sales)).prepare();
const sale = { id: '1', shopId: 'bakery', amount: 2n ** 62n, limit: 2n ** 64n - 1n, paid: true, at: 5, note: { lines: 2 } };
const bare = { id: '2', shopId: null, amount: -1n, limit: null, paid: false, at: 6, note: null };

describe('the query builder', () => {
  it('writes and reads each kind of value, and null', async () => {
    const insert = insertSale();
    for (const row of [sale, bare]) await insert.run(row);
    expect(await books.select().from(sales).orderBy(sales.id)).toEqual([sale, bare]);
    const byId = books
      .select()
      .from(sales)
      .where(eq(sales.id, sql.placeholder('id')))
      .prepare();
    expect(await byId.get({ id: '2' })).toEqual(bare);
    expect(await byId.get({ id: 'unknown' })).toBeUndefined();
    expect(await byId.all({ id: '1' })).toEqual([sale]);
    expect(await byId.values({ id: '2' })).toEqual([['2', null, -1n, null, 0n, 6n, null]]);
  });

  it('gives one object for each table of a join, and null for a table without a row', async () => {
    const insert = insertSale();
    for (const row of [sale, bare]) await insert.run(row);
    const joined = books.select().from(sales).leftJoin(shops, eq(shops.id, sales.shopId)).orderBy(sales.id).prepare();
    const bakery = { id: 'bakery', name: 'Bakery' };
    const expected = [
      { sales: sale, shops: bakery },
      { sales: bare, shops: null },
    ];
    expect(await joined.all()).toEqual(expected);
    expect(await joined.all()).toEqual(expected);
    const chosen = books
      .select({ id: sales.id, shop: { name: shops.name }, mixed: { name: shops.name, paid: sales.paid } })
      .from(sales)
      .leftJoin(shops, eq(shops.id, sales.shopId))
      .orderBy(sales.id);
    expect(await chosen).toEqual([
      { id: '1', shop: { name: 'Bakery' }, mixed: { name: 'Bakery', paid: true } },
      { id: '2', shop: null, mixed: { name: null, paid: false } },
    ]);
    const inner = books.select().from(sales).innerJoin(shops, eq(shops.id, sales.shopId));
    expect(await inner).toEqual([{ sales: sale, shops: bakery }]);
  });

  it('reads expressions, subqueries and what a write returns', async () => {
    await insertSale().run(sale);
    const count = sql`count(*)`.mapWith(Number);
    const newest = books
      .select({ at: sql<number>`max(at)`.mapWith(sales.at).as('newest') })
      .from(sales)
      .as('n');
    expect(await books.select({ count, named: count.as('named'), plain: sql`'x'` }).from(sales)).toEqual([
      { count: 1, named: 1, plain: 'x' },
    ]);
    expect(await books.select({ at: newest.at }).from(newest)).toEqual([{ at: 5 }]);
    const settle = books
      .update(sales)
      .set({ paid: sql`${sql.param(sql.placeholder('paid'), sales.paid)}` })
      .where(eq(sales.id, sql.placeholder('id')))
      .returning({ paid: sales.paid, amount: sales.amount })
      .prepare();
    expect(await settle.get({ id: '1', paid: false })).toEqual({ paid: false, amount: sale.amount });
    expect(await settle.all({ id: 'unknown', paid: false })).toEqual([]);
  });

  it('names the value that a prepared query was not given', async () => {
    const { note: _, ...incomplete } = sale;
    await expect(insertSale().run(incomplete)).rejects.toThrow('the query has no value for note');
    expect(await books.select().from(sales)).toEqual([]);
  });

  it('says which statement failed, with the error of the engine as the cause', async () => {
    await insertSale().run(sale);
    const failed = await insertSale()
      .run(sale)
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(DrizzleQueryError);
    expect(failed).toMatchObject({
      query: expect.stringContaining('insert into "sales"'),
      cause: { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' },
    });
  });

  it('refuses a transaction of its own, and values deeper than in an object', async () => {
    expect(() => books.transaction(async () => undefined)).toThrow('Database.write');
    const deep = books.select({ a: { b: { c: sales.id } } } as never).from(sales);
    await insertSale().run(sale);
    await expect(Promise.resolve(deep)).rejects.toThrow('lies too deep');
  });
});
