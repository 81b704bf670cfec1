import { describe, expect, it } from 'vitest';
import type { Cost } from '../../access/clients/tier-limits.ts';
import { ManualClock } from '../../platform/clock.ts';
import { StrangerBudgets } from './stranger-budgets.ts';

const HOUR_S = 3_600;
const MB = 1024 * 1024;
const stranger = (n: number) => ({ key: `https://s${n}.example/x`, origin: `s${n}.example`, network: `192.0.2.${n}` });

it('an hour of ten strangers at full speed leaves less than 200 MB and causes few requests to others', () => {
  const clock = new ManualClock(0);
  const budgets = new StrangerBudgets(clock);
  let [bytes, outbound] = [0, 0];
  for (let second = 0; second < HOUR_S; second++) {
    for (let n = 0; n < 10; n++) {
      for (let i = 0; i < 50 && budgets.take(stranger(n), { requests: 1, bytes: 5_000 }) === undefined; i++) bytes += 5_000;
      for (let i = 0; i < 50 && budgets.take(stranger(n), { outbound: 2 }) === undefined; i++) outbound += 2;
    }
    clock.advance(1_000);
  }
  expect(bytes).toBeLessThan(200 * 1024 * 1024);
  expect(outbound / HOUR_S).toBeLessThan(21);
});

it('one who makes up a key for each request has the budget of its network', () => {
  const budgets = new StrangerBudgets(new ManualClock(0));
  let taken = 0;
  while (budgets.take({ key: `jwk:${taken}`, network: '192.0.2.1' }, { bytes: 5_000 }) === undefined) taken += 1;
  expect(taken * 5_000).toBeLessThanOrEqual(16 * 1024 * 1024);
  expect(budgets.take({ key: 'jwk:other', network: '192.0.2.2' }, { bytes: 5_000 })).toBeUndefined();
});

it('a request that one budget refuses costs the others nothing', () => {
  const budgets = new StrangerBudgets(new ManualClock(0));
  while (budgets.take(stranger(1), { outbound: 100 }) === undefined);
  for (let i = 0; i < 10_000; i++) budgets.take(stranger(1), { requests: 1, outbound: 100 });
  expect(budgets.take({ ...stranger(1), key: 'another' }, { requests: 1 })).toBeUndefined();
  expect(budgets.take(stranger(1), { requests: 1 })).toBeUndefined();
});

it('a clock that somebody sets locks nobody out', () => {
  const clock = new ManualClock(0);
  const budgets = new StrangerBudgets(clock);
  while (budgets.take(stranger(1), { requests: 100 }) === undefined);
  clock.jump(-365 * 24 * HOUR_S * 1_000);
  expect(budgets.take(stranger(1), { requests: 100 })?.waitMs).toBeLessThanOrEqual(2_000);
  clock.advance(2_000);
  expect(budgets.take(stranger(1), { requests: 100 })).toBeUndefined();
});

it('one who has used up its own is told so, and one who finds the node used up by others is told that', () => {
  const budgets = new StrangerBudgets(new ManualClock(0));
  while (budgets.take(stranger(1), { outbound: 1 }) === undefined);
  expect(budgets.take(stranger(1), { outbound: 1 })).toMatchObject({ by: 'caller' });
  for (let n = 2; n < 20; n++) while (budgets.take(stranger(n), { outbound: 1 }) === undefined);
  expect(budgets.take(stranger(20), { outbound: 1 })).toEqual({ by: 'node', waitMs: 50 });
  expect(budgets.take(stranger(1), { outbound: 1 })).toMatchObject({ by: 'caller' });
});

