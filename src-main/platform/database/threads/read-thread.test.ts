import { resolve } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { int53, table, text, timestampMs } from '../schema.ts';
import { openSqliteTest, type SqliteTest } from '../testing/sqlite-test.ts';
import { ReadThread } from './read-thread.ts';

const WORKER = resolve(import.meta.dirname, 'read-worker.ts');
const open: SqliteTest[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ dispose }) => dispose()));
});

function opened(): SqliteTest {
  const database = openSqliteTest({ readWorker: WORKER });
  open.push(database);
  return database;
}

/** One of the node's tables. */
const walletAddresses = table('wallet_addresses', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  publicName: text('public_name').notNull(),
  assetCode: text('asset_code').notNull(),
  assetScale: int53('asset_scale').notNull(),
  createdAt: timestampMs('created_at').notNull(),
});

const account = (n: number) => ({ id: `id ${n}`, name: `shop-${n}`, publicName: 'Shop', assetCode: 'USD', assetScale: 2, createdAt: n });

it('a question aside gets the same rows as one in front, with what was written just before', async () => {
  const { database } = opened();
  await database.write(async (tx) => void (await tx.insert(walletAddresses).values([account(1), account(2)])));
  const asked = Array.from({ length: 20 }, () => database.readAside.select().from(walletAddresses).orderBy(walletAddresses.id));
  for (const rows of await Promise.all(asked)) expect(rows).toEqual([account(1), account(2)]);
});

it('the main thread goes on while a question is answered aside', async () => {
  const { database } = opened();
  const steps: string[] = [];
  const asked = database.readAside
    .select()
    .from(walletAddresses)
    .then(() => steps.push('answered'));
  await new Promise((turn) => setImmediate(turn));
  steps.push('a turn of the main thread');
  await asked;
  expect(steps).toEqual(['a turn of the main thread', 'answered']);
});

it('a statement that fails says why and leaves the others alone, and nothing is written aside', async () => {
  const { file } = opened();
  const thread = new ReadThread(WORKER, file);
  const asked = ['select absent from peers', "delete from wallet_addresses where id = 'a'", 'select 7'].map((sql) =>
    thread.execute(sql, [], 'all'),
  );
  const answers = await Promise.allSettled(asked);
  await thread.stop();
  expect(answers).toMatchObject([
    { reason: { message: 'no such column: absent' } },
    { reason: { message: 'attempt to write a readonly database' } },
    { value: { rows: [[7n]] } },
  ]);
});

it('a thread that is ended refuses what it was asked and what it is asked', async () => {
  const { file } = opened();
  const thread = new ReadThread(WORKER, file);
  const asked = expect(thread.execute('select 7', [], 'all')).rejects.toThrow('has ended');
  await thread.stop();
  await asked;
  await expect(thread.execute('select 7', [], 'all')).rejects.toThrow('the database is closed');
});

it('a thread that rests answers what it was asked before, and what it is asked while it ends', async () => {
  const { file } = opened();
  const thread = new ReadThread(WORKER, file);
  const ask = (sql: string) => thread.execute(sql, [], 'all').then(({ rows }) => rows);
  const [before, busy] = [ask('select 7'), thread.rest()];
  expect(await before).toEqual([[7n]]);
  await busy;
  const rest = thread.rest();
  const during = ['select 8', 'select 9'].map(ask);
  await rest;
  expect(await Promise.all([...during, ask('select 10')])).toEqual([[[8n]], [[9n]], [[10n]]]);
  await thread.stop();
});

it('a database that has rested reads and writes as before', async () => {
  const { database } = opened();
  for (const n of [1, 2, 3]) {
    await database.write(async (tx) => void (await tx.insert(walletAddresses).values(account(n))));
    expect(await database.readAside.select().from(walletAddresses)).toHaveLength(n);
    await database.rest();
    expect(await database.read.select().from(walletAddresses)).toHaveLength(n);
  }
});
