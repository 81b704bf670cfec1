import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { events } from '../../journal/tables.ts';
import { ManualClock } from '../../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing/test-database.ts';
import { operatorLock } from '../tables.ts';
import { AppLock } from './app-lock.ts';
import { delayAfter, hashPassphrase, isPassphrase } from './lock-passphrase.ts';

const COST = { N: 2, r: 1, p: 1 };
const RIGHT = 'plain words, eight or more';
const WRONG = 'plain words, eight or less';
const IDLE = { idleMinutes: 1, atStart: false };
/** Some writes are not awaited, and a busy machine needs time for them. */
const PATIENTLY = { timeout: 30_000 };

let opened: TestDatabase;
let clock: ManualClock;
let lock: AppLock;
const others: AppLock[] = [];

/** Opens a lock on the same database, as the node does after a restart. */
async function openLock(): Promise<AppLock> {
  const made = new AppLock({ database: opened.database, clock, log: pino({ level: 'silent' }), cost: COST });
  others.push(made);
  await made.load();
  return made;
}

beforeEach(async () => {
  opened = openTestDatabase();
  clock = new ManualClock(Date.UTC(2026, 0, 1));
  lock = await openLock();
});
afterEach(async () => {
  for (const one of others.splice(0)) await one.close();
  await opened.dispose();
});

const typesOf = async () => (await opened.database.read.select().from(events)).map(({ type }) => type);
const stored = async () => (await opened.database.read.select().from(operatorLock))[0];
const refusal = (result: { ok: boolean; error?: unknown }) => (result.ok ? 'ok' : result.error);