it('what a request does not use up, and what others lack, is no reason to refuse it', () => {
  const budgets = new StrangerBudgets(new ManualClock(0));
  const inAll = (n: number, cost: Partial<Cost>) => budgets.take({ network: `192.0.2.${n}` }, cost);
  for (let n = 0; n < 20; n++) while (inAll(n, { bytes: 500_000 }) === undefined);
  expect(inAll(1, { bytes: 500_000 })).toMatchObject({ by: 'caller' });
  expect(inAll(1, { requests: 1, bytes: 0 })).toBeUndefined();
  // Whoever names no target uses up none of the budgets that targets have.
  for (let n = 0; n < 20; n++) for (let i = 0; i < 20; i++) inAll(n, { outbound: 1 });
  expect(budgets.take({ network: '198.51.100.1', target: 'wallet.example' }, { outbound: 100 })).toBeUndefined();
  expect(budgets.take({ network: '198.51.100.2', target: 'wallet.example' }, { outbound: 1 })).toMatchObject({ by: 'node' });
  expect(budgets.take({ network: '198.51.100.2' }, { outbound: 1 })).toBeUndefined();
});

it('whoever has no key yet has the budget of its network, which is larger than that of a key', () => {
  const budgets = new StrangerBudgets(new ManualClock(0));
  expect(budgets.take({ network: '192.0.2.1' }, { bytes: 9 * MB })).toBeUndefined();
  expect(budgets.take({ network: '192.0.2.2', key: 'jwk:made-up' }, { bytes: 9 * MB })).toMatchObject({ by: 'caller' });
});

it('apps that the node knows by their keys take of what all share each for itself', () => {
  const budgets = new StrangerBudgets(new ManualClock(0));
  for (let n = 0; n < 9; n++) for (let i = 0; i < 100; i++) budgets.take({ key: `token of app ${n}` }, { outbound: 1 });
  expect(budgets.take({ key: 'token of app 1' }, { outbound: 1 })).toBeDefined();
  expect(budgets.take({ key: 'token of another app' }, { outbound: 1 })).toBeUndefined();
});

it('strangers from everywhere cause few requests to one server, and others are asked meanwhile', () => {
  const clock = new ManualClock(0);
  const budgets = new StrangerBudgets(clock);
  let asked = 0;
  for (let second = 0; second < 600; second++) {
    for (let n = 0; n < 100; n++) {
      const refusal = budgets.take({ ...stranger(n), target: 'victim.example' }, { outbound: 1 });
      if (refusal === undefined) asked += 1;
      else expect(refusal.by).toBe('node');
    }
    clock.advance(1_000);
  }
  expect(asked).toBeLessThanOrEqual(600 * 10 + 100);
  expect(budgets.take({ ...stranger(1), target: 'other.example' }, { outbound: 1 })).toBeUndefined();
});

describe('networks that ask for all they can get, at every moment', () => {
  const CROWD = 100;
  const SECONDS = 1_200;

  it.each([
    { kind: 'requests', units: 1, target: undefined, perSecond: 1_000, burst: 20_000 },
    { kind: 'bytes', units: 5_000, target: undefined, perSecond: (100 * MB) / HOUR_S, burst: 50 * MB },
    { kind: 'outbound', units: 1, target: undefined, perSecond: 20, burst: 1_000 },
    { kind: 'outbound', units: 1, target: 'wallet.example', perSecond: 10, burst: 100 },
    { kind: 'processor', units: 2, target: undefined, perSecond: 400, burst: 3_000 },
  ] satisfies { kind: keyof Cost; units: number; target: string | undefined; perSecond: number; burst: number }[])(
    'leave $kind for one that comes now and then, and get the whole rate (target: $target)',
    ({ kind, units, target, perSecond, burst }) => {
      const clock = new ManualClock(0);
      const budgets = new StrangerBudgets(clock);
      const ask = (n: number) => budgets.take({ network: `192.0.2.${n}`, ...(target && { target }) }, { [kind]: units });
      let [taken, refused] = [0, 0];
      for (let second = 0; second < SECONDS; second++) {
        for (let turn = 0; turn < CROWD; turn++) {
          // Another one comes first in each second.
          while (ask((turn + second) % CROWD) === undefined) taken += units;
        }
        // A wallet makes three requests for a customer each minute. The first minutes go to whoever is quicker.
        if (second >= 240 && second % 60 === 59) for (let i = 0; i < 3; i++) if (ask(CROWD + 1) !== undefined) refused += 1;
        clock.advance(1_000);
      }
      expect(refused).toBe(0);
      expect(taken).toBeLessThanOrEqual(burst + perSecond * SECONDS);
      expect(taken).toBeGreaterThan(0.9 * perSecond * SECONDS);
    },
    60_000,
  );
});

