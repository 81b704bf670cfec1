import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { SizeFigures } from './comparing.ts';
import { measureConsoleReads, READS_ANYWHERE, type ReadFigures } from './console/console-reads.ts';
import { measureBackupOf, type Shown } from './payments/backups.ts';
import { HUGE, measureNode } from './sizes.ts';

/** Is told what ten years of a busy shop cost a node, as soon as it is known. */
interface HugeListener {
  work(figures: readonly SizeFigures[]): void;
  /**
   * @param startMs the time from starting the process to its ready line.
   * @param bytesEach what one payment takes, incoming and outgoing together, with everything that it has left.
   */
  start(startMs: number, bytesEach: number): void;
  reads(figures: readonly ReadFigures[]): void;
  /** What a backup costs the requests beside it, and then how long it and its restore take. */
  backup(shown: Shown): void;
}

/**
 * Compares a node with {@link HUGE} payments with one that has few, asks it what the console asks, backs it up, and
 * restores it.
 * @param tell is told of each figure at once, because all of it takes hours.
 */
export async function measureHuge(tell: HugeListener): Promise<void> {
  await measureNode(HUGE, async (many, figures) => {
    const { dataDir } = many.node;
    tell.work(figures);
    tell.start(many.startMs, statSync(join(dataDir, 'paydesk.db')).size / HUGE);
    const { restored } = await measureBackupOf(many, HUGE, async (made) => {
      tell.backup(made);
      tell.reads(await measureConsoleReads(READS_ANYWHERE, dataDir));
    });
    tell.backup(restored);
  });
}
