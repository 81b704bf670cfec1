import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairGate, type GateLimits, type Leave } from './fair-gate.ts';
import { createPool, POOL_LIMITS } from './pools.ts';

const NEVER = new AbortController().signal;
const FOR_EVER = 2 ** 31 - 1;
const WIDE: GateLimits = { atOnce: 100, perCaller: 100, perTarget: 100, waiting: 100, restMs: 0 };

/** A gate, and who got in, in order. Names are `caller>target`. */
function setUp(limits: Partial<GateLimits>) {
  const gate = new FairGate({ ...WIDE, ...limits });
  const events: string[] = [];
  const leaves = new Map<string, Leave>();
  const come = async (name: string, signal = NEVER): Promise<void> => {
    const [caller = '', target = ''] = name.split('>');
    const leave = await gate.enter({ caller, target }, signal, FOR_EVER);
    events.push(leave === undefined ? `${name} turned away` : name);
    if (leave !== undefined) leaves.set(name, leave);
  };
  const untilQuiet = async (): Promise<void> => {
    for (let i = 0; i < 20; i++) await Promise.resolve();
  };
  const leave = async (name: string, failed?: boolean): Promise<void> => {
    leaves.get(name)?.(failed);
    await untilQuiet();
  };
  return { gate, events, come, leave, untilQuiet };
}

describe('a fair gate', () => {
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['in all', { atOnce: 2 }, ['a>x', 'b>y', 'c>z']],
    ['for a caller', { perCaller: 2 }, ['a>x', 'a>y', 'a>z']],
    ['at a target', { perTarget: 2 }, ['a>x', 'b>x', 'c>x']],
  ] as const)('lets so many in %s, and the next one when one leaves', async (_, limits, names) => {
    const { events, come, leave, untilQuiet } = setUp(limits);
    for (const name of names) void come(name);
    await untilQuiet();
    expect(events).toEqual(names.slice(0, 2));
    await leave(names[1]);
    expect(events).toEqual(names);
  });

  it('lets nobody wait for a place that is not theirs', async () => {
    const { events, come, untilQuiet } = setUp({ perTarget: 1 });
    for (const name of ['a>silent', 'a>silent', 'b>honest']) void come(name);
    await untilQuiet();
    expect(events).toEqual(['a>silent', 'b>honest']);
  });

  it('gives a free place to the caller who has the fewest', async () => {
    const { events, come, leave, untilQuiet } = setUp({ atOnce: 3 });
    for (const name of ['greedy>1', 'greedy>2', 'greedy>3', 'greedy>4', 'greedy>5', 'honest>6']) void come(name);
    await untilQuiet();
    await leave('greedy>1');
    await leave('greedy>2');
    expect(events).toEqual(['greedy>1', 'greedy>2', 'greedy>3', 'honest>6', 'greedy>4']);
  });

  it('turns the last of the greediest away when too many wait', async () => {
    const { events, come, untilQuiet } = setUp({ atOnce: 1, waiting: 2 });
    for (const name of ['greedy>1', 'greedy>2', 'greedy>3', 'honest>4']) void come(name);
    await untilQuiet();
    expect(events).toEqual(['greedy>1', 'greedy>3 turned away']);
  });

  it('forgets who gave up', async () => {
    const { events, come, leave, untilQuiet } = setUp({ atOnce: 1 });
    const patience = new AbortController();
    void come('a>x');
    void come('b>x', patience.signal);
    void come('c>x');
    await untilQuiet();
    patience.abort();
    await untilQuiet();
    void come('d>x', patience.signal);
    await leave('a>x');
    expect(events).toEqual(['a>x', 'b>x turned away', 'd>x turned away', 'c>x']);
  });

  it('turns away who has waited for as long as it wanted to wait', async () => {
    vi.useFakeTimers();
    const { gate, come, untilQuiet } = setUp({ atOnce: 1 });
    void come('a>x');
    await untilQuiet();
    const waiting = gate.enter({ caller: 'b', target: 'y' }, NEVER, 1_000);
    await vi.advanceTimersByTimeAsync(999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toBeUndefined();
  });

  it('keeps neither a timer nor a listener of a visit that was let in', async () => {
    vi.useFakeTimers();
    const { events, come, leave, untilQuiet } = setUp({ atOnce: 1 });
    const { signal } = new AbortController();
    void come('a>x');
    void come('b>x', signal);
    await untilQuiet();
    expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([1, 1]);
    await leave('a>x');
    expect(events).toEqual(['a>x', 'b>x']);
    expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  });

  it('is never overfull, and lets everybody through in the end', async () => {
    const visits = fc.array(fc.record({ caller: fc.constantFrom('a', 'b', 'c'), target: fc.constantFrom('x', 'y') }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(visits, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }), async (wanted, atOnce, perCaller) => {
        const gate = new FairGate({ ...WIDE, atOnce, perCaller, perTarget: 2 });
        const inside: { caller: string; target: string }[] = [];
        const pass = async (visit: { caller: string; target: string }): Promise<void> => {
          const leave = await gate.enter(visit, NEVER, FOR_EVER);
          inside.push(visit);
          expect(inside.length).toBeLessThanOrEqual(atOnce);
          expect(inside.filter(({ caller }) => caller === visit.caller).length).toBeLessThanOrEqual(perCaller);
          expect(inside.filter(({ target }) => target === visit.target).length).toBeLessThanOrEqual(2);
          await Promise.resolve();
          inside.splice(inside.indexOf(visit), 1);
          leave?.();
        };
        await Promise.all(wanted.map(pass));
      }),
    );
  });
});