it.each([1, 2, 8])('one network alone gets its rate from each of %i replicas, however long it has gone on', (replicas) => {
  const clock = new ManualClock(0);
  const budgets = new StrangerBudgets(clock, () => replicas);
  let taken = 0;
  for (let second = 0; second < HOUR_S; second++) {
    while (budgets.take({ network: '192.0.2.1' }, { outbound: 1 }) === undefined) taken += 1;
    clock.advance(1_000);
  }
  expect(taken).toBeGreaterThan((0.95 * 5 * HOUR_S) / replicas);
});

describe('strangers who have only one thing in common', () => {
  it.each([
    { scope: 'key', kind: 'requests', unit: 10, atOnce: 1_000, perSecond: 50 },
    { scope: 'key', kind: 'bytes', unit: 4_096, atOnce: 8 * MB, perSecond: (16 * MB) / HOUR_S },
    { scope: 'key', kind: 'outbound', unit: 1, atOnce: 100, perSecond: 2 },
    { scope: 'key', kind: 'processor', unit: 10, atOnce: 1_000, perSecond: 100 },
    { scope: 'key', kind: 'failures', unit: 1, atOnce: 200, perSecond: 2 },
    { scope: 'origin', kind: 'requests', unit: 10, atOnce: 4_000, perSecond: 200 },
    { scope: 'origin', kind: 'bytes', unit: 4_096, atOnce: 16 * MB, perSecond: (32 * MB) / HOUR_S },
    { scope: 'origin', kind: 'outbound', unit: 1, atOnce: 300, perSecond: 5 },
    { scope: 'origin', kind: 'processor', unit: 10, atOnce: 1_500, perSecond: 200 },
    { scope: 'network', kind: 'requests', unit: 10, atOnce: 10_000, perSecond: 500 },
    { scope: 'network', kind: 'bytes', unit: 4_096, atOnce: 16 * MB, perSecond: (32 * MB) / HOUR_S },
    { scope: 'network', kind: 'outbound', unit: 1, atOnce: 300, perSecond: 5 },
    { scope: 'network', kind: 'processor', unit: 10, atOnce: 2_000, perSecond: 300 },
    { scope: 'network', kind: 'failures', unit: 1, atOnce: 200, perSecond: 2 },
  ] satisfies { scope: string; kind: keyof Cost; unit: number; atOnce: number; perSecond: number }[])(
    'share the budget of $kind of that $scope',
    ({ scope, kind, unit, atOnce, perSecond }) => {
      const clock = new ManualClock(0);
      const budgets = new StrangerBudgets(clock);
      let made = 0;
      const takeAll = (): number => {
        const before = made;
        while (budgets.take({ ...stranger(made), [scope]: 'the same' }, { [kind]: unit }) === undefined) made += 1;
        return (made - before) * unit;
      };
      expect(takeAll()).toBe(Math.floor(atOnce / unit) * unit);
      // Nobody else is refused: it is not the budget of the node that is used up.
      expect(budgets.take({ ...stranger(made), [scope]: 'the same' }, { [kind]: unit })).toMatchObject({ by: 'caller' });
      expect(budgets.take(stranger(made), { [kind]: unit })).toBeUndefined();
      clock.advance(5_000);
      const later = takeAll();
      expect(later).toBeLessThanOrEqual(5 * perSecond);
      expect(later).toBeGreaterThan(5 * perSecond - 2 * unit);
    },
  );
});
