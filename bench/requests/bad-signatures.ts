import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createAccount } from '../../e2e/support/clients/flows.ts';
import { RunningNode } from '../../e2e/support/nodes/running-node.ts';
import { HonestClient } from '../../e2e/support/strangers/honest-client.ts';
import type { AttackedNode, Tally } from '../../e2e/support/strangers/stranger.ts';
import { cpuMs } from '../support/processes.ts';
import { type Goal, ms, percent, type Row, rate } from '../support/report.ts';

/** The honest client is alone before and after, so that it shows when other work of the machine slows both. */
const ALONE_S = 20;
const BESIDE_S = 60;
const REST_MS = 5_000;
/** The wait between two payments of the honest client, in milliseconds. */
const PAUSE_MS = 200;
const MOST_P99_MS = 500;
/** How late the event loop of the node may be. */
const MOST_DELAY_MS = 100;

interface Stretch {
  requests: number;
  p50: number;
  p99: number;
  /** The share of a core that the node took. */
  share: number;
  /** How late the event loop of the node was, at the 99th percentile, in milliseconds. */
  delay: number;
}

interface Scene {
  node: RunningNode;
  honest: HonestClient;
  /** The file into which the node writes how late it was. */
  delays: string;
}

/** How late the event loop of the node was since the last call, at the 99th percentile, in milliseconds. */
async function delayOf({ node, delays }: Scene): Promise<number> {
  rmSync(delays, { force: true });
  process.kill(node.pid, 'SIGUSR2');
  for (let text = ''; ; text = readFileSync(delays, { encoding: 'utf8', flag: 'a+' })) {
    if (text !== '') return Number(text);
    await pause(10);
  }
}

async function payFor(seconds: number, scene: Scene): Promise<Stretch> {
  const { node, honest } = scene;
  await delayOf(scene);
  const [before, began] = [cpuMs(node.pid) ?? Number.NaN, performance.now()];
  while (performance.now() - began < seconds * 1_000) {
    await honest.payOnce();
    await pause(PAUSE_MS);
  }
  const share = ((cpuMs(node.pid) ?? Number.NaN) - before) / (performance.now() - began);
  return { ...honest.takeLatencies(), share, delay: await delayOf(scene) };
}

const rowOf = (what: string, { requests, p50, p99, share, delay }: Stretch): Row => ({
  'honest client': what,
  requests: String(requests),
  p50: ms(p50),
  p99: ms(p99),
  'processor of the node': percent(share),
  'event loop late, p99': ms(delay),
});

const goalsOf = ({ p99, delay }: Stretch, perSecond: number, failures: string): Goal[] => [
  { name: 'a thousand wrong signatures a second are sent', met: perSecond >= 990, figure: rate(perSecond) },
  { name: 'beside them, p99 of the honest client under 500 ms', met: p99 < MOST_P99_MS, figure: ms(p99) },
  { name: 'beside them, the event loop late by less than 100 ms at p99', met: delay < MOST_DELAY_MS, figure: ms(delay) },
  { name: 'the honest client is refused nothing', met: failures === '', figure: failures || 'none' },
];

/** Measures what a thousand wrong signatures a second do to an honest client. The node has its usual limits. */
export async function measureBadSignatures(): Promise<{ rows: Row[]; goals: Goal[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-'));
  const delays = join(folder, 'delays');
  const node = await RunningNode.start({
    dataDir: join(folder, 'node'),
    flags: ['--token-lifetime', '86400'],
    logTo: openSync(join(folder, 'log'), 'a'),
    env: { NODE_OPTIONS: `--import=${new URL('loop-delay.ts', import.meta.url).href}`, PAYDESK_BENCH_LOOP_DELAY: delays },
  });
  const { id: accountId, walletAddress: shop } = await createAccount(node, 'shop', 0n);
  const honest = await HonestClient.start(node, shop);
  const scene: Scene = { node, honest, delays };
  try {
    const { id: request } = await node.operator.requests.create({ requestId: randomUUID(), accountId, amount: 500n });
    await honest.payOnce();
    honest.takeLatencies();
    const attacked: AttackedNode = { publicUrl: node.publicUrl, shop, request };
    const worker = new Worker(new URL('bad-signatures-worker.ts', import.meta.url), { workerData: { node: attacked } });
    await once(worker, 'message');
    const before = await payFor(ALONE_S, scene);
    worker.postMessage('sending');
    const beside = await payFor(BESIDE_S, scene);
    worker.postMessage('resting');
    // What has come by then is answered before the honest client counts as alone.
    await pause(REST_MS);
    const after = await payFor(ALONE_S, scene);
    const told = once(worker, 'message') as Promise<[{ tally: Tally; perSecond: number }]>;
    worker.postMessage('leaving');
    const [{ tally, perSecond }] = await told;
    await worker.terminate();
    const answers = Object.entries(tally).map(([status, count]) => `${status}: ${count}`);
    const failures = Object.entries(honest.failures).map(([failure, count]) => `${failure}: ${count}`);
    return {
      rows: [
        rowOf('alone, before', before),
        { ...rowOf('beside wrong signatures', beside), 'wrong signatures': rate(perSecond), answers: answers.join(', ') },
        rowOf('alone, after', after),
      ],
      goals: goalsOf(beside, perSecond, failures.join(', ')),
    };
  } finally {
    await honest.stop();
    await node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
