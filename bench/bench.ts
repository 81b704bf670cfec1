import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RunningNode } from '../e2e/support/nodes/running-node.ts';
import { ensureBrowser } from '../scripts/browser.mjs';
import { measureBuilds } from './builds/builds.ts';
import { measureDeaths } from './cluster/deaths.ts';
import { measureEngines } from './cluster/engines.ts';
import { measureLanes } from './cluster/lanes.ts';
import { measureReplicas } from './cluster/replicas.ts';
import type { SizeFigures } from './comparing.ts';
import { benchConsole } from './console/console-goals.ts';
import { measureConsoleReads, type ReadFigures } from './console/console-reads.ts';
import { measureHuge } from './huge.ts';
import { measurePairs } from './pairs/pairs.ts';
import { measureArchive } from './payments/archive.ts';
import { measureBackups } from './payments/backups.ts';
import { measureBytes } from './payments/bytes.ts';
import { measurePeerPackets } from './payments/peer-packets.ts';
import { FEW, MANY } from './payments/sized-node.ts';
import { measureStreamAndLedger } from './payments/stream-and-ledger.ts';
import { measureUpgrade } from './payments/upgrade.ts';
import { measureBadSignatures } from './requests/bad-signatures.ts';
import { measureCosts } from './requests/costs.ts';
import { measureHeaderFields } from './requests/header-fields.ts';
import { measureIds } from './requests/ids.ts';
import { measureOverload } from './requests/overload.ts';
import { type Figures, measurePayments, measureRequests } from './requests/requests.ts';
import { measureSlowDisk } from './requests/slow-disk.ts';
import { HUGE, measureSizes } from './sizes.ts';
import { measureRest, measureStarts } from './start-and-rest.ts';
import { residentMb } from './support/processes.ts';
import { type Goal, machine, median, ms, percent, printGoals, printTable, type Row, rate } from './support/report.ts';
import { Scene } from './support/scene.ts';

// `npm run bench [-- start rest requests payments overload ledger peers pairs cluster replicas lanes bytes archive
// backups upgrade sizes huge reads console costs fields ids forged slow-disk]` measures how fast the built node is on
// this machine. `npm run bench -- builds --against main [--rounds 5]` compares it with the build of another commit. See
// docs/performance.md.

const PARTS = [
  'start',
  'rest',
  'requests',
  'payments',
  'overload',
  'ledger',
  'peers',
  'pairs',
  'cluster',
  'replicas',
  'lanes',
  'bytes',
  'archive',
  'backups',
  'upgrade',
  'sizes',
  'huge',
  'reads',
  'console',
  'costs',
  'fields',
  'ids',
  'forged',
  'slow-disk',
  'builds',
] as const;
/** Parts that run only when somebody asks for them. */
const ASKED_FOR: readonly Part[] = ['huge', 'builds'];
/** Parts that run on one node. */
const ON_THE_NODE: readonly Part[] = ['rest', 'requests', 'payments', 'overload'];
type Part = (typeof PARTS)[number];
/** How often `builds` measures each figure, unless somebody says otherwise. */
const ROUNDS = 5;
/** A run of these parts alone fails when a goal is not met. `npm run soak` runs them as tests. */
const TESTS: ReadonlySet<Part> = new Set<Part>(['fields', 'ids', 'forged']);

const rows: Row[] = [];
const goals: Goal[] = [];

async function benchStarts(): Promise<void> {
  const { fresh, existing } = await measureStarts();
  const spread = (times: readonly number[]): string => `${ms(median(times))} (${ms(Math.min(...times))} to ${ms(Math.max(...times))})`;
  rows.push({ what: 'ready, new data folder', figure: spread(fresh) }, { what: 'ready, existing data folder', figure: spread(existing) });
  goals.push({ name: 'ready in under 1.5 s', met: median(fresh) < 1_500 && median(existing) < 1_500, figure: ms(median(fresh)) });
}

async function benchRest(node: RunningNode): Promise<void> {
  const { residentMb: resident, cpuShare } = await measureRest(node);
  const [memory, cpu] = [
    resident === undefined ? 'unknown' : `${resident.toFixed(0)} MB`,
    cpuShare === undefined ? 'unknown' : percent(cpuShare),
  ];
  rows.push({ what: 'memory at rest', figure: memory }, { what: 'processor at rest', figure: `${cpu} of a core` });
  goals.push(
    { name: 'at rest under 200 MB', met: resident === undefined ? undefined : resident < 200, figure: memory },
    { name: 'at rest under 1 % of a core', met: cpuShare === undefined ? undefined : cpuShare < 0.01, figure: cpu },
  );
}

function addFigures(what: string, { perSecond, share, p50, p99, cpu, commits }: Figures): void {
  rows.push({
    what,
    figure: rate(perSecond),
    'of floor': share === undefined ? '' : percent(share),
    p50: ms(p50),
    p99: ms(p99),
    'cpu each': cpu === undefined ? '' : `${cpu.toFixed(0)} µs`,
    'fsyncs each': commits === undefined ? '' : commits.toFixed(2),
  });
}

