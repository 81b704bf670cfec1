import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ManualClock } from '../clock.ts';
import { Refusals } from './refusals.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('the node knows since when it has been refusing requests and how many, until it has refused none for ten seconds', () => {
  const clock = new ManualClock(1_000_000);
  const lines: string[] = [];
  const line = (...told: unknown[]) => void lines.push(String(told.at(-1)));
  const refusals = new Refusals({ clock, log: { warn: line, info: line } });
  const pass = (ms: number): void => {
    clock.advance(ms);
    vi.advanceTimersByTime(ms);
  };
  expect(refusals.current).toBeUndefined();
  refusals.note();
  pass(9_000);
  refusals.note();
  pass(9_999);
  expect(refusals.current).toMatchObject({ since: new Date(1_000_000), refused: 2 });
  pass(10_001);
  expect([refusals.current, lines]).toEqual([
    undefined,
    ['the node is overloaded and refuses requests that would wait too long', 'the node is no longer overloaded'],
  ]);
  refusals.note();
  expect(refusals.current?.since).toEqual(new Date(1_029_000));
});
