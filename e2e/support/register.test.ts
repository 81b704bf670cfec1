import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contradictionIn, type RegisterCall } from './register.ts';

const INITIAL = 'nothing';
const NEVER = Number.POSITIVE_INFINITY;

const write = (value: string, start: number, end: number): RegisterCall => ({ kind: 'write', value, start, end });
const read = (value: string, start: number, end: number): RegisterCall => ({ kind: 'read', value, start, end });

/** Tries every order of the calls. Writes of which nobody knows may be left out. */
function hasAnOrder(calls: readonly RegisterCall[], value = INITIAL): boolean {
  if (calls.every(({ kind, end }) => kind === 'write' && end === NEVER)) return true;
  return calls.some((call, n) => {
    const rest = calls.toSpliced(n, 1);
    if (rest.some(({ end }) => end < call.start)) return false;
    return call.kind === 'write' ? hasAnOrder(rest, call.value) : call.value === value && hasAnOrder(rest, value);
  });
}

describe('the checker of registers', () => {
  it('finds a value that is older than one whose write had been acknowledged', () => {
    expect(contradictionIn([write('a', 0, 1), write('b', 2, 3), read('a', 4, 5)], INITIAL)).toContain('must have had a');
    expect(contradictionIn([write('a', 0, 1), read(INITIAL, 2, 3)], INITIAL)).toContain('must have had nothing');
  });

  it('finds a value that goes back once somebody has read the newer one, though its write was never acknowledged', () => {
    const calls = [write('a', 0, 1), write('b', 2, NEVER), read('b', 3, 4), read('a', 5, 6)];
    expect(contradictionIn(calls, INITIAL)).toBeDefined();
    expect(contradictionIn(calls.slice(0, 3), INITIAL)).toBeUndefined();
  });

  it('finds a value that nobody has written, or that was read before anybody wrote it', () => {
    expect(contradictionIn([read('a', 0, 1)], INITIAL)).toBe('a was read and never written');
    expect(contradictionIn([read('a', 0, 1), write('a', 2, 3)], INITIAL)).toContain('before its write began');
  });

  it('allows either value while a write is under way', () => {
    expect(contradictionIn([write('a', 0, 9), read(INITIAL, 1, 2), read('a', 3, 4)], INITIAL)).toBeUndefined();
    expect(contradictionIn([write('a', 0, 9), read('a', 1, 2), read(INITIAL, 3, 4)], INITIAL)).toBeDefined();
  });

  it('agrees with whoever tries every order', () => {
    const times = fc.tuple(fc.integer({ min: 0, max: 14 }), fc.integer({ min: 1, max: 8 }));
    const calls = fc
      .array(fc.record({ times, isWrite: fc.boolean(), isKnown: fc.integer({ min: 0, max: 3 }), value: fc.nat(4) }), { maxLength: 6 })
      .map((drawn) => {
        // The times of no two calls are the same, because nobody could say then which came first.
        const spread = (time: number, n: number, ends: number): number => time * 20 + n * 2 + ends;
        const writes = drawn.filter(({ isWrite }) => isWrite).length;
        let written = 0;
        return drawn.map(({ times: [start, takes], isWrite, isKnown, value }, n): RegisterCall => {
          const [began, ended] = [spread(start, n, 0), spread(start + takes, n, 1)];
          if (isWrite) return write(String(written++), began, isKnown === 0 ? NEVER : ended);
          return read(value >= writes ? INITIAL : String(value), began, ended);
        });
      });
    let contradictory = 0;
    fc.assert(
      fc.property(calls, (history) => {
        const found = contradictionIn(history, INITIAL);
        if (found !== undefined) contradictory += 1;
        expect(found === undefined).toBe(hasAnOrder(history));
      }),
      { numRuns: 3_000 },
    );
    expect(contradictory).toBeGreaterThan(300);
  });
});