describe('the lock of the console', () => {
  it('cannot lock without a passphrase', async () => {
    expect(lock.lock('operator')).toBe(false);
    expect(lock.state()).toMatchObject({ protected: false, locked: false, reason: null, secondsLeft: 0 });
    expect(refusal(await lock.open(RIGHT))).toEqual({ kind: 'not_protected' });
    expect(refusal(await lock.changeSettings(IDLE))).toBe('not_protected');
  });

  it('locks and opens, tells its listeners, and stores events without the passphrase', async () => {
    const told = vi.fn();
    await lock.protect(RIGHT, IDLE);
    expect(lock.locked).toBe(false);
    const stop = lock.watch(told);
    expect(lock.lock('user_switch')).toBe(true);
    expect(lock.lock('sleep')).toBe(true);
    expect(lock.state()).toMatchObject({ locked: true, reason: 'user_switch' });
    expect(refusal(await lock.open(RIGHT))).toBe('ok');
    expect(lock.state()).toMatchObject({ locked: false, reason: null });
    stop();
    lock.lock('operator');
    expect(told).toHaveBeenCalledTimes(2);
    await vi.waitFor(
      async () => expect(await typesOf()).toEqual(['lock.set', 'console.locked', 'console.unlocked', 'console.locked']),
      PATIENTLY,
    );
    const bodies = (await opened.database.read.select().from(events)).map(({ body }) => body);
    const kept = JSON.stringify([await stored(), bodies]);
    expect(kept).not.toContain(RIGHT);
    expect(await stored()).toMatchObject({ costN: 2, costR: 1, costP: 1 });
  });

  it('takes a first passphrase once, and changes or removes it only with that passphrase', async () => {
    await lock.protect(RIGHT, IDLE);
    expect(refusal(await lock.protect(WRONG, IDLE))).toBe('protected_already');
    expect(refusal(await lock.changePassphrase(WRONG, WRONG))).toEqual({ kind: 'wrong_passphrase', secondsLeft: 0 });
    expect(refusal(await lock.changePassphrase(RIGHT, WRONG))).toBe('ok');
    lock.lock('operator');
    expect(refusal(await lock.open(RIGHT))).toEqual({ kind: 'wrong_passphrase', secondsLeft: 0 });
    expect(refusal(await lock.open(WRONG))).toBe('ok');
    expect(refusal(await lock.removePassphrase(RIGHT))).toEqual({ kind: 'wrong_passphrase', secondsLeft: 0 });
    expect(refusal(await lock.removePassphrase(WRONG))).toBe('ok');
    expect(lock.lock('operator')).toBe(false);
    expect(await stored()).toBeUndefined();
  });

  it('locks after a minute in which nobody used the console, and not earlier', async () => {
    await lock.protect(RIGHT, IDLE);
    clock.advance(59_999);
    expect(lock.locked).toBe(false);
    lock.noteUse();
    clock.advance(59_999);
    expect(lock.locked).toBe(false);
    clock.advance(1);
    expect(lock.state()).toMatchObject({ locked: true, reason: 'idle' });
    // Use of a locked console does not open it.
    lock.noteUse();
    expect(lock.locked).toBe(true);
  });

  it('waits no longer than it should after the clock was set back', async () => {
    await lock.protect(RIGHT, IDLE);
    clock.jump(-3_600_000);
    expect(lock.locked).toBe(false);
    clock.advance(60_000);
    expect(lock.locked).toBe(true);
    for (let count = 0; count < 4; count += 1) await lock.open(WRONG);
    expect(lock.state().secondsLeft).toBe(5);
    clock.jump(-3_600_000);
    expect(lock.state().secondsLeft).toBe(5);
    clock.advance(5_000);
    expect(lock.state().secondsLeft).toBe(0);
  });

  it('neither shortens nor lengthens its waits when the clock is put forward and right again', async () => {
    await lock.protect(RIGHT, { idleMinutes: 1, atStart: true });
    for (let count = 0; count < 4; count += 1) await lock.open(WRONG);
    clock.jump(2 * 3_600_000);
    expect(lock.state().secondsLeft).toBe(5);
    clock.advance(5_000);
    await lock.open(WRONG);
    expect(lock.state().secondsLeft).toBe(10);
    clock.jump(-2 * 3_600_000);
    const restarted = await openLock();
    expect(restarted.state().secondsLeft).toBe(10);
    clock.advance(10_000);
    expect([lock.state().secondsLeft, restarted.state().secondsLeft]).toEqual([0, 0]);
  });

  it('locks a console that was left alone while the computer slept, which one of the clocks does not count', async () => {
    await lock.protect(RIGHT, IDLE);
    clock.jump(60_000);
    expect(lock.locked).toBe(true);
  });

  it('locks by its own timer, without being asked for its state', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const told = vi.fn();
      await lock.protect(RIGHT, IDLE);
      lock.watch(told);
      clock.advance(30_000);
      lock.noteUse();
      clock.advance(30_000);
      vi.advanceTimersByTime(60_000);
      expect(told).not.toHaveBeenCalled();
      clock.advance(30_000);
      vi.advanceTimersByTime(30_000);
      expect(told).toHaveBeenCalledTimes(1);
      expect(lock.state()).toMatchObject({ locked: true, reason: 'idle' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('never locks by its timer when no time is set', async () => {
    await lock.protect(RIGHT, { idleMinutes: null, atStart: false });
    clock.advance(10 ** 12);
    expect(lock.locked).toBe(false);
    await lock.changeSettings({ idleMinutes: 1440, atStart: false });
    expect(lock.locked).toBe(true);
  });

  it.each([
    { atStart: true, lockedBefore: false, reason: 'start' },
    { atStart: true, lockedBefore: true, reason: 'start' },
    { atStart: false, lockedBefore: true, reason: 'sleep' },
    { atStart: false, lockedBefore: false, reason: null },
  ])(
    'is after a restart, with atStart $atStart and locked before $lockedBefore, locked for the reason $reason',
    async ({ atStart, lockedBefore, reason }) => {
      await lock.protect(RIGHT, { idleMinutes: null, atStart });
      if (lockedBefore) lock.lock('sleep');
      await vi.waitFor(async () => expect((await stored())?.lockedFor ?? null).toBe(lockedBefore ? 'sleep' : null), PATIENTLY);
      const restarted = await openLock();
      expect(restarted.state()).toMatchObject({ protected: true, locked: reason !== null, reason });
      expect(refusal(await restarted.open(RIGHT))).toBe('ok');
    },
  );
});

describe('wrong passphrases', () => {
  it('slow down further tries, also after a restart, until the right one is typed', async () => {
    await lock.protect(RIGHT, IDLE);
    lock.lock('operator');
    for (let count = 0; count < 3; count += 1)
      expect(refusal(await lock.open(WRONG))).toEqual({ kind: 'wrong_passphrase', secondsLeft: 0 });
    expect(refusal(await lock.open(WRONG))).toEqual({ kind: 'wrong_passphrase', secondsLeft: 5 });
    clock.advance(4_000);
    // The lock does not check the right passphrase either. Otherwise its answer would tell that it is right.
    expect(refusal(await lock.open(RIGHT))).toEqual({ kind: 'too_many_attempts', secondsLeft: 1 });
    const restarted = await openLock();
    expect(restarted.state().secondsLeft).toBe(1);
    expect(refusal(await restarted.open(RIGHT))).toEqual({ kind: 'too_many_attempts', secondsLeft: 1 });
    clock.advance(1_000);
    expect(refusal(await restarted.open(WRONG))).toEqual({ kind: 'wrong_passphrase', secondsLeft: 10 });
    clock.advance(10_000);
    expect(refusal(await restarted.open(RIGHT))).toBe('ok');
    expect(refusal(await restarted.changePassphrase(WRONG, WRONG))).toEqual({ kind: 'wrong_passphrase', secondsLeft: 0 });
    expect((await typesOf()).filter((type) => type === 'lock.passphrase_refused')).toHaveLength(6);
  });

  it('are counted one after the other, even when many arrive at once', async () => {
    await lock.protect(RIGHT, IDLE);
    lock.lock('operator');
    const answers = await Promise.all(Array.from({ length: 50 }, () => lock.open(WRONG)));
    const kinds = answers.map((answer) => (answer.ok ? 'ok' : answer.error.kind));
    expect(kinds.filter((kind) => kind === 'wrong_passphrase')).toHaveLength(4);
    expect(kinds.filter((kind) => kind === 'too_many_attempts')).toHaveLength(46);
    expect((await stored())?.wrongAttempts).toBe(4);
  });

  it('cost more and more time, up to a quarter of an hour', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(delayAfter)).toEqual([0, 0, 0, 0, 5, 10, 20, 40]);
    fc.assert(
      fc.property(fc.nat(10_000), (count) => {
        expect(delayAfter(count + 1)).toBeGreaterThanOrEqual(delayAfter(count));
        expect(delayAfter(count)).toBeLessThanOrEqual(900);
      }),
    );
    expect(delayAfter(12)).toBe(900);
  });

  it('are distinguished from the right one in every Unicode spelling', async () => {
    const composed = 'caf\u00e9 at the corner';
    const kept = await hashPassphrase(composed, COST);
    expect(await isPassphrase('cafe\u0301 at the corner', kept)).toBe(true);
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), async (text) => {
        expect(await isPassphrase(text, kept)).toBe(text.normalize('NFKC') === composed);
      }),
    );
  });
});

