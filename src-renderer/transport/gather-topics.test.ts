import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Topic } from '../../src-shared/operator-contract/node.ts';
import { gatherTopics } from './gather-topics.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('changes close together are read in one round', async () => {
  const rounds: Topic[][] = [];
  const changed = gatherTopics(async (topics) => void rounds.push([...topics].sort()));
  changed(['payments']);
  changed(['accounts', 'payments']);
  await vi.advanceTimersByTimeAsync(1000);
  expect(rounds).toEqual([['accounts', 'payments']]);
});

test('a change that names no topic reads nothing', async () => {
  const read = vi.fn(async () => undefined);
  gatherTopics(read)([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(read).not.toHaveBeenCalled();
});

test('a change during a round is read after it, never at the same time', async () => {
  const rounds: (readonly Topic[])[] = [];
  let running = 0;
  const changed = gatherTopics(async (topics) => {
    running += 1;
    expect(running).toBe(1);
    rounds.push(topics);
    await new Promise((resolve) => setTimeout(resolve, 400));
    running -= 1;
  });
  changed(['payments']);
  await vi.advanceTimersByTimeAsync(300);
  changed(['payments', 'apps']);
  await vi.advanceTimersByTimeAsync(2000);
  expect(rounds).toEqual([['payments'], ['payments', 'apps']]);
});

test('a round that hangs does not keep later changes from being read', async () => {
  const rounds: (readonly Topic[])[] = [];
  const changed = gatherTopics((topics) => {
    rounds.push(topics);
    return rounds.length === 1 ? new Promise(() => undefined) : Promise.resolve();
  });
  changed(['payments']);
  await vi.advanceTimersByTimeAsync(500);
  changed(['apps']);
  await vi.advanceTimersByTimeAsync(6000);
  expect(rounds).toEqual([['payments'], ['apps']]);
});
