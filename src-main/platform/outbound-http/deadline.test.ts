import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDeadline } from './deadline.ts';

describe('a deadline', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('aborts its signal when the time is up, and not before', () => {
    const { signal } = startDeadline(1_000);
    vi.advanceTimersByTime(999);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  });

  it('aborts its signal with the one that it was given, also when that one is aborted already', () => {
    const given = new AbortController();
    const { signal } = startDeadline(1_000, given.signal);
    given.abort();
    expect(signal.aborted).toBe(true);
    expect(startDeadline(1_000, given.signal).signal.aborted).toBe(true);
  });

  it('leaves no timer and no listener behind once it has ended', () => {
    const given = new AbortController();
    const deadline = startDeadline(1_000, given.signal);
    deadline.end();
    deadline.end();
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(given.signal, 'abort')).toEqual([]);
    expect(deadline.signal.aborted).toBe(false);
  });
});
