import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseStopped } from '../database.ts';
import { jobContextOf, withJobContext } from '../job-context.ts';
import type { PostgresOptions } from './options.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import { DriverTest, note, notes } from './testing/driver-test.ts';

const test = await DriverTest.start();
beforeEach(({ skip }) => skip(!test.canRun));
afterEach(() => test.closeAll());
afterAll(() => test.stop());

let url: string;

async function open(options?: PostgresOptions): Promise<PostgresDatabase> {
  url = await test.fresh();
  return test.open(url, { rehearse: true, listens: false, ...options });
}
const bodies = async (database: PostgresDatabase) => (await database.read.select().from(notes).orderBy(notes.id)).map(({ id }) => id);

describe('a look at what belongs together', () => {
  it('sees nothing that is committed meanwhile, and the next one sees it', async () => {
    const database = await open({ rehearse: false });
    await database.write((tx) => note(tx, 'a'));
    const look = (between: () => Promise<unknown>) =>
      database.readAtOnce(async (read, aside) => {
        const first = await read.select().from(notes);
        await between();
        return [first.length, (await aside.select().from(notes)).length];
      });
    expect(await look(() => database.write((tx) => note(tx, 'b')))).toEqual([1, 1]);
    expect(await look(async () => undefined)).toEqual([2, 2]);
  });

  it('changes nothing, gives its place back after an error, and begins again when its connection goes', async () => {
    const database = await open({ rehearse: false });
    for (let tries = 0; tries < 5; tries += 1)
      await expect(database.readAtOnce(() => Promise.reject(new Error('not this one')))).rejects.toThrow('not this one');
    let looks = 0;
    const seen = await database.readAtOnce(async (read) => {
      looks += 1;
      const ends = `select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`;
      await read.select().from(notes);
      if (looks === 1) await test.admin(url, ends);
      return await read.select().from(notes);
    });
    expect([looks, seen]).toEqual([2, []]);
  });
});

