import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ManualClock } from './clock.ts';
import { ClockWitnesses } from './clock-witnesses.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1, 12);

function opened() {
  const clock = new ManualClock(START);
  const witnesses = new ClockWitnesses(clock);
  /** A party answers a request that takes `ms`, with a clock that is so far ahead. */
  const answer = (party: string, ahead: number, ms = 20) => {
    const answered = witnesses.asked(party);
    clock.advance(ms);
    answered(new Date(clock.now() + ahead).toUTCString());
  };
  return { clock, witnesses, answer };
}

it('one party alone says nothing about the clock of this computer, however often it says it', () => {
  const { witnesses, answer } = opened();
  for (let time = 0; time < 100; time++) answer('peer.example', -2 * HOUR);
  witnesses.signed('peer.example', (START - 2 * HOUR) / 1_000);
  expect(witnesses.difference()).toBeUndefined();
});

it('two parties that agree tell by how much the clock is ahead or behind', () => {
  for (const ahead of [-2 * HOUR, 2 * HOUR]) {
    const { witnesses, answer } = opened();
    answer('peer.example', ahead);
    answer('wallet.example', ahead + 1_000, 4_000);
    const told = witnesses.difference();
    expect(told?.parties).toBe(2);
    expect(Math.abs((told?.ahead ?? 0) + ahead)).toBeLessThan(6_000);
  }
});

it('clocks that agree differ by nothing, although answers and requests take a while and tell whole seconds', () => {
  const { clock, witnesses, answer } = opened();
  clock.advance(789);
  answer('peer.example', 0, 30_000);
  answer('wallet.example', 0);
  witnesses.signed('app.example', Math.floor(clock.now() / 1_000) - 40);
  expect(witnesses.difference()).toEqual({ ahead: 0, parties: 3 });
});

it('liars change nothing as long as as many others tell the truth', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 9 }), fc.array(fc.integer({ min: -1e9, max: 1e9 }), { maxLength: 8 }), (honest, lies) => {
      const { witnesses, answer } = opened();
      for (let i = 0; i < honest; i++) answer(`honest-${i}.example`, 0);
      for (const [i, lie] of lies.slice(0, honest).entries()) answer(`liar-${i}.example`, lie);
      expect(witnesses.difference()?.ahead).toBe(0);
    }),
  );
});

it('a copy of an old request or answer is outvoted by what the party says itself', () => {
  const { clock, witnesses } = opened();
  for (const party of ['a.example', 'b.example']) {
    witnesses.signed(party, clock.now() / 1_000);
    witnesses.signed(party, clock.now() / 1_000 - 7_200);
  }
  expect(witnesses.difference()).toEqual({ ahead: 0, parties: 2 });
});

it('what was heard before the clock was set right, or an hour ago, says nothing any more', () => {
  const { clock, witnesses, answer } = opened();
  const hear = () => {
    for (const party of ['a.example', 'b.example']) answer(party, -2 * HOUR);
  };
  hear();
  clock.jump(-2 * HOUR);
  expect(witnesses.difference()).toBeUndefined();
  hear();
  clock.advance(HOUR);
  expect(witnesses.difference()).toBeUndefined();
});

it('the node remembers a bounded number of parties', () => {
  const { witnesses, answer } = opened();
  for (let i = 0; i < 5_000; i++) answer(`${i}.example`, 0);
  expect(witnesses.difference()?.parties).toBe(100);
});
