import { setTimeout as pause } from 'node:timers/promises';
import type { RunningNode } from '../../e2e/support/nodes/running-node.ts';
import { inLanes } from '../support/load.ts';
import { quantile } from '../support/report.ts';
import type { Scene } from '../support/scene.ts';

/** What many clients at full speed are answered. Times are in milliseconds. */
interface OverloadFigures {
  /** Answers 201 a second. */
  accepted: number;
  p50: number;
  p99: number;
  worst: number;
  /** The share of the answers that were refusals. */
  refused: number;
  healthP99: number;
}

const SECONDS = 8;
const CREATIONS = 15_000;
/** What `Retry-After` says. */
const RETRY_MS = 2_000;
const HEALTH_MS = 20;

/** Creates incoming payments over so many connections at full speed. Who is refused comes again after `Retry-After`. */
async function crowd(node: RunningNode, scene: Scene, width: number): Promise<OverloadFigures> {
  // Signing them takes seconds, in which nothing else is measured.
  const work = scene.creations(CREATIONS);
  const [latencies, health]: [number[], number[]] = [[], []];
  let refused = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const began = performance.now();
      await (await fetch(`${node.publicUrl}/healthz`)).text();
      health.push(performance.now() - began);
      await pause(HEALTH_MS);
    }
  })();
  const began = performance.now();
  await inLanes(node.publicUrl, work, { width, seconds: SECONDS }, async (connection, request) => {
    const sent = performance.now();
    const { status, body } = await connection.send(request);
    if (status === 201) latencies.push(performance.now() - sent);
    else if (status === 503) {
      refused += 1;
      await pause(RETRY_MS);
    } else throw new Error(`an answer had the status ${status}: ${body.toString()}`);
  });
  const seconds = (performance.now() - began) / 1_000;
  isOver = true;
  await watching;
  const sorted = Float64Array.from(latencies).sort();
  return {
    accepted: latencies.length / seconds,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    worst: sorted.at(-1) ?? Number.NaN,
    refused: refused / (refused + latencies.length),
    healthP99: quantile(Float64Array.from(health).sort(), 0.99),
  };
}

/** Compares 200 and 900 clients with 32. */
export async function measureOverload(node: RunningNode, scene: Scene): Promise<{ width: number; figures: OverloadFigures }[]> {
  const measured: { width: number; figures: OverloadFigures }[] = [];
  for (const width of [32, 200, 900]) measured.push({ width, figures: await crowd(node, scene, width) });
  return measured;
}
