import { expect, it } from 'vitest';
import { simulate } from '../simulator/simulator.ts';

const OPERATIONS = Number(process.env.PAYDESK_TEST_OPERATIONS ?? 30_000);
const SEED = Number(process.env.PAYDESK_TEST_SEED ?? 20_261_121);

it(
  `the simulator keeps the books of two nodes whole through ${OPERATIONS} operations, crashes and a bad line (seed ${SEED})`,
  async () => {
    const { operations, counts, problems } = await simulate({ operations: OPERATIONS, seed: SEED });
    expect(problems, `npm run simulate -- --operations ${OPERATIONS} --seed ${SEED} repeats it`).toEqual([]);
    expect(operations).toBeGreaterThanOrEqual(OPERATIONS);
    for (const what of ['crash', 'start', 'packet dropped', 'packet delayed', 'packet doubled', 'answer cut', 'operator']) {
      expect(counts[what] ?? 0, what).toBeGreaterThan(10);
    }
  },
  OPERATIONS * 20,
);

it('the simulator repeats itself to the last operation', async () => {
  const [first, second] = [await simulate({ operations: 2_000, seed: 5 }), await simulate({ operations: 2_000, seed: 5 })];
  expect(first).toEqual(second);
  expect((await simulate({ operations: 2_000, seed: 6 })).counts).not.toEqual(first.counts);
});

it('the simulator finds a recovery that lets go of held packets within ten thousand operations', async () => {
  const { operations, problems } = await simulate({ operations: 10_000, seed: SEED, recovery: 'released' });
  expect(operations).toBeLessThan(11_000);
  expect(problems.join('\n')).toContain('was taken and is booked as rejected');
});
