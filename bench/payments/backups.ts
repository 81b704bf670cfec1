import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RunningNode } from '../../e2e/support/nodes/running-node.ts';
import { root } from '../../scripts/project.mjs';
import { restore } from '../../src-main/headless/commands/restore.ts';
import { BACKUP_TIMEOUT_MS, OperatorConnection } from '../../src-main/headless/operator-connection.ts';
import { z } from '../../src-shared/zod.ts';
import { atRate } from '../support/load.ts';
import { type Goal, ms, quantile, type Row } from '../support/report.ts';
import { MANY, SizedNode } from './sized-node.ts';

/** How many payments the books have; another number shows what larger books need. */
const PAYMENTS = Number(process.env.PAYDESK_BENCH_BACKUP_PAYMENTS ?? MANY);

const PASSPHRASE = 'seven plain words make a long one';
/** A busy shop and its apps ask this much, so the node still has time for a backup. */
const PER_SECOND = 50;
const ALONE_S = 20;
/** How many requests are signed at once. */
const AT_ONCE = 10;
/** More than a backup of ten million payments takes. */
const MOST_S = 3_600;
/** How much slower requests may become while a backup is made. */
const MOST_SLOWER = 2;

const seconds = (millis: number): string => `${(millis / 1_000).toFixed(1)} s`;

type Load = Awaited<ReturnType<typeof atRate>>;

const rowOf = (what: string, { done, refused, latencies }: Load): Row => ({
  'signed POST, 50 a second': what,
  created: String(done),
  refused: String(refused),
  p50: ms(quantile(latencies, 0.5)),
  p99: ms(quantile(latencies, 0.99)),
  worst: ms(latencies.at(-1) ?? Number.NaN),
});

const Made = z.object({ file: z.string(), bytes: z.number() });

/** Rows of one table, and the goals that they show. */
export type Shown = { rows: Row[]; goals: Goal[] };

/** Backs up a node with {@link PAYMENTS} payments, kills it, and restores the backup. */
export async function measureBackups(): Promise<Shown[]> {
  const sized = await SizedNode.start(PAYMENTS);
  try {
    const { made, restored } = await measureBackupOf(sized, PAYMENTS);
    return [made, restored];
  } finally {
    await sized.stop();
  }
}

/**
 * Makes a backup of a node with many payments while a client creates payment requests. Then it kills the node amid
 * requests, starts it again, removes its data, and restores the backup.
 * @param payments how many it has.
 * @param before what is to happen before its data is removed, with what the backup cost. The node does not run then.
 */
export async function measureBackupOf(
  sized: SizedNode,
  payments: number,
  before?: (made: Shown) => Promise<void>,
): Promise<{ made: Shown; restored: Shown }> {
  const { node, scene } = sized;
  const folder = join(node.dataDir, '..', 'backups');
  const copy = join(node.dataDir, '..', 'restored');
  mkdirSync(folder);
  // A few at a time: a signature is too old after five minutes.
  function* creations(most: number) {
    for (let left = most * PER_SECOND; left > 0; left -= AT_ONCE) yield* scene.creations(AT_ONCE);
  }
  const load = (until: () => boolean, most: number): Promise<Load> =>
    atRate(node.publicUrl, creations(most), { perSecond: PER_SECOND, until });
  const alone = await load(() => false, ALONE_S);
  let tookMs = 0;
  const began = performance.now();
  const connection = new OperatorConnection(node);
  const wanted = { folder, passphrase: PASSPHRASE };
  const making = connection.request('POST', '/operator/api/backups', Made, wanted, BACKUP_TIMEOUT_MS).finally(() => {
    tookMs = performance.now() - began;
    connection.close();
  });
  const beside = await load(() => tookMs > 0, MOST_S);
  const { file, bytes } = await making;
  const after = await load(() => false, ALONE_S);
  const latencies = { beside: beside.latencies, quiet: Float64Array.from([...alone.latencies, ...after.latencies]).sort() };
  const made: Shown = {
    rows: [rowOf('before the backup', alone), rowOf('while it is made', beside), rowOf('after it', after)],
    goals: [...[0.5, 0.99].map((part) => goalOf(part, latencies)), refusals([alone, beside, after])],
  };
  const readyAgainMs = await sized.crash();
  await before?.(made);
  // Huge books and a backup take two thirds of what a disk needs that is to hold the restored books beside them.
  rmSync(node.dataDir, { recursive: true });
  const { restoreMs, readyMs } = await restoreAndStart(file, copy);
  const book = `a backup of ${payments.toLocaleString('en')} payments`;
  const figures: readonly [string, string][] = [
    ['its size', `${(bytes / 1e6).toFixed(0)} MB`],
    ['made and verified in', seconds(tookMs)],
    ['restored in', seconds(restoreMs)],
    ['the restored node is ready in', seconds(readyMs)],
    ['the node is ready after kill -9 amid requests in', seconds(readyAgainMs)],
  ];
  return { made, restored: { rows: figures.map(([what, figure]) => ({ [book]: what, figure })), goals: [] } };
}

async function restoreAndStart(file: string, dataDir: string): Promise<{ restoreMs: number; readyMs: number }> {
  const began = performance.now();
  await restore({
    ...{ file, passphrase: PASSPHRASE, dataDir, protection: undefined },
    migrations: join(root, 'drizzle'),
    workerFile: join(root, 'out/main/backup-worker.js'),
  });
  const restoreMs = performance.now() - began;
  const starting = performance.now();
  const node = await RunningNode.start({ dataDir });
  const readyMs = performance.now() - starting;
  await node.stop();
  return { restoreMs, readyMs };
}

function goalOf(part: number, { beside, quiet }: Record<'beside' | 'quiet', Float64Array>): Goal {
  const slower = quantile(beside, part) / quantile(quiet, part);
  const name = `while a backup is made, p${part * 100} of a request at most ${MOST_SLOWER} times that without`;
  return { name, met: slower <= MOST_SLOWER, figure: `${slower.toFixed(2)} times` };
}

function refusals(loads: readonly Load[]): Goal {
  const refused = loads.reduce((sum, load) => sum + load.refused, 0);
  return { name: 'no request is refused before, while, or after a backup is made', met: refused === 0, figure: `${refused} refused` };
}
