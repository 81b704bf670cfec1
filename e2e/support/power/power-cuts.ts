import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

/** What one process does with a trace. */
export interface CutTask {
  trace: string;
  /** The folder that was recorded. */
  root: string;
  /** A folder of its own, in which the process builds what the disk has after each cut. */
  place: string;
  seed: number;
  /** The number of all cuts of the trace. */
  cuts: number;
  /** This process makes the cuts whose numbers leave `share` when they are divided by `shares`. */
  share: number;
  shares: number;
  /** The number of all cuts after which the built node starts. */
  starts: number;
}

export interface CutReport {
  done: number;
  /** How many facts the last cut had to leave true. */
  told: number;
  /** What was lost or wrong after a cut. */
  found: string[];
}

/** Memory serves these files best: they are made anew for each cut, and nobody needs them on a disk. */
const PLACE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Cuts the power at moments of a trace that the seed decides, in one process for each processor. */
export async function cutPower(task: Pick<CutTask, 'trace' | 'root' | 'seed' | 'cuts' | 'starts'>): Promise<CutReport> {
  const shares = availableParallelism();
  const reports = await Promise.all(
    Array.from({ length: shares }, (_, share) =>
      inProcess({ ...task, share, shares, place: join(PLACE, `paydesk-cut-${process.pid}-${share}`) }),
    ),
  );
  return {
    done: reports.reduce((sum, { done }) => sum + done, 0),
    told: Math.max(...reports.map(({ told }) => told)),
    found: reports.flatMap(({ found }) => found),
  };
}

function inProcess(task: CutTask): Promise<CutReport> {
  const child = fork(join(import.meta.dirname, 'cut-process.ts'), [JSON.stringify(task)], { execArgv: [] });
  return new Promise((resolve, reject) => {
    child.once('message', (report) => resolve(report as CutReport));
    child.once('exit', (code) => reject(new Error(`a process that cuts the power ended with ${code}`)));
  });
}
