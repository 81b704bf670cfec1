import { describe, expect, it } from 'vitest';
import { AuditPace } from './pace.ts';

describe('AuditPace', () => {
  it('takes a tenth of a processor of a quiet node, and a fiftieth of a busy one', () => {
    let [at, used] = [0, 0];
    const pace = new AuditPace({ now: () => at, monotonic: () => at }, () => used);
    const passes = (ms: number, usedMs: number) => {
      at += ms;
      used += usedMs;
    };
    passes(100, 10);
    expect(pace.restAfter(10)).toBe(90);
    passes(100, 60);
    expect(pace.restAfter(10)).toBe(490);
    // What the node used before its last rest does not count.
    passes(100, 0);
    expect(pace.restAfter(10)).toBe(90);
  });

  it('rests a little after a step that took no time, and not for long after one that took long', () => {
    const pace = new AuditPace({ now: () => 0, monotonic: () => 0 }, () => 0);
    expect(pace.restAfter(0)).toBe(15);
    expect(pace.restAfter(60_000)).toBe(2_000);
  });
});
