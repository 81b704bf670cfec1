import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualClock } from '../clock.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { createLogger } from '../logs/logger.ts';
import { listReplicas } from './listed.ts';
import type { Replicas } from './replicas.ts';
import { replicas } from './tables.ts';
import { ServerClock } from './testing/server-clock.ts';

let test: TestDatabase;
let server: ServerClock;
beforeEach(() => {
  test = openTestDatabase();
  server = new ServerClock(test.database);
});
afterEach(() => test.dispose());

async function joined(name: string): Promise<Replicas> {
  const replica = server.replica(name);
  await replica.join();
  return replica;
}

const names = async () => (await test.database.read.select().from(replicas)).map(({ name }) => name).toSorted();

describe('replicas', () => {
  it('count each other, and the eldest does the chores', async () => {
    const first = await joined('first');
    server.now += 1;
    const second = await joined('second');
    await first.look();
    expect([first.living, second.living]).toEqual([2, 2]);
    expect([first.doesChores, second.doesChores]).toEqual([true, false]);
  });

  it('leave the chores to somebody else when they leave', async () => {
    const first = await joined('first');
    server.now += 1;
    const second = await joined('second');
    await first.leave();
    expect([first.unfit, first.doesChores]).toEqual(['leaving', false]);
    await second.look();
    expect([second.living, second.doesChores]).toEqual([1, true]);
    await first.end();
    expect(await names()).toEqual(['second']);
  });

  it('remove one that was not heard of for five seconds, by the clock of the server, and free what it had in one write', async () => {
    const gone = await joined('gone');
    const here = await joined('here');
    let released: string[] | undefined;
    let woken = 0;
    here.onGone(
      async (tx) => {
        released = (await tx.select().from(replicas)).map(({ name }) => name);
      },
      () => {
        woken += 1;
      },
    );
    server.now += 4_999;
    await here.look();
    expect([released, await names()]).toEqual([undefined, ['gone', 'here']]);
    server.now += 1;
    await here.look();
    expect([released, woken, await names()]).toEqual([['here'], 1, ['here']]);
    expect(gone.id).not.toBe(here.id);
  });

  it('leave one alone that was heard of again in the last moment', async () => {
    const slow = await joined('slow');
    const here = await joined('here');
    const write = test.database.write.bind(test.database);
    server.now += 5_000;
    // The beat of the slow one comes between the beat of the other and the write in which that one removes the dead.
    let writes = 0;
    test.database.write = async (job, touches) => {
      writes += 1;
      if (writes === 2) await slow.look();
      return await write(job, touches);
    };
    let released = false;
    here.onGone(async () => {
      released = true;
    });
    await here.look();
    test.database.write = write;
    expect([released, await names()]).toEqual([false, ['here', 'slow']]);
  });

  it('enter themselves again when they were taken for dead while they stood still', async () => {
    const frozen = await joined('frozen');
    const here = await joined('here');
    server.now += 6_000;
    await here.look();
    expect(await names()).toEqual(['here']);
    await frozen.look();
    expect(await names()).toEqual(['frozen', 'here']);
  });

  it.each([2_500, -2_500])('are refused at the start with a clock that is %i ms ahead', async (aheadMs) => {
    await expect(server.replica('wrong', { aheadMs }).join()).rejects.toThrow('differs by 2.5 s from that of the database server');
    expect(await names()).toEqual([]);
  });

  it('tell with each beat how many turns they have had a second since the one before', async () => {
    let turns = 10;
    const clock = new ManualClock(server.now);
    const replica = server.replica('busy', { clock, turns: () => turns });
    await replica.join();
    turns += 5;
    clock.advance(2_000);
    await replica.look();
    expect((await listReplicas(test.database.read))[0]?.report).toEqual({ ahead: 0, turns: 2.5 });
  });

  it('say that their clock has become wrong, and that it is right again', async () => {
    const clock = new ManualClock(server.now + 1_900);
    const replica = server.replica('drifting', { clock });
    await replica.join();
    expect(replica.unfit).toBeUndefined();
    clock.jump(200);
    await replica.look();
    expect(replica.unfit).toBe('wrong_clock');
    clock.jump(-200);
    await replica.look();
    expect(replica.unfit).toBeUndefined();
  });

  it('say that the server does not answer, and do no chores then', async () => {
    const clock = new ManualClock(server.now);
    const replica = server.replica('cut off', { clock });
    await replica.join();
    server.isAway = true;
    clock.advance(5_001);
    await replica.look();
    expect([replica.unfit, replica.doesChores]).toEqual(['unheard', false]);
  });

  it('say which others have other settings', async () => {
    await joined('same');
    const log = createLogger('silent');
    const warned = vi.spyOn(log, 'warn');
    await server.replica('alike', { log }).join();
    expect(warned).not.toHaveBeenCalled();
    await server.replica('other', { log, configuration: 'x' }).join();
    expect(warned).toHaveBeenCalledWith({ others: expect.arrayContaining(['same', 'alike']) }, expect.stringContaining('settings'));
  });

  it('say that a newer version has changed the schema in a way that they do not know', async () => {
    const replica = await joined('old');
    server.oldestReader = 11;
    await replica.look();
    expect(replica.unfit).toBe('schema_too_new');
  });
});
