import { createRouterClient, ORPCError } from '@orpc/server';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOCKED } from '../../../src-shared/locked-error.ts';
import { Rates } from '../../exchange/rates.ts';
import { events } from '../../journal/tables.ts';
import { openPayments } from '../../payments/testing/payments.ts';
import type { Database } from '../../platform/database/database.ts';
import { BOTH_ENGINES, ROUNDS, turns } from '../../platform/database/testing/both-engines.ts';
import { router } from '../router.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import { AppLock } from './app-lock.ts';

// Two processes of a node over one database. Neither hears of the other here: what one of them has stored decides at
// the other, whether it has been heard or not.

const RIGHT = 'plain words, eight or more';
const NEW = 'other words, eight or more';
const WRONG = 'plain words, eight or less';
const NEVER = { idleMinutes: null, atStart: false };
const moments = fc.record({ here: fc.nat(12), there: fc.nat(12) });

describe.each(BOTH_ENGINES)('the locks of two replicas over $engine', ({ open }) => {
  let opened: ReturnType<typeof open>;
  let desk: Desk;
  let here: AppLock;
  let there: AppLock;

  const lockOn = async (database: Database): Promise<AppLock> => {
    const log = pino({ level: 'silent' });
    const lock = new AppLock({ database, clock: desk.clock, log, cost: { N: 2, r: 1, p: 1 }, hasOthers: true });
    await lock.load();
    return lock;
  };
  const callsOf = (lock: AppLock, database: Database) => {
    const rates = new Rates({ database, clock: desk.clock });
    return createRouterClient(router, { context: { ...desk.context, database, rates, lock, role: 'owner' } });
  };

  beforeEach(async () => {
    opened = open();
    // The desk closes the database of the one process, and this test that of the other.
    desk = openDesk(openPayments({ testDatabase: { ...opened.test, dispose: async () => undefined } }));
    here = await lockOn(desk.database);
    there = await lockOn(opened.there);
  });
  afterEach(async () => {
    await here.close();
    await there.close();
    await desk.close();
    await opened.dispose();
  });

  const journal = async () => (await desk.database.read.select().from(events).orderBy(events.position)).map(({ type }) => type);

  it('let no act of the operator be stored after the lock, at whichever of them', async () => {
    await here.protect(RIGHT, NEVER);
    const [locking, acting] = [callsOf(here, desk.database), callsOf(there, opened.there)];
    const rate = {
      base: 'USD',
      quote: 'EUR',
      rate: '1',
      spreadBps: 0,
      source: 'test',
      asOf: new Date(desk.clock.now()),
      maxAgeSeconds: 60,
    };
    let refused = 0;
    const round = async (moment: { here: number; there: number }) => {
      const before = (await journal()).length;
      const [, answer] = await Promise.all([
        turns(moment.here).then(() => locking.lock.now()),
        turns(moment.there).then(() => acting.rates.set(rate).catch((error: unknown) => error)),
      ]);
      if (answer instanceof Error) {
        expect(answer).toBeInstanceOf(ORPCError);
        expect(answer).toMatchObject({ code: LOCKED.code });
        refused += 1;
      }
      // The answer to the lock has come, so that everything after it is refused there.
      for (const call of [() => acting.rates.set(rate), () => acting.rates.list()])
        await expect(call()).rejects.toMatchObject({ code: LOCKED.code });
      const types = (await journal()).slice(before);
      expect(types.slice(types.indexOf('console.locked'))).toEqual(['console.locked']);
      expect(await here.open(RIGHT)).toMatchObject({ ok: true });
      await there.hear(['console.unlocked']);
    };
    await fc.assert(fc.asyncProperty(moments, round), { numRuns: ROUNDS });
    expect(refused).toBeGreaterThan(0);
  });

  it('look at no more wrong passphrases than one would, however they are spread', async () => {
    await here.protect(RIGHT, NEVER);
    const spread = async (nths: readonly number[]) => {
      const answers = await Promise.all(nths.map((nth) => turns(nth).then(() => (nth % 2 === 0 ? here : there).open(WRONG))));
      return answers.filter((answer) => !answer.ok && answer.error.kind === 'wrong_passphrase').length;
    };
    // Each round is one more wait, which one process would grant one attempt.
    let looked = await spread(Array.from({ length: 20 }, (_, nth) => nth));
    expect(looked).toBe(4);
    const round = async (nths: number[]) => {
      desk.clock.advance(900_000);
      const more = await spread(nths);
      expect(more).toBe(1);
      looked += more;
    };
    await fc.assert(fc.asyncProperty(fc.array(fc.nat(12), { minLength: 20, maxLength: 20 }), round), { numRuns: ROUNDS });
    expect(here.state().secondsLeft).toBe(900);
    expect(await there.open(RIGHT)).toMatchObject({ ok: false, error: { kind: 'too_many_attempts' } });
  });

  it('open with no passphrase that was replaced at the other', async () => {
    await here.protect(RIGHT, NEVER);
    let [current, next] = [RIGHT, NEW];
    const round = async (moment: { here: number; there: number }) => {
      here.lock('operator');
      await here.holdsEverywhere();
      const before = (await journal()).length;
      await Promise.all([
        turns(moment.here).then(() => here.changePassphrase(current, next)),
        turns(moment.there).then(() => there.open(current)),
      ]);
      const types = (await journal()).slice(before);
      const changed = types.indexOf('lock.changed');
      expect(changed).toBeGreaterThanOrEqual(0);
      expect(types.slice(changed)).not.toContain('console.unlocked');
      expect(await there.open(current)).toMatchObject({ ok: false });
      expect(await there.open(next)).toMatchObject({ ok: true });
      await here.hear(['console.unlocked']);
      [current, next] = [next, current];
    };
    await fc.assert(fc.asyncProperty(moments, round), { numRuns: ROUNDS });
  });

  it('take one first passphrase, and not two', async () => {
    const taken = await Promise.all([here.protect(RIGHT, NEVER), there.protect(NEW, NEVER)]);
    expect(taken.filter(({ ok }) => ok)).toHaveLength(1);
    expect([here.state().protected, there.state().protected]).toEqual([true, true]);
  });
});
