import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type NodeBuild, RunningNode, THIS_BUILD } from '../../e2e/support/nodes/running-node.ts';
import { drive, HttpConnection } from '../support/load.ts';
import { cpuMs, residentMb } from '../support/processes.ts';
import { type Goal, median, ms, percent, type Row, rate } from '../support/report.ts';
import { idOf, Scene } from '../support/scene.ts';
import { buildOf } from './other-build.ts';

/** How long a node rests after its start before its memory counts. */
const QUIET_MS = 3_000;
const LOAD = { width: 32, seconds: 120 };
const [READS, CREATIONS, PAYMENTS] = [5_000, 4_000, 1_000];
const READ = 500;
const FLAGS = ['--token-lifetime', '86400', '--client-rate', '0', '--log-level', 'warn'];
/** How often the bench looks whether a payment has ended. */
const LOOK_MS = 5;
/** The least share of the other build's figure. */
const LEAST = 0.97;

const micros = (value: number): string => `${value.toFixed(0)} µs`;

/** What is measured, whether more of it is better, and how it is written. */
const FIGURES = {
  'ready, new data folder': { more: false, text: ms },
  'ready, existing data folder': { more: false, text: ms },
  'memory at rest': { more: false, text: (value: number) => `${value.toFixed(1)} MB` },
  'POST /incoming-payments': { more: true, text: rate },
  'processor time of a POST': { more: false, text: micros },
  'GET /incoming-payments/{id}': { more: true, text: rate },
  'processor time of a GET': { more: false, text: micros },
  'payments, 32 at a time': { more: true, text: rate },
  'processor time of a payment': { more: false, text: micros },
} as const;
type Figure = keyof typeof FIGURES;
const NAMES = Object.keys(FIGURES) as Figure[];

/** What was measured of one build, in the order of the rounds. */
type Measured = Record<Figure, number[]>;

/** One of the two builds. */
interface Side {
  readonly build: NodeBuild;
  readonly measured: Measured;
}

/**
 * Compares this build with that of another commit. They take turns, and the other one begins in each round, so that
 * other work of the machine weighs on both. A share is the middle of those of the rounds. Of the nodes only the ready
 * line, the command line, the public API and the making of accounts and permissions are used, so that old commits can
 * be compared as well.
 * @param ref names the commit, as git understands it.
 * @param rounds how often each figure is measured for each build.
 */
export async function measureBuilds(ref: string, rounds: number): Promise<{ rows: Row[]; goals: Goal[] }> {
  const other = await buildOf(ref);
  const [before, now]: [Side, Side] = [sideOf(other.build), sideOf(THIS_BUILD)];
  try {
    await measureStarts([before, now], rounds);
    await measureLoad([before, now], rounds);
  } finally {
    other.remove();
  }
  const shares = NAMES.map((name) => ({ name, share: shareOf(name, before, now) }));
  const rows = shares.map(({ name, share }) => ({
    figure: name,
    [other.commit]: FIGURES[name].text(median(before.measured[name])),
    'this build': FIGURES[name].text(median(now.measured[name])),
    'this build / that': percent(FIGURES[name].more ? share : 1 / share),
  }));
  const goals = shares.map(({ name, share }) => ({
    name: `${name}: at least ${percent(LEAST)} as good as ${other.commit}`,
    met: Number.isNaN(share) ? undefined : share >= LEAST,
    figure: percent(share),
  }));
  return { rows, goals };
}

const sideOf = (build: NodeBuild): Side => ({
  build,
  measured: Object.fromEntries(NAMES.map((name) => [name, []])) as unknown as Measured,
});

/** How good this build is, as a share of the other: a half is twice as slow, or twice as large. */
function shareOf(name: Figure, before: Side, now: Side): number {
  const shares = now.measured[name].map((value, round) => value / (before.measured[name][round] ?? Number.NaN));
  const share = median(shares);
  return FIGURES[name].more ? share : 1 / share;
}

/** Does something for both sides, and begins with the other one in each round. The first round only warms up. */
async function takeTurns<T extends { side: Side }>(
  both: readonly T[],
  rounds: number,
  act: (one: T) => Promise<Partial<Record<Figure, number>>>,
) {
  for (let round = 0; round <= rounds; round += 1) {
    for (const one of round % 2 === 0 ? both : both.toReversed()) {
      const found = await act(one);
      if (round > 0) for (const [name, value] of Object.entries(found)) one.side.measured[name as Figure].push(value);
    }
  }
}

