// @ts-check
import { runSimulation } from '../e2e/simulate.ts';

// `npm run simulate -- [--operations N] [--seed S]`: two nodes, crashes and a bad line in one process; the same seed is
// the same story.
process.exitCode = await runSimulation(process.argv.slice(2));
