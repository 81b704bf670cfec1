import { memoryUsage } from 'node:process';
import { expect, it, vi } from 'vitest';
import { ManualClock } from './clock.ts';
import { UnusedMemory } from './unused-memory.ts';

const MB = 1_000_000;
const MINUTE = 60_000;

/** A process of which a test says how much memory it has and how much it works. */
function testProcess() {
  const state = { resident: 120 * MB, used: 0, collections: 0, forgotten: 0, flavor: '' };
  const clock = new ManualClock(0);
  const memory = new UnusedMemory({
    clock,
    log: { info: () => {} },
    database: {
      rest: async () => {
        state.forgotten += 1;
      },
    },
    resident: () => state.resident,
    processor: () => state.used,
    collect: async (flavor) => {
      state.collections += 1;
      state.flavor = flavor;
      state.resident = 180 * MB;
    },
  });
  const minute = async (workMs: number): Promise<number> => {
    clock.advance(MINUTE);
    state.used += workMs;
    await memory.look();
    return state.collections;
  };
  return { state, clock, memory, minute };
}

/** Starts to look, and lets the first two seconds pass. @returns how often it has collected */
async function start(workMs: number): Promise<number> {
  vi.useFakeTimers();
  const { state, clock, memory } = testProcess();
  // What the start itself has used does not count.
  state.used = 900;
  const stop = memory.start();
  clock.advance(2_000);
  state.used += workMs;
  await vi.advanceTimersByTimeAsync(2_000);
  stop();
  vi.useRealTimers();
  return state.collections;
}

it('a node gives back what its start has left, unless it has work at once', async () => {
  expect(await start(100)).toBe(1);
  expect(await start(1_000)).toBe(0);
});

it('a node gives memory back once a load is over, and not during it', async () => {
  const { state, minute } = testProcess();
  state.resident = 250 * MB;
  expect(await minute(50_000)).toBe(0);
  expect(state.forgotten).toBe(0);
  expect(await minute(1_000)).toBe(1);
  expect(state.forgotten).toBe(1);
});

it('a node at work gives back what its database keeps only when it has too much', async () => {
  const { state, minute } = testProcess();
  state.resident = 255 * MB;
  await minute(50_000);
  expect(state.forgotten).toBe(0);
  state.resident = 256 * MB;
  expect(await minute(50_000)).toBe(0);
  expect(state.forgotten).toBe(1);
});

it('a node at work collects only when it has far too much, once in five minutes, and in the quicker way', async () => {
  const { state, minute } = testProcess();
  const collections: number[] = [];
  for (const resident of [319, 320, 400, 400, 400, 400, 320]) {
    state.resident = resident * MB;
    collections.push(await minute(50_000));
  }
  expect(collections).toEqual([0, 1, 1, 1, 1, 1, 2]);
  expect(state.flavor).toBe('regular');
  expect(await minute(0)).toBe(2);
  state.resident = 250 * MB;
  expect(await minute(0)).toBe(3);
  expect(state.flavor).toBe('last-resort');
});

it('a quiet node with little memory collects nothing', async () => {
  const { minute } = testProcess();
  expect(await minute(0)).toBe(0);
});

it('what stays in use is not collected again and again', async () => {
  const { state, minute } = testProcess();
  state.resident = 400 * MB;
  await minute(0);
  state.resident = 205 * MB;
  expect(await minute(0)).toBe(1);
  state.resident = 230 * MB;
  expect(await minute(0)).toBe(2);
});

it('a load that takes little is followed by a collection, too, and only by one', async () => {
  const { state, minute } = testProcess();
  state.resident = 400 * MB;
  expect(await minute(0)).toBe(1);
  state.resident = 205 * MB;
  expect(await minute(50_000)).toBe(1);
  expect(await minute(0)).toBe(2);
  state.resident = 205 * MB;
  expect(await minute(0)).toBe(2);
});

it('the collection of this engine gives back what is no longer used', async () => {
  let rubbish: unknown = Array.from({ length: 2_000_000 }, (_, index) => ({ index }));
  const memory = new UnusedMemory({
    ...{ clock: new ManualClock(0), log: { info: () => {} }, database: { rest: async () => {} } },
    ...{ resident: () => 400 * MB, processor: () => 0 },
  });
  const before = memoryUsage().heapTotal;
  expect(rubbish).toBeDefined();
  rubbish = undefined;
  await memory.look();
  expect(memoryUsage().heapTotal).toBeLessThan(before - 50 * MB);
});
