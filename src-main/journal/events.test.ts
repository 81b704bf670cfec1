import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { appendEvent, EventFeed } from './events.ts';
import type { StoredEvent } from './stored-events.ts';

let test: TestDatabase;
beforeEach(() => {
  test = openTestDatabase();
});
afterEach(() => test.dispose());

const note = (subject: string) => test.database.write((tx) => appendEvent(tx, { type: 'account.created', subject, at: 1 }));

describe('the event feed', () => {
  it('tells committed events once, in order, and nothing that was undone', async () => {
    await note('before');
    const feed = new EventFeed(test.database);
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
});