describe('the locks of several processes', () => {
  const typesSince = async (before: number) => (await typesOf()).slice(before);
  /** Does something in one process, and tells the other of its events. */
  async function heardBy(other: AppLock, act: () => unknown): Promise<void> {
    const before = (await typesOf()).length;
    await act();
    await vi.waitFor(async () => expect((await typesOf()).length).toBeGreaterThan(before), PATIENTLY);
    await other.hear(await typesSince(before));
  }

  it('lock and open together, and know the same passphrase', async () => {
    const other = await openLock();
    await heardBy(other, () => lock.protect(RIGHT, IDLE));
    expect(other.state()).toMatchObject({ protected: true, locked: false });
    await heardBy(other, () => lock.lock('operator'));
    expect(other.state()).toMatchObject({ locked: true, reason: 'operator' });
    await heardBy(lock, () => other.open(RIGHT));
    expect([lock.locked, other.locked]).toEqual([false, false]);
    await heardBy(other, () => lock.removePassphrase(RIGHT));
    expect(other.state()).toMatchObject({ protected: false, locked: false });
  });

  it('count wrong passphrases together', async () => {
    const other = await openLock();
    await heardBy(other, () => lock.protect(RIGHT, IDLE));
    for (let tries = 0; lock.state().secondsLeft === 0; tries += 1) {
      expect(tries).toBeLessThan(20);
      await heardBy(other, () => lock.open(WRONG));
    }
    expect(other.state().secondsLeft).toBe(lock.state().secondsLeft);
  });

  it('do not open by a wrong passphrase elsewhere what is locked since the start', async () => {
    await lock.protect(RIGHT, { idleMinutes: null, atStart: true });
    const other = await openLock();
    expect(other.locked).toBe(true);
    await heardBy(other, () => lock.open(WRONG));
    expect(other.locked).toBe(true);
  });

  it('stay open where somebody works, while another one locks because nobody uses it', async () => {
    const idle = new AppLock({ database: opened.database, clock, log: pino({ level: 'silent' }), cost: COST, hasOthers: true });
    others.push(idle);
    await lock.protect(RIGHT, IDLE);
    await idle.load();
    clock.advance(50_000);
    lock.noteUse();
    clock.advance(20_000);
    await heardBy(lock, () => expect(idle.locked).toBe(true));
    expect(lock.locked).toBe(false);
  });
});
