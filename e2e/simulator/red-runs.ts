import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** What tells one simulation from all others. */
interface Run {
  readonly operations: number;
  readonly seed: number;
}

const FILE = resolve(import.meta.dirname, '../../red-simulations.log');

/** The command that repeats a run. */
const commandFor = ({ operations, seed }: Run): string => `npm run simulate -- --operations ${operations} --seed ${seed}`;

/** Keeps the command of a run that went wrong, in `red-simulations.log`. @returns what to tell of it. */
export function keepRed(run: Run, file = FILE): string {
  const command = commandFor(run);
  appendFileSync(file, `${command}\n`);
  return `${command} repeats it (kept in ${file})`;
}

/** Another seed each time. */
export const newSeed = (): number => Math.floor(Math.random() * 2 ** 31);