async function measureStarts(sides: readonly Side[], rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-'));
  const start = async (build: NodeBuild, dataDir: string): Promise<[RunningNode, number]> => {
    const began = performance.now();
    const node = await RunningNode.start({ build, dataDir });
    return [node, performance.now() - began];
  };
  let count = 0;
  try {
    await takeTurns(
      sides.map((side) => ({ side })),
      rounds,
      async ({ side }) => {
        count += 1;
        const dataDir = join(folder, String(count));
        const [first, fresh] = await start(side.build, dataDir);
        await first.stop();
        const [again, existing] = await start(side.build, dataDir);
        await pause(QUIET_MS);
        const resident = residentMb(again.pid);
        await again.stop();
        return {
          'ready, new data folder': fresh,
          'ready, existing data folder': existing,
          ...(resident !== undefined && { 'memory at rest': resident }),
        };
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureLoad(sides: readonly Side[], rounds: number): Promise<void> {
  const nodes: { side: Side; node: RunningNode; scene: Scene; urls: readonly string[] }[] = [];
  try {
    for (const side of sides) {
      const node = await RunningNode.start({ build: side.build, flags: FLAGS });
      const scene = await Scene.set(node);
      nodes.push({ side, node, scene, urls: await invoices(node, scene, READ) });
    }
    await takeTurns(nodes, rounds, async ({ node, scene }) => {
      const requests = scene.creations(CREATIONS);
      return await timed(node, 'POST /incoming-payments', 'processor time of a POST', CREATIONS, async () => {
        return (await drive(node.publicUrl, requests, LOAD, 201)).perSecond;
      });
    });
    await takeTurns(nodes, rounds, async ({ node, scene, urls }) => {
      // A signature is good for a minute only.
      const signed = scene.readings(urls);
      const requests = Array.from({ length: READS }, (_, n) => signed[n % signed.length] ?? Buffer.alloc(0));
      return await timed(node, 'GET /incoming-payments/{id}', 'processor time of a GET', READS, async () => {
        return (await drive(node.publicUrl, requests, LOAD, 200)).perSecond;
      });
    });
    await takeTurns(nodes, rounds, async ({ node, scene }) =>
      timed(node, 'payments, 32 at a time', 'processor time of a payment', PAYMENTS, () => payments(node, scene)),
    );
  } finally {
    for (const { node, scene } of nodes) {
      await scene.leave();
      await node.stop();
    }
  }
}

/** Measures how many of something a node does in a second, and the processor time for each, in microseconds. */
async function timed(node: RunningNode, rateName: Figure, timeName: Figure, count: number, act: () => Promise<number>) {
  const before = cpuMs(node.pid);
  const found: Partial<Record<Figure, number>> = { [rateName]: await act() };
  const after = cpuMs(node.pid);
  if (before !== undefined && after !== undefined) found[timeName] = ((after - before) * 1_000) / count;
  return found;
}

async function invoices(node: RunningNode, scene: Scene, count: number): Promise<string[]> {
  const urls: string[] = [];
  await drive(node.publicUrl, scene.creations(count), LOAD, 201, (body) => urls.push(idOf(body)));
  return urls;
}

/** Payments within the node, from the first request until the last one has ended. @returns how many a second. */
async function payments(node: RunningNode, scene: Scene): Promise<number> {
  const requests = scene.payments(await invoices(node, scene, PAYMENTS));
  const urls: string[] = [];
  const began = performance.now();
  await drive(node.publicUrl, requests, LOAD, 201, (body) => urls.push(idOf(body)));
  let ended = performance.now();
  const connection = await HttpConnection.open(node.publicUrl);
  // The last one first: mostly it ends last, and then looking at the others takes no time that counts.
  for (const url of urls.reverse()) {
    for (;;) {
      const { status, body } = await connection.send(scene.readings([url])[0] ?? Buffer.alloc(0));
      if (status !== 200) throw new Error(`a payment could not be read: ${status} ${body.toString()}`);
      if (hasEnded(body)) break;
      await pause(LOOK_MS);
      ended = performance.now();
    }
  }
  connection.close();
  return (urls.length / (ended - began)) * 1_000;
}

/** @throws Error when the payment has failed. */
function hasEnded(body: Buffer): boolean {
  const { id, failed, sentAmount, debitAmount } = JSON.parse(body.toString()) as {
    id: string;
    failed?: boolean;
    sentAmount: { value: string };
    debitAmount: { value: string };
  };
  if (failed === true) throw new Error(`the payment ${id} failed`);
  return sentAmount.value === debitAmount.value;
}
