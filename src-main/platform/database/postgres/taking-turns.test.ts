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

it('a turn that does not come a second time, after a job has failed, is asked for again with the jobs that are left', async () => {
  let holding: Promise<unknown> | undefined;
  const waits = async () =>
    (
      await test.admin(
        url,
        `select 1 from pg_locks l join pg_stat_activity a using (pid) where not granted and datname = current_database()`,
      )
    ).length > 0;
  const database = test.open(url, {
    listens: false,
    times: { statement: 100 },
    interleaver: {
      pass: async (_, send) => {
        if (holding === undefined) {
          // Somebody else waits for the turn, and has it for a while when this one is undone.
          holding = test.admin(url, 'begin; lock table turns in exclusive mode; select pg_sleep(0.5); commit');
          while (!(await waits())) await new Promise((resolve) => setTimeout(resolve, 5));
        }
        return await send();
      },
    },
  });
  const failing = database.write(
    async (tx) => {
      await tx.select().from(notes);
      throw new Error('not this one');
    },
    ['a'],
  );
  await Promise.all([expect(failing).rejects.toThrow('not this one'), database.write((tx) => note(tx, 'b'), ['b'])]);
  await holding;
  expect(await database.read.select({ id: notes.id }).from(notes)).toEqual([{ id: 'b' }]);
});

describe('the server', () => {
  /** Makes the server do something at each insert into `notes`. @param when how the trigger is made. */
  const atInsert = (body: string, when = 'create trigger') =>
    test.admin(
      url,
      `create or replace function act() returns trigger language plpgsql as $$ begin ${body} return null; end $$;
       ${when} acts after insert on notes ${when === 'create trigger' ? '' : 'deferrable initially deferred'} for each row execute function act()`,
    );
  afterEach(async () => {
    if (test.canRun)
      await test.admin(url, 'drop trigger if exists acts on notes; drop function if exists act; drop sequence if exists times');
  });

  it('may take its time for a commit, as it does when it waits for a standby', async () => {
    await atInsert('perform pg_sleep(0.6);', 'create constraint trigger');
    const database = test.open(url, { listens: false, times: { statement: 200 } });
    await database.write((tx) => note(tx, 'a'));
    expect(await database.read.select().from(notes)).toHaveLength(1);
  });

  it('without room on its disk refuses the whole turn, and takes the next one when there is room', async () => {
    await atInsert(`if new.id = 'b' then raise 'no room' using errcode = '53100'; end if;`);
    const database = open();
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((id) => database.write((tx) => note(tx, id), [id])));
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(/disk full/) } });
    expect(database.notStored?.message).toMatch(/disk full/);
    await database.write((tx) => note(tx, 'd'));
    expect(database.notStored).toBeUndefined();
    expect(await database.read.select({ id: notes.id }).from(notes)).toEqual([{ id: 'd' }]);
  });

  it('that finds a conflict with another program is asked again', async () => {
    await test.admin(url, 'create sequence times');
    await atInsert(`if nextval('times') = 1 then raise 'conflict' using errcode = '40001'; end if;`);
    const database = open();
    let runs = 0;
    await database.write(async (tx) => {
      runs += 1;
      await note(tx, 'a');
    });
    expect(runs).toBe(2);
    expect(await database.read.select().from(notes)).toHaveLength(1);
  });

  it('is told how to treat a session, whatever its own defaults are', async () => {
    const careless = await test.another();
    await test.admin(
      careless,
      `do $$ begin
         execute format('alter database %I set synchronous_commit = off', current_database());
         execute format('alter database %I set default_transaction_isolation = serializable', current_database());
         execute format('alter database %I set default_transaction_read_only = on', current_database());
       end $$`,
    );
    const named = (name: string) => sql`current_setting(${name})`;
    const asked = {
      sync: named('synchronous_commit'),
      isolation: named('transaction_isolation'),
      idle: named('idle_in_transaction_session_timeout'),
    };
    const database = test.open(careless, { listens: false });
    const settings = await database.write((tx) => note(tx, 'a').then(() => tx.select(asked).from(notes)));
    expect(settings).toEqual([{ sync: 'on', isolation: 'read committed', idle: '2s' }]);
  });

  it('keeps no more statements prepared than it has to: a connection with too many is replaced', async () => {
    const database = open();
    const pids = async () => {
      const asked = Array.from({ length: 16 }, () => database.read.select({ pid: sql`pg_backend_pid()` }).from(sql`(select 1) one`));
      return new Set((await Promise.all(asked)).map(([row]) => row?.pid));
    };
    const before = await pids();
    const ask = (n: number) => database.read.select({ n: sql.raw(String(n)) }).from(sql`(select 1) one`);
    // A statement gets its name with its second use.
    for (let first = 0; first < 4_500; first += 500)
      await Promise.all(Array.from({ length: 500 }, (_, n) => [ask(first + n), ask(first + n)]).flat());
    const after = await pids();
    expect([...after].filter((pid) => !before.has(pid))).not.toEqual([]);
    expect(after.size).toBeLessThanOrEqual(4);
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
    // One more may come in a span than fits into it, and a timer may end a little early.
    expect(told.length).toBeLessThanOrEqual((performance.now() - started) / 95 + 1);
    await listener.end();
  });
});
