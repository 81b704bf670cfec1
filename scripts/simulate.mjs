// @ts-check
import { runSimulation } from '../e2e/simulate.ts';

// `npm run simulate -- [--operations N] [--seed S]` simulates two nodes, crashes and a bad line in one process. The
// same seed repeats the same run.
process.exitCode = await runSimulation(process.argv.slice(2));
