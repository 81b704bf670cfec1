import { afterEach, expect, it, vi } from 'vitest';
import { ManualClock, systemClock } from '../../platform/clock.ts';
import { Pressure } from './pressure.ts';

const MB = 1024 * 1024;
const IDLE = { isBusy: false };
const QUIET = { delay: 0, memory: 50 * MB };

afterEach(() => {
  vi.useRealTimers();
});

function logged() {
  const lines: string[] = [];
  const line = (kind: string) => (figures: unknown) => void lines.push(`${kind} ${(figures as { refused: string }).refused}`);
  return { lines, log: { warn: line('warn'), info: line('info') } };
}

const feelFor = (pressure: Pressure, looks: number, load: typeof QUIET): void => {
  for (let n = 0; n < looks; n++) pressure.feel(load);
};

it('a node that stays late refuses strangers, then everybody, and says each change once', () => {
  const { lines, log } = logged();
  const pressure = new Pressure({ database: IDLE, clock: new ManualClock(0), log });
  feelFor(pressure, 20, { ...QUIET, delay: 150 });
  expect(pressure.shed).toBe('strangers');
  feelFor(pressure, 20, { ...QUIET, delay: 1_500 });
  expect(pressure.shed).toBe('everybody');
  feelFor(pressure, 40, QUIET);
  expect(pressure.shed).toBe('nobody');
  expect(lines).toEqual(['warn strangers', 'warn everybody', 'info nobody']);
});

it('one long task refuses nobody', () => {
  const pressure = new Pressure({ database: IDLE, clock: new ManualClock(0), log: logged().log });
  pressure.feel({ ...QUIET, delay: 60_000 });
  expect(pressure.shed).toBe('nobody');
});

it('a node that is late and in time by turns does not change its mind with each look', () => {
  const { lines, log } = logged();
  const pressure = new Pressure({ database: IDLE, clock: new ManualClock(0), log });
  feelFor(pressure, 5, { ...QUIET, delay: 150 });
  for (let n = 0; n < 100; n++) pressure.feel({ ...QUIET, delay: n % 2 === 0 ? 0 : 150 });
  expect(lines).toEqual(['warn strangers']);
});

it('a node near a limit does not change its mind with each look', () => {
  const { lines, log } = logged();
  const pressure = new Pressure({ database: IDLE, clock: new ManualClock(0), log });
  for (let n = 0; n < 100; n++) pressure.feel({ delay: 0, memory: (n % 2 === 0 ? 257 : 200) * MB });
  expect(lines).toEqual(['warn strangers']);
  pressure.feel({ delay: 0, memory: 800 * MB });
  expect(pressure.shed).toBe('everybody');
  pressure.feel(QUIET);
  expect(pressure.shed).toBe('nobody');
});

it('a loop that stays blocked is felt', async () => {
  const pressure = new Pressure({ database: IDLE, clock: systemClock, log: logged().log, memory: () => 0 });
  const end = pressure.start();
  // It measures processor time, so the node is late by at least as much, however busy other programs keep the computer.
  const block = () => {
    const begun = process.cpuUsage();
    for (let used = 0; used < 300; ) {
      const { user, system } = process.cpuUsage(begun);
      used = (user + system) / 1_000;
    }
  };
  for (let n = 0; n < 20 && pressure.shed === 'nobody'; n++) {
    block();
    await new Promise((resolve) => setTimeout(resolve));
  }
  end();
  expect(pressure.shed).toBe('strangers');
});

it('a node that other programs make late refuses nobody', () => {
  vi.useFakeTimers();
  const clock = new ManualClock(0);
  const pressure = new Pressure({ database: IDLE, clock, log: logged().log, memory: () => 0, processor: () => 5 });
  const end = pressure.start();
  for (let n = 0; n < 50; n++) {
    clock.advance(5_000);
    vi.advanceTimersByTime(100);
  }
  expect(pressure.shed).toBe('nobody');
  end();
});

const fill = (pressure: Pressure, requests: number) => Array.from({ length: requests }, () => pressure.begin());

it('a slow disk refuses who writes, and nobody who only reads', () => {
  const database = { isBusy: true };
  const pressure = new Pressure({ database, clock: new ManualClock(0), log: logged().log });
  expect([pressure.isFull(true), pressure.isFull(false)]).toEqual([true, false]);
  database.isBusy = false;
  expect(pressure.isFull(true)).toBe(false);
});

it('a late turn refuses everybody while there is a crowd, and nobody otherwise', () => {
  const clock = new ManualClock(0);
  const pressure = new Pressure({ database: IDLE, clock, log: logged().log });
  const [end = () => undefined] = fill(pressure, 64);
  expect(pressure.isFull(true)).toBe(false);
  clock.advance(199);
  expect(pressure.isFull(true)).toBe(false);
  clock.advance(1);
  expect([pressure.isFull(true), pressure.isFull(false)]).toEqual([true, true]);
  end();
  expect([pressure.isFull(true), pressure.isFull(false)]).toEqual([false, false]);
});
