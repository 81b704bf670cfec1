import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { RunningNode } from '../e2e/support/nodes/running-node.ts';
import { cpuMs, residentMb } from './support/processes.ts';

const STARTS = 5;
/** How long the bench waits after the start before it measures the node at rest. */
const QUIET_MS = 3_000;
const REST_MS = 10_000;

/**
 * Milliseconds from starting the process to its ready line, of several starts: in a new data folder, and in one with a
 * database.
 */
export async function measureStarts(): Promise<{ fresh: number[]; existing: number[] }> {
  const start = async (dataDir: string): Promise<number> => {
    const began = performance.now();
    const node = await RunningNode.start({ dataDir });
    const took = performance.now() - began;
    await node.stop();
    return took;
  };
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-'));
  try {
    const [fresh, existing]: [number[], number[]] = [[], []];
    for (let n = 0; n < STARTS; n++) {
      const dataDir = join(folder, String(n));
      fresh.push(await start(dataDir));
      existing.push(await start(dataDir));
    }
    return { fresh, existing };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the process uses while nobody sends it anything. A member is undefined where the system does not tell. */
interface Rest {
  residentMb: number | undefined;
  /** The share of one core. */
  cpuShare: number | undefined;
}

export async function measureRest({ pid }: RunningNode): Promise<Rest> {
  await pause(QUIET_MS);
  const before = cpuMs(pid);
  await pause(REST_MS);
  const after = cpuMs(pid);
  return { residentMb: residentMb(pid), cpuShare: before === undefined || after === undefined ? undefined : (after - before) / REST_MS };
}
