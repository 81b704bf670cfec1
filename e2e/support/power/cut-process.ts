// A process that plays a trace, cuts the power again and again, and opens the books after each cut. Several of them
// share the cuts of one trace.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Dice } from '../seeded.ts';
import { Disk } from './disk.ts';
import type { Fact } from './facts.ts';
import { Opening } from './opening.ts';
import type { CutReport, CutTask } from './power-cuts.ts';
import { readTrace } from './trace.ts';

const task = JSON.parse(process.argv[2] ?? '') as CutTask;
// When the test is stopped, nobody reads the report any more.
process.once('disconnect', () => process.exit());
process.send?.(await work(task), () => process.disconnect());

async function work({ trace, root, place, seed, cuts, share, shares, starts }: CutTask): Promise<CutReport> {
  const records = readTrace(trace);
  const disk = new Disk(root);
  const told: Fact[] = [];
  const found: string[] = [];
  let at = 0;
  let done = 0;
  for (let cut = share; cut < cuts; cut += shares) {
    // Each cut has chances of its own, so that it can be repeated alone.
    const dice = new Dice(seed + cut * 7_919);
    const end = Math.floor(((cut + dice.below(1_000) / 1_000) * records.length) / cuts);
    for (; at < end; at += 1) {
      const record = records[at];
      if (record?.kind === 'told') told.push(JSON.parse(record.fact) as Fact);
      else if (record !== undefined) disk.play(record);
    }
    const files = disk.afterCut(dice);
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { recursive: true });
    for (const [path, content] of files) {
      // Nobody opens a backup. Its content is compared in memory.
      if (!path.endsWith('.age')) put(join(place, relative(root, path)), content);
    }
    const opening = new Opening({ root, place, files, told });
    const wrong = await opening.contradictions(starts > 0 && cut % Math.ceil(cuts / starts) === 0);
    found.push(...wrong.map((words) => `cut ${cut}, after ${at} of ${records.length} records: ${words}`));
    done += 1;
  }
  rmSync(place, { recursive: true, force: true });
  return { done, told: told.length, found };
}

function put(path: string, content: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
