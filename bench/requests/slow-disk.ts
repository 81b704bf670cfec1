import { execFileSync } from 'node:child_process';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RunningNode } from '../../e2e/support/nodes/running-node.ts';
import { recorderNeeds } from '../../e2e/support/power/trace.ts';
import { drive, inLanes, type RequestBytes, requestBytes } from '../support/load.ts';
import { type Goal, ms, quantile, type Row, rate } from '../support/report.ts';
import { idOf, Scene } from '../support/scene.ts';

/** How long a sync takes beside what the disk takes, in milliseconds. */
const DELAYS = [0, 20, 100];
const SECONDS = 8;
const WIDTH = 32;
const CREATIONS = 16_000;
/** How often somebody looks beside the load, in milliseconds. */
const LOOK_MS = 10;

/** What a node does whose disk is slow, while 32 clients create incoming payments. Times are in milliseconds. */
interface SlowFigures {
  healthP50: number;
  getP50: number;
  postsPerSecond: number;
  postP50: number;
}

/** Runs a node whose syncs take longer, and asks it for something while others store. */
async function underLoad(library: string, folder: string, delay: number): Promise<SlowFigures> {
  const env = { LD_PRELOAD: library, PAYDESK_SYNC_MS: String(delay), UV_USE_IO_URING: '0' };
  const flags = ['--token-lifetime', '86400', '--client-rate', '0'];
  const logTo = openSync(join(folder, `log-${delay}`), 'a');
  const node = await RunningNode.start({ dataDir: join(folder, `node-${delay}`), flags, env, logTo });
  const scene = await Scene.set(node);
  try {
    const urls: string[] = [];
    const limits = { width: WIDTH, seconds: SECONDS };
    await drive(node.publicUrl, scene.creations(2_000), limits, 201, (body) => urls.push(idOf(body)));
    const readings = scene.readings(Array.from({ length: (2 * SECONDS * 1_000) / LOOK_MS }, (_, n) => urls[n % urls.length] ?? ''));
    const creations = scene.creations(CREATIONS);
    const looks: { health: number[]; get: number[] } = { health: [], get: [] };
    let isOver = false;
    const watch = (times: number[], look: Parameters<typeof inLanes<RequestBytes>>[3]) =>
      inLanes(node.publicUrl, readings, { width: 1, seconds: SECONDS }, async (connection, request) => {
        if (isOver) return;
        const began = performance.now();
        await look(connection, request);
        times.push(performance.now() - began);
        await pause(LOOK_MS);
      });
    const health = requestBytes('GET', `${node.publicUrl}/healthz`, {});
    const watching = [
      watch(looks.health, async (connection) => void (await connection.send(health))),
      watch(looks.get, async (connection, request) => void (await connection.send(request))),
    ];
    const { perSecond, latencies } = await drive(node.publicUrl, creations, limits, 201);
    isOver = true;
    await Promise.all(watching);
    const p50 = (times: number[]) => quantile(Float64Array.from(times).sort(), 0.5);
    return { healthP50: p50(looks.health), getP50: p50(looks.get), postsPerSecond: perSecond, postP50: quantile(latencies, 0.5) };
  } finally {
    await scene.leave();
    await node.stop();
  }
}

/** Compares a disk that syncs as fast as it can with slower ones. On Linux, and with a C compiler. */
export async function measureSlowDisk(): Promise<{ rows: Row[]; goals: Goal[] }> {
  const missing = recorderNeeds();
  if (missing !== undefined) return { rows: [{ 'a slow disk': missing }], goals: [] };
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-slow-'));
  const library = join(folder, 'slow-disk.so');
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, join(import.meta.dirname, 'slow-disk.c'), '-ldl']);
  const [rows, goals]: [Row[], Goal[]] = [[], []];
  try {
    for (const delay of DELAYS) {
      const { healthP50, getP50, postsPerSecond, postP50 } = await underLoad(library, folder, delay);
      rows.push({
        ...{ 'a sync takes longer by': `${delay} ms`, 'healthz p50': ms(healthP50), 'GET p50': ms(getP50) },
        ...{ 'POST, 32 at a time': rate(postsPerSecond), 'POST p50': ms(postP50) },
      });
      if (delay !== 20) continue;
      goals.push(
        { name: 'with 20 ms a sync: healthz p50 under 5 ms', met: healthP50 < 5, figure: ms(healthP50) },
        { name: 'with 20 ms a sync: GET p50 under 5 ms', met: getP50 < 5, figure: ms(getP50) },
        { name: 'with 20 ms a sync: POST at least 1000/s', met: postsPerSecond >= 1_000, figure: rate(postsPerSecond) },
      );
    }
    return { rows, goals };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
