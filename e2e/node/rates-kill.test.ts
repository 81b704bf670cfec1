import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RunningNode } from '../support/nodes/running-node.ts';
import { RateServer } from '../support/other-nodes/rate-server.ts';

// A source tells new rates, and the node is killed while it reads them, or while the operator confirms a jump.

/** How often the node is killed while rates change. */
const KILLS = Number(process.env.PAYDESK_TEST_RATE_KILLS ?? 3);
/** A look passes four of these: before its write, twice inside it, and after it. */
const LOOK_POINTS = [1, 2, 3, 4];
/** Confirming a jump passes two more: inside its write, and after it. */
const CONFIRM_POINTS = [5, 6];
const PAIRS = ['USD', 'GBP'] as const;

let folder: string;
let server: RateServer;
let node: RunningNode;
let source: string;
let deaths = 0;

const start = async (failPoint = '') => {
  const options = { dataDir: folder, flags: ['--log-level', 'error'] };
  // The node can die while it starts. Then it starts without that.
  const env = { PAYDESK_FAIL_POINT: failPoint };
  node = await RunningNode.start({ ...options, env }).catch(() => RunningNode.start(options));
};

/** Starts the node again if it has died. The signal may arrive a moment after the answer. */
async function startIfDead(): Promise<void> {
  await pause(100);
  if (node.isRunning) return;
  deaths += 1;
  await start();
}

async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === 10) throw error;
      await startIfDead();
    }
  }
}

/** The rates of one version. The two of a version belong together, and no two versions have a rate in common. */
const ratesOf = (version: number) => ({ USD: `1.${1_000 + version}1`, GBP: `0.8${1_000 + version}1` });

/** The version that the node has. Everything that belongs together must be of the same one. */
async function versionNow(): Promise<number> {
  const [one] = await node.operator.rateSources.list();
  const pairs = await node.operator.pairs.list();
  const said = Object.fromEntries(one?.said?.rates.map(({ quote, rate }) => [quote, rate]) ?? []);
  const believed = Object.fromEntries(pairs.map(({ quote, followed }) => [quote, followed?.believed?.rate]));
  expect(believed).toEqual(said);
  return Number(said.USD?.slice(2, -1)) - 1_000;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-rates-'));
  server = await RateServer.start();
  server.sayEuro(ratesOf(0));
  await start();
  const place = { kind: 'ecb' as const, url: server.url };
  // Only the operator looks here: the worker would do so an hour later.
  source = (await node.operator.rateSources.add({ requestId: randomUUID(), name: 'ECB', place, everySeconds: 3_600, isOn: false })).id;
  await node.operator.rateSources.look({ id: source });
  await node.operator.rateSources.switch({ id: source, isOn: true });
  for (const quote of PAIRS)
    await node.operator.pairs.follow({ base: 'EUR', quote, spreadBps: 0, maxJumpBps: 500, maxAgeSeconds: 432_000, fallsBack: false });
});
afterAll(async () => {
  await node.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs rounds until the node has died often enough in them; in each it starts with a fail point. */
async function kill(points: readonly number[], round: (nth: number) => Promise<void>): Promise<void> {
  const before = deaths;
  for (let nth = 0; deaths - before < KILLS; nth += 1) {
    expect(nth, 'rounds').toBeLessThan(KILLS * 2);
    await node.kill();
    await start(`rate-step:${points[nth % points.length]}`);
    await round(nth);
  }
}

const LONG = Math.max(5, KILLS) * 60_000;

it(
  'all rates of a source change together, or none does, whenever the node is killed',
  async () => {
    let version = 0;
    await kill(LOOK_POINTS, async () => {
      server.sayEuro(ratesOf(version + 1));
      await node.operator.rateSources.look({ id: source }).catch(() => undefined);
      await startIfDead();
      expect([version, version + 1]).toContain(await untilDone(versionNow));
      await untilDone(() => node.operator.rateSources.look({ id: source }));
      version += 1;
      expect(await untilDone(versionNow)).toBe(version);
    });
  },
  LONG,
);

it(
  'a jump is confirmed, or still waits, whenever the node is killed',
  async () => {
    const pair = { base: 'EUR', quote: 'USD' };
    const stateNow = async () => {
      const found = (await node.operator.pairs.list()).find(({ quote }) => quote === 'USD');
      return { believed: found?.followed?.believed?.rate, jump: found?.followed?.jump?.exact ?? null };
    };
    await kill(CONFIRM_POINTS, async (nth) => {
      const [next, exact] = nth % 2 === 0 ? ['5', '5/1'] : ['2', '2/1'];
      const { believed } = await untilDone(stateNow);
      server.sayEuro({ USD: next, GBP: '0.8' });
      await untilDone(() => node.operator.rateSources.look({ id: source }));
      expect(await untilDone(stateNow)).toEqual({ believed, jump: exact });
      await node.operator.pairs.confirmJump({ ...pair, exact }).catch(() => undefined);
      await startIfDead();
      const after = await untilDone(stateNow);
      expect([
        { believed, jump: exact },
        { believed: next, jump: null },
      ]).toContainEqual(after);
      if (after.jump !== null) await untilDone(() => node.operator.pairs.confirmJump({ ...pair, exact }));
      expect(await untilDone(stateNow)).toEqual({ believed: next, jump: null });
    });
  },
  LONG,
);
