import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BooksWentBack, DatabaseBusy, NotStored, OutcomeUnknown } from '../database.ts';
import { asRefusable } from '../job-context.ts';
import type { PostgresOptions } from './options.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import { CuttingProxy } from './testing/cutting-proxy.ts';
import { counters, DriverTest, note, notes } from './testing/driver-test.ts';

const test = await DriverTest.start();
let url: string;
let proxy: CuttingProxy;
beforeEach(async ({ skip }) => {
  skip(!test.canRun);
  url = await test.fresh();
  proxy = await CuttingProxy.before(url);
});
afterEach(async () => {
  await test.closeAll();
  await proxy?.close();
});
afterAll(() => test.stop());

const behindProxy = (options: PostgresOptions = {}) => test.open(proxy.url, { listens: false, ...options });
const beside = (options: PostgresOptions = {}) => test.open(url, { listens: false, ...options });
const ids = async (database: PostgresDatabase) => (await database.read.select().from(notes).orderBy(notes.id)).map(({ id }) => id);
/** How often each job of a test has run. */
class Runs {
  readonly of: Record<string, number> = {};
  readonly write = (database: PostgresDatabase, id: string, touches?: string[]) =>
    database.write(async (tx) => {
      this.of[id] = (this.of[id] ?? 0) + 1;
      await note(tx, id);
      return id;
    }, touches);
}

describe('a connection that goes', () => {
  it('before the commit has left: the jobs run again on another connection', async () => {
    const [database, runs] = [behindProxy(), new Runs()];
    void proxy.awaits('commit\0', 'cut');
    expect(await Promise.all([runs.write(database, 'a'), runs.write(database, 'b')])).toEqual(['a', 'b']);
    expect(runs.of).toEqual({ a: 2, b: 2 });
    expect(await ids(database)).toEqual(['a', 'b']);
    expect(database.stats).toEqual({ commits: 1, jobs: 2 });
  });

  it('with the answer to the commit: the next turn finds that it has happened, and nothing runs again', async () => {
    const [database, runs] = [behindProxy(), new Runs()];
    await runs.write(database, 'earlier');
    void proxy.awaits('commit\0', 'cut the answer');
    expect(await Promise.all([runs.write(database, 'a'), runs.write(database, 'b')])).toEqual(['a', 'b']);
    expect(runs.of).toEqual({ earlier: 1, a: 1, b: 1 });
    expect(await ids(database)).toEqual(['a', 'b', 'earlier']);
    expect(database.notStored).toBeUndefined();
  });

  it('with the answer to the very first commit: it is found as well', async () => {
    const [database, runs] = [behindProxy(), new Runs()];
    void proxy.awaits('commit\0', 'cut the answer');
    expect(await runs.write(database, 'a')).toBe('a');
    expect(runs.of).toEqual({ a: 1 });
  });

  it('with the answer to the commit, while another process goes on writing: the commit is still found', async () => {
    const [database, other, runs] = [behindProxy(), beside(), new Runs()];
    await runs.write(database, 'earlier');
    const seen = proxy.awaits('commit\0', 'cut the answer').then(() => proxy.goDown());
    const written = runs.write(database, 'a');
    await seen;
    for (const id of ['x', 'y', 'z']) await runs.write(other, id);
    proxy.comeBack();
    expect(await written).toBe('a');
    expect(runs.of.a).toBe(1);
    expect(await ids(other)).toEqual(['a', 'earlier', 'x', 'y', 'z']);
  });

  it('in the middle of a job: nothing of its turn is stored twice', async () => {
    const [database, runs] = [behindProxy(), new Runs()];
    await database.write((tx) => tx.insert(counters).values({ id: 'sum', value: 0n }));
    void proxy.awaits('update "counters"', 'cut');
    const adding = database.write((tx) => tx.update(counters).set({ value: sql`${counters.value} + ${1n}` }), ['sum']);
    await Promise.all([adding, runs.write(database, 'a', ['a'])]);
    expect(await database.read.select().from(counters)).toEqual([{ id: 'sum', value: 1n }]);
    expect(await ids(database)).toEqual(['a']);
  });

  it('under a question: it is asked again', async () => {
    const database = behindProxy();
    await database.write((tx) => note(tx, 'a'));
    await ids(database);
    void proxy.awaits('from "notes"', 'cut');
    expect(await ids(database)).toEqual(['a']);
  });
});

describe('one who has the turn', () => {
  it('is thrown out: his jobs run again', async () => {
    const runs = new Runs();
    let hasThrown = false;
    const database = beside({
      interleaver: {
        pass: async (_, send) => {
          const rows = await send();
          if (!hasThrown) await test.throwOut(url);
          hasThrown = true;
          return rows;
        },
      },
    });
    expect(await runs.write(database, 'a')).toBe('a');
    expect(runs.of).toEqual({ a: 2 });
    expect(await ids(database)).toEqual(['a']);
  });

  it('is frozen: the server throws him out, another gets the turn, and he writes when he is back', async () => {
    const runs = new Runs();
    const [frozen, other] = [behindProxy({ times: { idleInTurn: 200, silence: 1_000 } }), beside()];
    const seen = proxy.awaits('insert into "notes"', 'freeze');
    const late = runs.write(frozen, 'frozen');
    await seen;
    expect(await runs.write(other, 'other')).toBe('other');
    expect(await late).toBe('frozen');
    // A busy machine may let him lie idle in his turn once more.
    expect(runs.of.frozen).toBeGreaterThanOrEqual(2);
    expect(runs.of.other).toBe(1);
    expect(await ids(other)).toEqual(['frozen', 'other']);
  });

  it('is frozen at his commit: he finds out that it has not happened, and writes once', async () => {
    const runs = new Runs();
    const [frozen, other] = [behindProxy({ times: { idleInTurn: 200, silence: 1_000 } }), beside()];
    const seen = proxy.awaits('commit\0', 'freeze');
    const late = runs.write(frozen, 'frozen');
    await seen;
    await runs.write(other, 'other');
    expect(await late).toBe('frozen');
    // A busy machine may let him lie idle in his turn once more.
    expect(runs.of.frozen).toBeGreaterThanOrEqual(2);
    expect(runs.of.other).toBe(1);
    expect(await ids(other)).toEqual(['frozen', 'other']);
  });
});