async function benchRequests(node: RunningNode, scene: Scene): Promise<void> {
  const { floor, post, get } = await measureRequests(node, scene);
  addFigures('floor: one signature verified', floor);
  addFigures('POST /incoming-payments', post);
  addFigures('GET /incoming-payments/{id}', get);
  const aim = (name: string, figures: Figures, least: number, leastShare: number): void => {
    const { perSecond, share = 0, p99 } = figures;
    goals.push(
      { name: `${name} at least ${least}/s`, met: perSecond >= least, figure: rate(perSecond) },
      { name: `${name} at least ${percent(leastShare)} of the floor`, met: share >= leastShare, figure: percent(share) },
      { name: `${name} p99 under 30 ms at 32 connections`, met: p99 < 30, figure: ms(p99) },
    );
  };
  aim('POST', post, 1_500, 0.45);
  aim('GET', get, 2_500, 0.65);
}

async function benchPayments(node: RunningNode, scene: Scene): Promise<void> {
  const { alone, together } = await measurePayments(node, scene);
  addFigures('payment, 1 at a time', alone);
  addFigures('payment, 32 at a time', together);
  for (const least of [250, 400]) {
    const { perSecond } = together;
    goals.push({ name: `payments at least ${least}/s at 32 at a time`, met: perSecond >= least, figure: rate(perSecond) });
  }
}

async function benchOverload(node: RunningNode, scene: Scene): Promise<void> {
  const measured = await measureOverload(node, scene);
  const alone = measured[0]?.figures.accepted ?? Number.NaN;
  for (const { width, figures } of measured) {
    const { accepted, p50, p99, worst, refused, healthP99 } = figures;
    const what = `${width} clients at full speed`;
    rows.push({
      ...{ what, figure: rate(accepted), p50: ms(p50), p99: ms(p99), worst: ms(worst) },
      ...{ refused: percent(refused), 'healthz p99': ms(healthP99) },
    });
    if (width < 200) continue;
    goals.push(
      { name: `${what}: p99 of what is accepted under 1 s`, met: p99 < 1_000, figure: ms(p99) },
      { name: `${what}: at least 80 % of what 32 get`, met: accepted >= 0.8 * alone, figure: percent(accepted / alone) },
    );
  }
}

async function benchLedger(): Promise<void> {
  const { bare, carried, made, share } = await measureStreamAndLedger();
  rows.push(
    { what: 'bare loop of STREAM and a ledger, 32 at a time', figure: rate(bare) },
    { what: 'payments carried by STREAM and ledger', figure: rate(carried), 'of floor': percent(share) },
    { what: 'the same, made and carried', figure: rate(made) },
  );
  goals.push(
    { name: 'payments carried at least 1000/s', met: carried >= 1_000, figure: rate(carried) },
    { name: 'payments carried at least 60 % of the bare loop', met: share >= 0.6, figure: percent(share) },
  );
}

async function benchPeers(): Promise<void> {
  const { alone, together } = await measurePeerPackets();
  rows.push(
    { what: 'packets to a peer, of one payment', figure: rate(alone) },
    { what: 'packets to a peer, of eight payments', figure: rate(together) },
  );
  goals.push({ name: 'packets on one peer connection, of eight payments, at least 450/s', met: together >= 450, figure: rate(together) });
}

/** How many times slower the node may become when a thousand times as much is stored. */
const MOST_SLOWER = 1.3;

async function benchSizes(): Promise<void> {
  showSizes(await measureSizes(), MANY);
}

function showSizes(figures: readonly SizeFigures[], most: number): void {
  const stored = (count: number): string => `with ${count.toLocaleString('en')}`;
  const table: Row[] = [];
  for (const { what, few, many, slower, cost } of figures) {
    const times = `${slower.toFixed(2)} times`;
    table.push({
      'stored payments': what,
      [stored(FEW)]: rate(few),
      [stored(most)]: rate(many),
      slower: times,
      'cpu each': cost === undefined ? '' : `${cost.toFixed(2)} times`,
    });
    goals.push({ name: `${what}: at most ${MOST_SLOWER} times slower`, met: slower <= MOST_SLOWER, figure: times });
  }
  printTable(table);
  console.log();
}

/** It takes long and much room, so it runs only when somebody asks for it. */
async function benchHuge(): Promise<void> {
  await measureHuge({
    work: (figures) => showSizes(figures, HUGE),
    start: (startMs, bytesEach) => {
      rows.push({ what: 'bytes a payment', figure: bytesEach.toFixed(0) });
      goals.push({ name: `ready in under 2 s with ${HUGE.toLocaleString('en')} payments`, met: startMs < 2_000, figure: ms(startMs) });
    },
    reads: showReads,
    backup: show,
  });
}

/** The longest that one read of the console may hold the main thread, in milliseconds. */
const MOST_HELD = 20;

async function benchReads(): Promise<void> {
  showReads(await measureConsoleReads());
}

