import { parseArgs } from 'node:util';
import { keepRed, newSeed } from './simulator/red-runs.ts';
import { simulate } from './simulator/simulator.ts';

const HELP = `Usage: npm run simulate -- [--operations NUMBER] [--seed NUMBER] [--break-recovery]

Plays two nodes that pay each other in one process: real ledger and payments, made-up time, crashes and a bad line between
them. The same seed is the same story. Ends with 0 when the books of both agree to the unit.

  --operations NUMBER   how much is to happen (default 100000)
  --seed NUMBER         everything that is left to chance (default: another one each time; it is printed)
  --break-recovery      nodes let go of held packets when they start, which must be found out`;

/** @returns the exit code. */
export async function runSimulation(argv: readonly string[]): Promise<number> {
  const options = {
    operations: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    'break-recovery': { type: 'boolean', default: false },
  } as const;
  const { values } = parseArgs({ args: [...argv], options });
  const [operations, seed] = [Number(values.operations), Number(values.seed ?? newSeed())];
  if (!Number.isSafeInteger(operations) || operations < 1 || !Number.isSafeInteger(seed)) {
    console.error(HELP);
    return 1;
  }
  console.log(`seed ${seed}`);
  const began = performance.now();
  const recovery = values['break-recovery'] ? 'released' : 'as it is';
  const { counts, problems, ...done } = await simulate({ operations, seed, recovery });
  for (const [what, times] of Object.entries(counts).sort(([, a], [, b]) => b - a)) console.log(`${String(times).padStart(9)}  ${what}`);
  console.log(`${String(done.operations).padStart(9)}  operations in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? 'The books agree.' : `The books do not agree: ${keepRed({ operations, seed })}`);
  return problems.length === 0 ? 0 : 1;
}