describe('the write queue', () => {
  it('lets waiting jobs share a turn and gives each job its own result', async () => {
    const database = await open();
    const results = await Promise.all(['a', 'b', 'c'].map((id) => database.write((tx) => note(tx, id).then(() => id))));
    expect(results).toEqual(['a', 'b', 'c']);
    expect(database.stats).toEqual({ commits: 1, jobs: 3 });
    expect(await bodies(database)).toEqual(['a', 'b', 'c']);
  });

  it('undoes a job that throws and keeps the other jobs of its turn', async () => {
    const database = await open();
    const failing = database.write(async (tx) => {
      await note(tx, 'no');
      throw new Error('not this one');
    });
    const outcomes = await Promise.allSettled([database.write((tx) => note(tx, 'a')), failing, database.write((tx) => note(tx, 'c'))]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(failing).rejects.toThrow('not this one');
    expect(await bodies(database)).toEqual(['a', 'c']);
  });

  it('puts a job that fails aside: the others run once more, and it runs at the end', async () => {
    const database = await open({ rehearse: false });
    const runs: string[] = [];
    const counted = (id: string, fails: boolean) =>
      database.write(
        async (tx) => {
          runs.push(id);
          await note(tx, id);
          if (fails) throw new Error('not this one');
        },
        [id],
      );
    const [first, failing, last] = [counted('a', false), counted('no', true), counted('c', false)];
    await expect(failing).rejects.toThrow('not this one');
    await Promise.all([first, last]);
    expect(runs).toEqual(['a', 'no', 'c', 'a', 'c', 'no']);
    expect(await bodies(database)).toEqual(['a', 'c']);
  });

  it('stores what can be stored when many jobs of a turn fail, each for another reason', async () => {
    const database = await open();
    const jobs = Array.from({ length: 60 }, (_, n) => {
      const name = n % 3 === 0 ? 'same' : `own ${n}`;
      return database.write((tx) => note(tx, name), n % 2 === 0 ? [name] : undefined);
    });
    const outcomes = await Promise.allSettled(jobs);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(19);
    expect(await bodies(database)).toHaveLength(41);
  });

  it('undoes a job that catches the error of a failed statement', async () => {
    const database = await open();
    await database.write((tx) => note(tx, 'a'));
    const swallowing = database.write(async (tx) => {
      await note(tx, 'a').catch(() => undefined);
      await note(tx, 'after').catch(() => undefined);
    });
    await expect(swallowing).rejects.toMatchObject({ code: '23505' });
    expect(await bodies(database)).toEqual(['a']);
  });

  it('takes no more writes after a job has awaited anything but the database', async () => {
    let stopped: Error | undefined;
    const database = await open({
      rehearse: false,
      onStopped: (reason) => {
        stopped = reason;
      },
    });
    const waiting = database.write(async (tx) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      await note(tx, 'late');
    });
    await expect(waiting).rejects.toThrow('takes no more writes');
    expect(stopped).toBeInstanceOf(DatabaseStopped);
    await expect(database.write((tx) => note(tx, 'b'))).rejects.toThrow('takes no more writes');
    expect(await bodies(database)).toEqual([]);
  });

  it('refuses a statement that comes after the end of its job', async () => {
    const database = await open({ rehearse: false });
    let late: Promise<unknown> = Promise.resolve();
    await database.write(async (tx) => {
      await note(tx, 'in time');
      late = new Promise((resolve) => setTimeout(resolve, 5)).then(() => note(tx, 'late'));
      late.catch(() => undefined);
    });
    await expect(late).rejects.toThrow('Failed query');
    expect(await bodies(database)).toEqual(['in time']);
  });

  it('shows a job its own writes, and hands the context of the caller on to the job', async () => {
    const database = await open();
    const context = { operator: true };
    const [seen, other] = await Promise.all([
      withJobContext(context, () =>
        database.write(
          async (tx) => {
            await note(tx, 'mine', 'first');
            await tx.update(notes).set({ body: 'second' }).where(eq(notes.id, 'mine'));
            return [jobContextOf(tx), await tx.select().from(notes)];
          },
          ['one'],
        ),
      ),
      database.write(async (tx) => jobContextOf(tx), ['two']),
    ]);
    expect(seen).toEqual([context, [{ id: 'mine', body: 'second' }]]);
    expect(other).toBeUndefined();
  });

  it('commits nothing when no job of a turn has changed anything', async () => {
    const database = await open();
    expect(await database.write((tx) => tx.select().from(notes))).toEqual([]);
    expect(database.stats).toEqual({ commits: 0, jobs: 0 });
    const [turns] = await test.admin(url, 'select term from turns');
    expect(turns).toEqual({ term: '0' });
  });

  it('closes without ever having been connected, and refuses writes then', async () => {
    const database = test.open('postgres://nobody@127.0.0.1:1/none', { ready: Promise.resolve() });
    await database.close();
    await expect(database.write(async () => undefined)).rejects.toThrow('closed');
  });
});

describe('what it tells', () => {
  it('calls listeners after a commit, when the rows can be read', async () => {
    const database = await open();
    const heard = Promise.withResolvers<string[]>();
    const end = database.onCommit(() => void bodies(database).then(heard.resolve, heard.reject));
    await database.write((tx) => note(tx, 'a'));
    expect(await heard.promise).toEqual(['a']);
    end();
  });

  it('reads aside and counts bytes, and has no space to give back', async () => {
    const database = await open();
    await database.write((tx) => note(tx, 'a'));
    expect(await database.readAside.select().from(notes)).toHaveLength(1);
    expect(await database.usedBytes()).toBeGreaterThan(100_000);
    expect(await database.giveBack()).toBe(false);
  });

  it('refuses to write where only reading is offered', async () => {
    const database = await open();
    const sneaky = database.read.select({ x: sql`set_config('transaction_read_only', 'off', false)` }).from(sql`(select 1) one`);
    await expect(sneaky).rejects.toThrow();
  });
});
