import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../clock.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { createLogger } from '../logs/logger.ts';
import { heldClock, noteClock, type SeenClock, seenAt } from './clock-guard.ts';
import { Retention } from './retention.ts';
import { DAY_MS, type RetentionRule } from './rule.ts';

const HOUR_MS = DAY_MS / 24;
const TODAY = 20_000 * DAY_MS;

let test: TestDatabase;
beforeEach(() => {
  test = openTestDatabase();
});
afterEach(() => test.dispose());

/** A retention that notes before when it removes. */
function watched(clock: ManualClock, lastKnown?: number) {
  const removals: number[] = [];
  const rule: RetentionRule = {
    ...{ kind: 'events', tables: [], keptMs: 0 },
    removeSome: async (_, before) => {
      removals.push(before);
      return { removed: 0, more: false };
    },
  };
  const parts = { database: test.database, clock, log: createLogger('silent'), rules: [rule] };
  return { removals, retention: new Retention({ ...parts, lastKnown: async () => lastKnown }) };
}

describe('a clock that jumps ahead', () => {
  it('removes nothing until a day has passed', async () => {
    const clock = new ManualClock(TODAY);
    const { removals, retention } = watched(clock);
    await retention.lookOnce();
    expect(removals).toEqual([TODAY]);
    clock.advance(3_650 * DAY_MS);
    await retention.lookOnce();
    clock.advance(23 * HOUR_MS);
    await retention.lookOnce();
    expect(removals).toEqual([TODAY]);
    expect(await heldClock(test.database.read)).toEqual({ provenAt: TODAY, until: TODAY + 3_651 * DAY_MS });
    clock.advance(HOUR_MS);
    await retention.lookOnce();
    expect(removals).toEqual([TODAY, TODAY + 3_651 * DAY_MS]);
    expect(await heldClock(test.database.read)).toBeUndefined();
  });

  it('is found after a restart, by a second process, and by the newest event of an older database', async () => {
    const { removals, retention } = watched(new ManualClock(TODAY), TODAY - 8 * DAY_MS);
    await retention.lookOnce();
    expect(removals).toEqual([]);
    const another = test.again();
    expect(await noteClock(another, TODAY + HOUR_MS, TODAY)).toEqual({ provenAt: TODAY - 8 * DAY_MS, until: TODAY + DAY_MS });
    await another.close();
  });

  it('removes at once after it was set right', async () => {
    await noteClock(test.database, TODAY);
    expect(await noteClock(test.database, TODAY + 3_650 * DAY_MS)).toBeDefined();
    expect(await noteClock(test.database, TODAY + HOUR_MS)).toBeUndefined();
  });
});

it('the guard believes the clock of a node that is opened once a month from its second day on', () => {
  let seen: SeenClock = { provenAt: TODAY, heldSince: null };
  seen = seenAt(seen, TODAY + 30 * DAY_MS);
  expect(seen.heldSince).not.toBeNull();
  seen = seenAt(seen, TODAY + 60 * DAY_MS);
  expect(seen).toEqual({ provenAt: TODAY + 60 * DAY_MS, heldSince: null });
});

it('the guard never trusts a moment more than seven days ahead that it has not seen a day before', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -400, max: 400 }), { minLength: 1, maxLength: 20 }), (steps) => {
      let [now, seen, trusted]: [number, SeenClock, number] = [TODAY, { provenAt: TODAY, heldSince: null }, TODAY];
      const looks: number[] = [];
      for (const hours of steps) {
        now += hours * HOUR_MS;
        seen = seenAt(seen, now);
        const seenBefore = looks.some((look) => look <= now - DAY_MS && look > trusted + 7 * DAY_MS);
        if (seen.heldSince === null) expect(now <= trusted + 7 * DAY_MS || seenBefore).toBe(true);
        if (seen.heldSince === null) trusted = Math.max(trusted, now);
        looks.push(now);
      }
    }),
  );
});
