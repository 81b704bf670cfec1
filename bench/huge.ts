import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { SizeFigures } from './comparing.ts';
import { measureConsoleReads, READS_ANYWHERE, type ReadFigures } from './console/console-reads.ts';
import { HUGE, measureNode } from './sizes.ts';

/** What ten years of a busy shop cost a node. */
interface HugeFigures {
  work: SizeFigures[];
  reads: ReadFigures[];
  /** The time from starting the process to its ready line. */
  startMs: number;
  /** What one payment takes, incoming and outgoing together, with everything that it has left. */
  bytesEach: number;
}

/** Compares a node with {@link HUGE} payments with one that has few, and asks it what the console asks. */
export async function measureHuge(): Promise<HugeFigures> {
  let rest: Pick<HugeFigures, 'reads' | 'startMs' | 'bytesEach'> | undefined;
  const work = await measureNode(HUGE, async (many) => {
    await many.end();
    const bytesEach = statSync(join(many.node.dataDir, 'paydesk.db')).size / HUGE;
    const reads = await measureConsoleReads(READS_ANYWHERE, many.node.dataDir);
    rest = { startMs: many.startMs, bytesEach, reads };
  });
  if (rest === undefined) throw new Error('the node with many payments was not measured');
  return { work, ...rest };
}
