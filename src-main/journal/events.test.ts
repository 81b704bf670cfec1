import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../platform/database/database.ts';
import { SlowReader } from '../platform/database/testing/slow-reader.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { appendEvent, EventFeed } from './events.ts';
import type { StoredEvent } from './stored-events.ts';

const log = createLogger('silent');
let test: TestDatabase;
beforeEach(() => {
  test = openTestDatabase();
});
afterEach(() => test.dispose());

const note = (subject: string) => test.database.write((tx) => appendEvent(tx, { type: 'account.created', subject, at: 1 }));

describe('the event feed', () => {
  it('goes on, and tells the other listeners, when a listener throws', async () => {
    const feed = new EventFeed({ database: test.database, log });
    const told: string[] = [];
    const both = Promise.withResolvers<void>();
    await feed.listen(() => {
      throw new Error('this listener cannot read the event');
    });
    await feed.listen((batch) => {
      told.push(...batch.map(({ subject }) => subject));
      if (told.includes('second')) both.resolve();
    });
    await note('first');
    await note('second');
    await both.promise;
    await feed.close();
    expect(told).toEqual(['first', 'second']);
  });

  it('tells committed events once and in order, and no event that was undone', async () => {
    await note('before');
    const feed = new EventFeed({ database: test.database, log });
    const told: StoredEvent[] = [];
    const all = Promise.withResolvers<void>();
    await feed.listen((batch) => {
      told.push(...batch);
      if (told.some((event) => event.subject === 'last')) all.resolve();
    });
    await Promise.all(Array.from({ length: 700 }, (_, index) => note(`e${index}`)));
    await test.database.write(() => Promise.reject(new Error('undone'))).catch(() => undefined);
    await note('last');
    await all.promise;
    await feed.close();
    expect(told.map((event) => event.subject)).toEqual([...Array.from({ length: 700 }, (_, index) => `e${index}`), 'last']);
    expect(told.map((event) => event.position)).toEqual(told.map((_, index) => BigInt(index) + 2n));
  });

  it('tells an event that is committed at the moment at which its last look ends', async () => {
    for (let later = 0; later < 30; later += 1) {
      const slow = new SlowReader();
      let commit = () => {};
      const watched: Database = {
        read: slow.read,
        readAside: slow.read,
        readAtOnce: () => Promise.reject(new Error('unused')),
        isBusy: false,
        stopped: undefined,
        notStored: undefined,
        write: () => Promise.reject(new Error('unused')),
        close: () => Promise.resolve(),
        giveBack: async () => false,
        isLogHeld: async () => false,
        rest: async () => {},
        usedBytes: async () => 0,
        onCommit: (listener) => {
          commit = listener;
          return () => {};
        },
      };
      const feed = new EventFeed({ database: watched, log });
      const told: string[] = [];
      slow.rows = [[0n]];
      const listening = feed.listen((batch) => told.push(...batch.map((event) => event.subject)));
      await turns(1);
      slow.answer();
      slow.rows = [];
      await listening;
      await turns(1);
      // This look finds nothing. The commit comes a few microtasks after its answer.
      slow.answer();
      for (let tick = 0; tick < later; tick += 1) await Promise.resolve();
      slow.rows = [[1n, 'account.created', 'late', null, '{}', 1n]];
      commit();
      await turns(1);
      slow.answer();
      await turns(1);
      expect(told, `committed ${later} microtasks after the answer`).toContain('late');
      slow.rows = [];
      await turns(1);
      slow.answer();
      await feed.close();
    }
  });
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
