import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RunningNode } from '../../e2e/support/nodes/running-node.ts';
import { root } from '../../scripts/project.mjs';
import { restore } from '../../src-main/headless/commands/restore.ts';
import { atRate, type Measured } from '../support/load.ts';
import { type Goal, ms, quantile, type Row } from '../support/report.ts';
import { MANY, SizedNode } from './sized-node.ts';

/** How many payments the books have; another number shows what larger books need. */
const PAYMENTS = Number(process.env.PAYDESK_BENCH_BACKUP_PAYMENTS ?? MANY);
const BOOKS = `${PAYMENTS.toLocaleString('en')} payments`;

const PASSPHRASE = 'seven plain words make a long one';
/** A busy shop and its apps ask this much, so the node still has time for a backup. */
const PER_SECOND = 50;
const ALONE_S = 20;
/** How many requests are signed at once. */
const AT_ONCE = 10;
/** More than a backup takes. */
const MOST_S = 900;
/** How much slower requests may become while a backup is made. */
const MOST_SLOWER = 2;

const seconds = (millis: number): string => `${(millis / 1_000).toFixed(1)} s`;

const rowOf = (what: string, { done, latencies }: Measured): Row => ({
  'signed POST, 50 a second': what,
  requests: String(done),
  p50: ms(quantile(latencies, 0.5)),
  p99: ms(quantile(latencies, 0.99)),
  worst: ms(latencies.at(-1) ?? Number.NaN),
});

/**
 * Makes a backup of a node with many payments while a client creates payment requests, and restores it. Then it kills
 * the node amid requests, and starts it again.
 */
export async function measureBackups(): Promise<{ rows: Row[]; goals: Goal[] }[]> {
  const sized = await SizedNode.start(PAYMENTS);
  const { node, scene } = sized;
  const folder = join(node.dataDir, '..', 'backups');
  const restored = join(node.dataDir, '..', 'restored');
  mkdirSync(folder);
  // A few at a time: a signature is too old after five minutes.
  function* creations(most: number) {
    for (let left = most * PER_SECOND; left > 0; left -= AT_ONCE) yield* scene.creations(AT_ONCE);
  }
  const load = (until: () => boolean, most: number): Promise<Measured> =>
    atRate(node.publicUrl, creations(most), { perSecond: PER_SECOND, until });
  try {
    const alone = await load(() => false, ALONE_S);
    let took = 0;
    const began = performance.now();
    const making = node.operator.backups.make({ folder, passphrase: PASSPHRASE }).finally(() => {
      took = performance.now() - began;
    });
    const beside = await load(() => took > 0, MOST_S);
    const { file, bytes } = await making;
    const after = await load(() => false, ALONE_S);
    const readyAgainMs = await sized.crash();
    const restoring = performance.now();
    await restore({
      ...{ file, passphrase: PASSPHRASE, dataDir: restored, protection: undefined },
      migrations: join(root, 'drizzle'),
      workerFile: join(root, 'out/main/backup-worker.js'),
    });
    const restoreMs = performance.now() - restoring;
    const starting = performance.now();
    const again = await RunningNode.start({ dataDir: restored });
    const startMs = performance.now() - starting;
    await again.stop();
    const quiet = Float64Array.from([...alone.latencies, ...after.latencies]).sort();
    const slower = (part: number): number => quantile(beside.latencies, part) / quantile(quiet, part);
    return [
      { rows: [rowOf('before the backup', alone), rowOf('while it is made', beside), rowOf('after it', after)], goals: [] },
      {
        rows: [
          { [`a backup of ${BOOKS}`]: 'its size', figure: `${(bytes / 1e6).toFixed(0)} MB` },
          { [`a backup of ${BOOKS}`]: 'made and verified in', figure: seconds(took) },
          { [`a backup of ${BOOKS}`]: 'restored in', figure: seconds(restoreMs) },
          { [`a backup of ${BOOKS}`]: 'the restored node is ready in', figure: seconds(startMs) },
          { [`a backup of ${BOOKS}`]: 'the node is ready after kill -9 amid requests in', figure: seconds(readyAgainMs) },
        ],
        goals: [0.5, 0.99].map((part) => ({
          name: `while a backup is made, p${part * 100} of a request at most ${MOST_SLOWER} times that without`,
          met: slower(part) <= MOST_SLOWER,
          figure: `${slower(part).toFixed(2)} times`,
        })),
      },
    ];
  } finally {
    await sized.stop();
    rmSync(restored, { recursive: true, force: true });
  }
}
