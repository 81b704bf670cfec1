import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PostgresDatabase } from './postgres-database.ts';
import { counters, DriverTest, note, notes } from './testing/driver-test.ts';

const test = await DriverTest.start();
let url: string;
beforeEach(async ({ skip }) => {
  skip(!test.canRun);
  url = await test.fresh();
});
afterEach(() => test.closeAll());
afterAll(() => test.stop());

const open = () => test.open(url, { listens: false });

describe('two databases on one server', () => {
  it('take turns: a counter that each job reads and then writes is exact, and no place is given twice', async () => {
    const databases = [open(), open(), open()];
    await databases[0]?.write((tx) => tx.insert(counters).values({ id: 'a', value: 0n }));
    const place = sql<string>`(select 'place ' || (count(*) + 1) from notes)`;
    const increase = (database: PostgresDatabase, touches?: string[]) =>
      database.write(async (tx) => {
        const [row] = await tx.select().from(counters);
        await tx.insert(notes).values({ id: place, body: '' });
        await tx.update(counters).set({ value: (row?.value ?? 0n) + 1n });
      }, touches);
    const all = databases.flatMap((database) => Array.from({ length: 100 }, (_, n) => increase(database, n % 2 === 0 ? ['a'] : undefined)));
    await Promise.all(all);
    expect(await open().read.select().from(counters)).toEqual([{ id: 'a', value: 300n }]);
    const places = (await open().read.select().from(notes)).map(({ id }) => Number(id.split(' ')[1]));
    expect(places.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, n) => n + 1));
  });

  it('see at once what the other has stored', async () => {
    const [one, other] = [open(), open()];
    for (let n = 0; n < 20; n++) {
      await one.write((tx) => note(tx, `${n}`));
      expect(
        await other.read
          .select()
          .from(notes)
          .where(eq(notes.id, `${n}`)),
      ).toHaveLength(1);
      expect(await other.write((tx) => tx.select().from(notes))).toHaveLength(n + 1);
    }
  });

  it('count one term more for each commit of either', async () => {
    const [one, other] = [open(), open()];
    for (const database of [one, other, one, other]) await database.write((tx) => note(tx, `${database.term} ${database === one}`));
    expect([one.term, other.term]).toEqual([3n, 4n]);
  });
});

describe('a statement that takes too long', () => {
  it('fails its job, and the others of its turn are stored', async () => {
    const database = test.open(url, { listens: false, times: { statement: 300 } });
    const slow = database.write((tx) => tx.select({ x: sql`pg_sleep(60)` }).from(sql`(select 1) one`), ['slow']);
    const quick = database.write((tx) => note(tx, 'quick'), ['quick']);
    await expect(slow).rejects.toMatchObject({ code: '57014' });
    await quick;
    expect(database.stopped).toBeUndefined();
    expect(await database.read.select().from(notes)).toHaveLength(1);
  });

  it('is one that waits for the turn: it is asked for again, until it comes', async () => {
    const database = test.open(url, { listens: false, times: { statement: 100 } });
    const holding = test.admin(url, 'begin; update turns set term = term; select pg_sleep(1); commit');
    await database.write((tx) => note(tx, 'late'));
    await holding;
    expect(await database.read.select().from(notes)).toHaveLength(1);
  });
});

describe('a commit', () => {
  /** Resolves when listeners of the database are called. */
  const heard = (database: PostgresDatabase) => new Promise<void>((resolve) => void database.onCommit(resolve));

  it('is told to those who listen', async () => {
    // The look at the term would come after a minute only.
    const listener = test.open(url, { times: { poll: 60_000 } });
    const hears = heard(listener);
    const writer = test.open(url);
    // Who writes before the other listens is not heard, so it writes until then.
    let isOver = false;
    const over = hears.then(() => {
      isOver = true;
    });
    for (let n = 0; !isOver; n++) await Promise.race([over, writer.write((tx) => note(tx, `${n}`))]);
    await over;
  });

  it('is seen by those who look when nobody has told them', async () => {
    const listener = test.open(url, { times: { poll: 20 } });
    const hears = heard(listener);
    await test.open(url, { listens: false }).write((tx) => note(tx, 'a'));
    await hears;
  });

  it('is told at most so often, and the last one is told, too', async () => {
    const told: string[] = [];
    const listener = await test.listen(url, 'paydesk_commits', (payload) => told.push(payload));
    const writer = test.open(url, { times: { tell: 100 } });
    const started = performance.now();
    while (told.length < 3) await writer.write((tx) => note(tx, String(performance.now())));
    await expect.poll(() => told.at(-1)).toMatch(new RegExp(` ${writer.term}$`));
    // One more may come in a span than fits into it.
    expect(told.length).toBeLessThanOrEqual((performance.now() - started) / 100 + 1);
    await listener.end();
  });
});
