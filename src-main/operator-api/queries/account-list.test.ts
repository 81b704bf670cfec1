import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Reader } from '../../platform/database/database.ts';
import { builder } from '../../platform/database/query-builder/builder.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import { listAccounts } from './accounts.ts';

let desk: Desk;
beforeEach(() => {
  desk = openDesk();
});
afterEach(() => desk.close());

/** Counts the rows that a list takes from the database. */
function counted() {
  const read = { rows: 0 };
  const reader: Reader = builder(async (sql, params) => {
    const { rows } = await desk.test.execute(sql, params, 'all');
    read.rows += rows.length;
    return { rows };
  });
  return { read, context: { ...desk.context, database: Object.assign(Object.create(desk.database), { read: reader, readAside: reader }) } };
}

it('the list of accounts reads as many rows for a page of many accounts as for a page of few', async () => {
  for (let n = 1; n <= 30; n += 1) {
    await desk.account(`stand-${n}`, 1n);
    desk.clock.advance(1);
  }
  const { read, context } = counted();
  const { items } = await listAccounts(context, { limit: 5, order: 'oldest' });
  expect(items.map(({ name }) => name)).toEqual(['stand-1', 'stand-2', 'stand-3', 'stand-4', 'stand-5']);
  // Five accounts and the one that tells that there are more; and two ledger accounts of each.
  expect(read.rows).toBe(6 + 2 * 5);
});

it.each(['oldest', 'newest'] as const)(
  'the list of accounts shows every account once, the %s first, also while accounts are made',
  async (order) => {
    for (let n = 1; n <= 7; n += 1) {
      await desk.account(`stand-${n}`, BigInt(n));
      // Accounts of the same moment are told apart by their ids.
      if (n % 3 === 0) desk.clock.advance(1);
    }
    const whole = (await listAccounts(desk.context, { limit: 100, order })).items;
    const seen: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const part = await listAccounts(desk.context, { cursor, limit: 2, order });
      seen.push(...part.items.map(({ name }) => name));
      cursor = part.nextCursor;
      if (order === 'newest') await desk.account(`later-${seen.length}`, 0n);
    }
    expect(seen).toEqual(whole.map(({ name }) => name));
  },
);

it('a search finds accounts by a part of their name or of what payers see, in large and small letters', async () => {
  await desk.account('bakery', 1n);
  desk.clock.advance(1);
  await desk.account('book-shop', 2n);
  const named = async (text: string) =>
    (await listAccounts(desk.context, { text, limit: 10, order: 'oldest' })).items.map(({ name }) => name);
  expect(await named('BOOK')).toEqual(['book-shop']);
  expect(await named(' k ')).toEqual(['bakery', 'book-shop']);
  expect(await named('%')).toEqual([]);
  expect(await named('https://pay.example/book-shop')).toEqual(['book-shop']);
  expect(await named('/')).toEqual([]);
});

it('the list of accounts begins at the top for a cursor that it has not made', async () => {
  await desk.account('bakery', 1n);
  for (const cursor of ['', 'made up', 'bakery 1', `${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)} soon`])
    expect((await listAccounts(desk.context, { cursor, limit: 10, order: 'oldest' })).items).toHaveLength(1);
});