describe('after a visit that failed', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('its target rests, while others go on', async () => {
    const { events, come, leave, untilQuiet } = setUp({ atOnce: 2, perTarget: 1, restMs: 1_000 });
    for (const name of ['a>victim', 'b>victim', 'c>honest']) void come(name);
    await untilQuiet();
    await leave('a>victim', true);
    await leave('c>honest');
    expect(events).toEqual(['a>victim', 'c>honest']);
    await vi.advanceTimersByTimeAsync(999);
    expect(events).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(events).toEqual(['a>victim', 'c>honest', 'b>victim']);
  });

  it('nobody rests after a visit that gave something of use', async () => {
    const { events, come, leave, untilQuiet } = setUp({ perTarget: 1, restMs: 1_000 });
    for (const name of ['a>honest', 'b>honest']) void come(name);
    await untilQuiet();
    await leave('a>honest');
    expect(events).toEqual(['a>honest', 'b>honest']);
  });

  it('its caller rests, while others go on', async () => {
    const { events, come, leave, untilQuiet } = setUp({ perCaller: 1, restMs: 1_000 });
    for (const name of ['attacker>1', 'attacker>2', 'honest>1']) void come(name);
    await untilQuiet();
    await leave('attacker>1', true);
    expect(events).toEqual(['attacker>1', 'honest>1']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(events).toEqual(['attacker>1', 'honest>1', 'attacker>2']);
  });
});

describe('a gate with a pace', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each(['strangers', 'checkout'] as const)(
    'lets %s cause at most 16 requests a second to a server that answers at once',
    async (pool) => {
      const { gate } = createPool(POOL_LIMITS[pool]);
      let asked = 0;
      for (let n = 0; n < 200; n++) {
        void gate.enter({ caller: `network ${n}`, target: 'victim' }, NEVER, FOR_EVER).then((leave) => {
          if (leave !== undefined) asked += 1;
          leave?.();
        });
      }
      await vi.advanceTimersByTimeAsync(10_000);
      expect(asked).toBeGreaterThan(40);
      expect(asked).toBeLessThanOrEqual(11 * 16);
    },
  );

  it('lets others in while a target keeps its pace', async () => {
    const { events, come, leave, untilQuiet } = setUp({ atOnce: 1, paceMs: 500 });
    for (const name of ['a>x', 'b>y']) void come(name);
    await untilQuiet();
    await leave('a>x');
    expect(events).toEqual(['a>x', 'b>y']);
  });

  it('serves a newcomer before one who has asked for more', async () => {
    const { events, come, leave, untilQuiet } = setUp({ perTarget: 1, paceMs: 500 });
    for (const name of ['a>x', 'a>x', 'b>x']) void come(name);
    await untilQuiet();
    await leave('a>x');
    expect(events).toEqual(['a>x']);
    await vi.advanceTimersByTimeAsync(500);
    expect(events).toHaveLength(2);
  });
});
