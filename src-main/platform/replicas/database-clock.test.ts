import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../clock.ts';
import { DatabaseClock } from './database-clock.ts';

/** The time at the server, and a computer that is ahead of it by so many milliseconds. */
function computerAhead(ms: number) {
  let server = 1_000_000;
  const computer = new ManualClock(server + ms);
  const clock = new DatabaseClock(computer);
  const pass = (passed: number): void => {
    server += passed;
    computer.advance(passed);
  };
  return {
    ...{ clock, computer, pass },
    server: () => server,
    /** Asks the server, which reads its clock between the two ways. */
    ask: ({ there = 0, back = 0 } = {}): void => {
      const asked = computer.monotonic();
      pass(there);
      const said = server;
      pass(back);
      clock.hears(said, asked);
    },
  };
}

describe('the clock of the database', () => {
  it('is that of the computer until the server has answered', () => {
    const { clock, computer } = computerAhead(1_900);
    expect([clock.now(), clock.ahead]).toEqual([computer.now(), 0]);
  });

  it.each([1_900, -1_900])('is that of the server afterwards, with a computer that is %i ms ahead', (ahead) => {
    const { clock, ask, pass, server } = computerAhead(ahead);
    ask();
    pass(30_000);
    expect([clock.now(), clock.ahead]).toEqual([server(), -ahead]);
  });

  it('takes no notice when somebody sets the clock of the computer', () => {
    const { clock, ask, computer, pass, server } = computerAhead(0);
    ask();
    computer.jump(3_600_000);
    pass(10);
    expect(clock.now()).toBe(server());
  });

  it('is no further from the server than the quickest answer was on its way, and never goes back', () => {
    const way = fc.integer({ min: 0, max: 400 });
    const asks = fc.array(fc.record({ there: way, back: way, rest: way }), { minLength: 1 });
    fc.assert(
      fc.property(fc.integer({ min: -2_000, max: 2_000 }), asks, (ahead, ways) => {
        const { clock, ask, pass, server } = computerAhead(ahead);
        let told = Number.NEGATIVE_INFINITY;
        let quickest = Number.POSITIVE_INFINITY;
        for (const { there, back, rest } of ways) {
          ask({ there, back });
          quickest = Math.min(quickest, there + back);
          const now = clock.now();
          expect(now).toBeGreaterThanOrEqual(told);
          // Until the time has caught up it stands still.
          if (now > told) expect(Math.abs(now - server())).toBeLessThanOrEqual(quickest + 1);
          pass(rest);
          told = clock.now();
        }
      }),
    );
  });

  it('does not move with the ways of an answer once a quick one has told the time', () => {
    const { clock, ask, server } = computerAhead(500);
    ask();
    ask({ there: 300 });
    expect(clock.now()).toBe(server());
    ask({ back: 300 });
    expect(clock.now()).toBe(server());
  });

  it('stands still when it was a little ahead, and follows a server whose clock was put back by much', () => {
    const { clock, computer } = computerAhead(0);
    clock.hears(1_000_000, computer.monotonic());
    const told = clock.now();
    clock.hears(999_900, computer.monotonic());
    expect(clock.now()).toBe(told);
    computer.advance(150);
    expect(Math.abs(clock.now() - 1_000_050)).toBeLessThanOrEqual(1);
    clock.hears(900_000, computer.monotonic());
    expect(Math.abs(clock.now() - 900_000)).toBeLessThanOrEqual(1);
  });
});
