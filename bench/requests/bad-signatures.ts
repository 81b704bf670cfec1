import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createAccount } from '../../e2e/support/clients/flows.ts';
import { RunningNode } from '../../e2e/support/nodes/running-node.ts';
import { HonestClient } from '../../e2e/support/strangers/honest-client.ts';
import type { AttackedNode, Tally } from '../../e2e/support/strangers/stranger.ts';
import { cpuMs } from '../support/processes.ts';
import { type Goal, median, ms, percent, type Row, rate } from '../support/report.ts';

/** The honest client is alone and beside the strangers in turns, so that other work of the machine hits both. */
const ROUNDS = 6;
const ROUND_S = 10;
/** Between two payments of the honest client, in milliseconds. */
const PAUSE_MS = 200;
const MOST_P99_MS = 500;

interface Stretch {
  requests: number;
  p50: number;
  p99: number;
  /** The share of a core that the node took. */
  share: number;
}

async function payFor(seconds: number, node: RunningNode, honest: HonestClient): Promise<Stretch> {
  const [before, began] = [cpuMs(node.pid) ?? Number.NaN, performance.now()];
  while (performance.now() - began < seconds * 1_000) {
    await honest.payOnce();
    await pause(PAUSE_MS);
  }
  const share = ((cpuMs(node.pid) ?? Number.NaN) - before) / (performance.now() - began);
  return { ...honest.takeLatencies(), share };
}

/** The middle of the rounds. */
const middle = (rounds: readonly Stretch[], of: 'p50' | 'p99' | 'share'): number => median(rounds.map((round) => round[of]));

const rowOf = (what: string, rounds: readonly Stretch[]): Row => ({
  'honest client': what,
  requests: String(rounds.reduce((sum, { requests }) => sum + requests, 0)),
  p50: ms(middle(rounds, 'p50')),
  p99: ms(middle(rounds, 'p99')),
  'processor of the node': percent(middle(rounds, 'share')),
});

/** Measures what a thousand wrong signatures a second do to an honest client. The node has its usual limits. */
export async function measureBadSignatures(): Promise<{ rows: Row[]; goals: Goal[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-'));
  const flags = ['--token-lifetime', '86400'];
  const node = await RunningNode.start({ dataDir: join(folder, 'node'), flags, logTo: openSync(join(folder, 'log'), 'a') });
  const { id: accountId, walletAddress: shop } = await createAccount(node, 'shop', 0n);
  const honest = await HonestClient.start(node, shop);
  try {
    const { id: request } = await node.operator.requests.create({ requestId: randomUUID(), accountId, amount: 500n });
    await honest.payOnce();
    honest.takeLatencies();
    const attacked: AttackedNode = { publicUrl: node.publicUrl, shop, request };
    const worker = new Worker(new URL('bad-signatures-worker.ts', import.meta.url), { workerData: { node: attacked } });
    await once(worker, 'message');
    const [alone, beside]: [Stretch[], Stretch[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await payFor(ROUND_S, node, honest));
      worker.postMessage('sending');
      beside.push(await payFor(ROUND_S, node, honest));
      worker.postMessage('resting');
    }
    const told = once(worker, 'message') as Promise<[{ tally: Tally; perSecond: number }]>;
    worker.postMessage('leaving');
    const [{ tally, perSecond }] = await told;
    await worker.terminate();
    const answers = Object.entries(tally).map(([status, count]) => `${status}: ${count}`);
    const failures = Object.entries(honest.failures).map(([failure, count]) => `${failure}: ${count}`);
    return {
      rows: [
        rowOf('alone', alone),
        { ...rowOf('beside wrong signatures', beside), 'wrong signatures': rate(perSecond), answers: answers.join(', ') },
      ],
      goals: [
        {
          name: 'beside 1,000 wrong signatures a second, p99 under 500 ms',
          met: middle(beside, 'p99') < MOST_P99_MS,
          figure: ms(middle(beside, 'p99')),
        },
        { name: 'the honest client is refused nothing', met: failures.length === 0, figure: failures.join(', ') || 'none' },
      ],
    };
  } finally {
    await honest.stop();
    await node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
