import type { Queued } from '../commits/write-queue.ts';
import type { JobRun, Outcome } from './job-run.ts';

/** A job that has run. */
export interface Ran {
  readonly waiting: Queued;
  readonly outcome: Outcome;
  readonly hasWritten: boolean;
}

/** The words that a job names. A job that names none may touch anything. */
export const wordsOf = ({ touches }: Pick<Queued, 'touches'>): readonly string[] | undefined =>
  touches === undefined || touches.length === 0 ? undefined : touches;

/**
 * Runs jobs in one transaction: each begins when those before it that have a word in common with it have spoken. A job
 * that names nothing begins when all before it have spoken, and all after it wait for it. So whatever a job reads is
 * what a run of the jobs one after the other would have shown to it (decisions.md#D-100).
 * @param start starts a job. `place` is its place among `jobs`.
 * @returns how they went, in their order. It never fails.
 */
export async function sideBySide(jobs: readonly Queued[], start: (waiting: Queued, place: number) => JobRun): Promise<Ran[]> {
  /** The latest job with each word: a promise that ends when the job has spoken. */
  const latest = new Map<string, Promise<unknown>>();
  const spoken: Promise<unknown>[] = [];
  /** The latest job that ran alone: a promise that ends when it has spoken. */
  let alone: Promise<unknown> = Promise.resolve();
  const all = jobs.map((waiting, place) => {
    const words = wordsOf(waiting);
    const before = words === undefined ? Promise.all(spoken) : Promise.all([alone, ...words.map((word) => latest.get(word))]);
    const run = before.then(() => start(waiting, place));
    const said = run.then((one) => one.spoken);
    spoken.push(said);
    if (words === undefined) alone = said;
    else for (const word of words) latest.set(word, said);
    return run.then(async (one) => ({ waiting, outcome: await one.outcome, hasWritten: one.hasWritten }));
  });
  return await Promise.all(all);
}
