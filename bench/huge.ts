import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { SizeFigures } from './comparing.ts';
import { measureConsoleReads, READS_ANYWHERE, type ReadFigures } from './console/console-reads.ts';
import { measureBackupOf } from './payments/backups.ts';
import { HUGE, measureNode } from './sizes.ts';

/** What ten years of a busy shop cost a node. */
interface HugeFigures {
  work: SizeFigures[];
  reads: ReadFigures[];
  /** The time from starting the process to its ready line. */
  startMs: number;
  /** What one payment takes, incoming and outgoing together, with everything that it has left. */
  bytesEach: number;
  /** What a backup costs its requests, and how long it and its restore take. */
  backup: Awaited<ReturnType<typeof measureBackupOf>>;
}

/**
 * Compares a node with {@link HUGE} payments with one that has few, asks it what the console asks, backs it up, and
 * restores it.
 */
export async function measureHuge(): Promise<HugeFigures> {
  let rest: Pick<HugeFigures, 'reads' | 'startMs' | 'bytesEach' | 'backup'> | undefined;
  const work = await measureNode(HUGE, async (many) => {
    const { dataDir } = many.node;
    const bytesEach = statSync(join(dataDir, 'paydesk.db')).size / HUGE;
    let reads: ReadFigures[] = [];
    const backup = await measureBackupOf(many, HUGE, async () => {
      reads = await measureConsoleReads(READS_ANYWHERE, dataDir);
    });
    rest = { startMs: many.startMs, bytesEach, reads, backup };
  });
  if (rest === undefined) throw new Error('the node with many payments was not measured');
  return { work, ...rest };
}