function showReads(figures: readonly ReadFigures[]): void {
  printTable(
    figures.map(({ read, wall, longest }) => ({ 'a read of the console': read, answered: ms(wall), 'main thread held': ms(longest) })),
  );
  console.log();
  const [worst] = figures.toSorted((a, b) => b.longest - a.longest);
  if (worst === undefined) return;
  const figure = `${ms(worst.longest)} (${worst.read})`;
  goals.push({ name: `no read of the console holds the main thread for ${MOST_HELD} ms`, met: worst.longest < MOST_HELD, figure });
}

function show(measured: { rows: readonly Row[]; goals: readonly Goal[] }): void {
  printTable(measured.rows);
  console.log();
  goals.push(...measured.goals);
}

/** What payments and packets take on the disk, and what a copy of them takes. */
async function benchBytes(parts: readonly Part[]): Promise<void> {
  if (parts.includes('bytes')) for (const rows of await measureBytes()) show({ rows, goals: [] });
  if (parts.includes('archive')) for (const rows of await measureArchive()) show({ rows, goals: [] });
  if (parts.includes('backups')) for (const measured of await measureBackups()) show(measured);
  if (parts.includes('upgrade')) show({ rows: await measureUpgrade(), goals: [] });
}

async function benchCluster(parts: readonly Part[]): Promise<void> {
  if (parts.includes('cluster')) show(await measureEngines());
  if (parts.includes('replicas')) for (const measure of [measureReplicas, measureDeaths]) show(await measure());
  if (parts.includes('lanes')) show(await measureLanes());
}

async function benchAskedFor(parts: readonly Part[]): Promise<void> {
  if (parts.includes('huge')) await benchHuge();
  if (parts.includes('builds')) show(await measureBuilds(values.against ?? '', Number(values.rounds ?? ROUNDS)));
}

/** What strangers can make the node do. */
async function benchStrangers(parts: readonly Part[]): Promise<void> {
  if (parts.includes('costs')) show({ rows: await measureCosts(), goals: [] });
  if (parts.includes('fields')) show(measureHeaderFields());
  if (parts.includes('ids')) show(await measureIds());
  if (parts.includes('forged')) show(await measureBadSignatures());
}

/** The parts that need a running node, on one node. */
async function benchNode(parts: readonly Part[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-'));
  // The log goes to a file, as on a server. If the load generator had to read it, that would cost the generator more
  // than writing costs the node.
  const logTo = openSync(join(folder, 'log'), 'a');
  // One client sends everything, at full speed. The budgets that keep strangers small would refuse most of it.
  const flags = ['--token-lifetime', '86400', '--client-rate', '0'];
  const node = await RunningNode.start({ dataDir: join(folder, 'node'), flags, logTo });
  try {
    if (parts.includes('rest')) await benchRest(node);
    const scene = await Scene.set(node);
    if (parts.includes('requests')) await benchRequests(node, scene);
    if (parts.includes('payments')) await benchPayments(node, scene);
    if (parts.includes('overload')) await benchOverload(node, scene);
    await scene.leave();
    const resident = residentMb(node.pid);
    if (resident !== undefined) rows.push({ what: 'memory at the end', figure: `${resident.toFixed(0)} MB` });
  } finally {
    await node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(parts: readonly Part[]): Promise<void> {
  // The browser comes first: without one the other parts would run for nothing.
  const browser = parts.includes('console') ? await ensureBrowser() : undefined;
  console.log(`paydesk on ${machine()}\n`);
  if (parts.includes('start')) await benchStarts();
  if (parts.includes('sizes')) await benchSizes();
  await benchAskedFor(parts);
  if (parts.includes('reads')) await benchReads();
  if (parts.includes('ledger')) await benchLedger();
  if (parts.includes('peers')) await benchPeers();
  if (parts.includes('pairs')) show(await measurePairs());
  await benchCluster(parts);
  await benchBytes(parts);
  await benchStrangers(parts);
  if (parts.includes('slow-disk')) show(await measureSlowDisk());
  if (browser !== undefined) goals.push(...(await benchConsole(browser)));
  if (parts.some((part) => ON_THE_NODE.includes(part))) await benchNode(parts);
  if (rows.length > 0) {
    printTable(rows);
    console.log();
  }
  printGoals(goals);
  if (parts.every((part) => TESTS.has(part)) && goals.some(({ met }) => met === false)) process.exitCode = 1;
}

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { against: { type: 'string' }, rounds: { type: 'string' } },
});
const unknown = asked.filter((part) => !PARTS.some((known) => known === part));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; the parts are ${PARTS.join(', ')}.`);
  process.exitCode = 1;
} else if (asked.includes('builds') !== (values.against !== undefined)) {
  console.error('The part builds compares with another commit: npm run bench -- builds --against COMMIT');
  process.exitCode = 1;
} else {
  await main(PARTS.filter((part) => (asked.length === 0 ? !ASKED_FOR.includes(part) : asked.includes(part))));
}