describe('a server that stays away', () => {
  it('makes writes wait, and refuses them after a while; the next one is refused at once, and all is well afterwards', async () => {
    const database = behindProxy({ times: { giveUp: 50 } });
    await database.write((tx) => note(tx, 'before'));
    proxy.goDown();
    await expect(database.write((tx) => note(tx, 'late'))).rejects.toThrow(NotStored);
    await expect(database.write((tx) => note(tx, 'too'))).rejects.toThrow('does not answer');
    expect(database.notStored).toBeInstanceOf(NotStored);
    expect(database.stopped).toBeUndefined();
    proxy.comeBack();
    await database.write((tx) => note(tx, 'after'));
    expect(database.notStored).toBeUndefined();
    expect(await ids(beside())).toEqual(['after', 'before']);
  });

  it('leaves nobody in doubt for ever: whose commit had no answer is told so, and the count goes on', async () => {
    const database = behindProxy({ times: { giveUp: 50 } });
    await database.write((tx) => note(tx, 'before'));
    void proxy.awaits('commit\0', 'cut the answer').then(() => proxy.goDown());
    await expect(database.write((tx) => note(tx, 'doubtful'))).rejects.toThrow(OutcomeUnknown);
    proxy.comeBack();
    await database.write((tx) => note(tx, 'after'));
    expect(database.stopped).toBeUndefined();
    expect((await ids(beside())).filter((id) => id !== 'doubtful')).toEqual(['after', 'before']);
  });

  it('leaves nobody in doubt for ever when it comes back without room on its disk, and is not asked without a pause', async () => {
    const database = behindProxy({ times: { giveUp: 500 } });
    await database.write((tx) => note(tx, 'before'));
    await test.admin(
      url,
      `create sequence turns_asked;
       create function no_room() returns trigger language plpgsql as $$ begin
         perform nextval('turns_asked');
         raise 'no room' using errcode = '53100';
       end $$`,
    );
    const seen = proxy.awaits('commit\0', 'cut the answer').then(() => proxy.goDown());
    const doubtful = database.write((tx) => note(tx, 'doubtful'));
    await seen;
    await test.admin(url, 'create trigger full_disk before update on turns for each row execute function no_room()');
    proxy.comeBack();
    await expect(doubtful).rejects.toThrow(OutcomeUnknown);
    const [asked] = await test.admin(url, 'select last_value from turns_asked');
    expect(Number(asked?.last_value)).toBeLessThan(15);
    await test.admin(url, 'drop function no_room cascade; drop sequence turns_asked');
    await database.write((tx) => note(tx, 'after'));
    expect(database.stopped).toBeUndefined();
    expect((await ids(beside())).filter((id) => id !== 'doubtful')).toEqual(['after', 'before']);
  });

  it('refuses what may be refused after two seconds, also what had begun', async () => {
    const database = behindProxy();
    await database.write((tx) => note(tx, 'before'));
    proxy.goDown();
    // It is the older one, so it has waited for two seconds when the other one is refused.
    const promised = database.write((tx) => note(tx, 'promised'));
    const refused = new Promise((_, reject) => asRefusable(() => void database.write((tx) => note(tx, 'request')).catch(reject)));
    await expect(refused).rejects.toThrow(DatabaseBusy);
    expect(database.isBusy).toBe(true);
    proxy.comeBack();
    await promised;
    expect(await ids(beside())).toEqual(['before', 'promised']);
  });
});

describe('books that went back', () => {
  const refuses = async (database: PostgresDatabase) => {
    await expect(database.write((tx) => note(tx, 'after'))).rejects.toThrow(BooksWentBack);
    expect(database.stopped).toBeInstanceOf(BooksWentBack);
    await expect(database.write((tx) => note(tx, 'later'))).rejects.toThrow('has lost changes');
    expect(await ids(beside())).not.toContain('after');
  };

  it('stop the writing when the term is smaller than one that was committed', async () => {
    const database = beside();
    for (const id of ['a', 'b', 'c']) await database.write((tx) => note(tx, id));
    await test.admin(url, `update turns set term = 2; delete from notes where id = 'c'`);
    await refuses(database);
  });

  it('stop the writing of one whose commit is gone, though others have made up for the term', async () => {
    const [database, other] = [beside(), beside()];
    await database.write((tx) => note(tx, 'a'));
    const before = await test.admin(url, 'select * from turn_writers');
    await database.write((tx) => note(tx, 'b'));
    await test.admin(
      url,
      `update turn_writers set batch = ${before[0]?.batch}; update turns set term = 1; delete from notes where id = 'b'`,
    );
    for (const id of ['x', 'y', 'z']) await other.write((tx) => note(tx, id));
    await refuses(database);
  });

  it('stop one who only listens', async () => {
    const stopped = Promise.withResolvers<Error>();
    const database = beside({ listens: true, times: { poll: 20 }, onStopped: stopped.resolve });
    database.onCommit(() => undefined);
    await database.write((tx) => note(tx, 'a'));
    await test.admin(url, 'update turns set term = 0');
    expect(await stopped.promise).toBeInstanceOf(BooksWentBack);
  });
});
