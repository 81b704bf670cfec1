import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testServer } from '../../src-main/platform/database/testing/postgres-server.ts';
import { readBooks, unfinished } from '../support/books/books.ts';
import { disagreements } from '../support/books/pair-books.ts';
import { readSharedBooks } from '../support/books/shared-books.ts';
import { Traffic } from '../support/books/traffic.ts';
import { Cluster, type Replica } from '../support/nodes/cluster.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { furnish, introduce, type Pair, SIDES } from '../support/nodes/two-nodes.ts';
import { Dice } from '../support/seeded.ts';

// A node with SQLite and a node of two replicas pay each other, while one replica after the other is killed.

const KILLS = Number(process.env.PAYDESK_TEST_CLUSTER_ACTS ?? 2);
const SEED = Number(process.env.PAYDESK_TEST_SEED ?? 20_261_127);
const LANES = 4;
const MOST_IN_A_PACKET = 20_000;
const FAIL_POINTS = ['before-commit', 'after-commit', 'before-fulfil', 'after-hold', 'before-post', 'after-fulfil'] as const;
/** How long a replica may take to reach its fail point. After that it is killed wherever it is. */
const PATIENCE_MS = 1_500;

let server: Awaited<ReturnType<typeof testServer>>;
let folder: string;
let alone: RunningNode;
let cluster: Cluster;
let replicas: Replica[];
let pair: Pair;
let traffic: Traffic;

beforeAll(async () => {
  server = await testServer();
  if (server === undefined) throw new Error('there is no PostgreSQL');
  folder = mkdtempSync(join(tmpdir(), 'paydesk-pair-'));
  const flags = ['--token-lifetime', '86400', '--log-level', 'error', '--max-packet-amount', String(MOST_IN_A_PACKET)];
  cluster = await Cluster.start(server.url, MOST_IN_A_PACKET);
  const [node, first] = await Promise.all([RunningNode.start({ dataDir: join(folder, 'a'), flags }), cluster.add('r0')]);
  [alone, replicas] = [node, [first]];
  share();
  const reached = { a: alone, b: { publicUrl: cluster.balancer.origin, operator: first.node.operator } };
  const accounts = { a: await furnish(reached.a), b: await furnish(reached.b) };
  await introduce(reached, { maxPacketAmount: BigInt(MOST_IN_A_PACKET) });
  pair = { ...reached, accounts };
  traffic = await Traffic.between(pair, SEED);
  replicas.push(await cluster.add('r1'));
  share();
});
afterAll(async () => {
  await traffic.stop();
  await alone.stop();
  await cluster.stop();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The balancer sends clients and the peer to every replica that runs. */
const share = () => cluster.balancer.choose(...replicas.filter(({ node }) => node.isRunning).map(({ port }) => port));

const UNDER_WAY = "select count(*) as n from outgoing_payments where state not in ('completed', 'failed')";
const underWay = async (): Promise<number> => {
  const [row] = await cluster.rows<{ n: string }>(UNDER_WAY);
  return readBooks(alone, unfinished) + Number(row?.n);
};

const COMPLETED = "select count(*) as n from outgoing_payments where state = 'completed'";
/** The number of completed payments of the side that has fewer. */
async function completedOnEachSide(): Promise<number> {
  const [row] = await cluster.rows<{ n: string }>(COMPLETED);
  const here = readBooks(alone, (books) => books.prepare<[], { n: bigint }>(COMPLETED).get()?.n);
  return Math.min(Number(here), Number(row?.n));
}

/** The processes that have a fail point. */
const armed = new Set<RunningNode>();

/** The replica dies while payments are under way, and another one takes its place, which may get a fail point. */
async function kill(index: number, name: string, failPoint?: string): Promise<void> {
  const { node } = replicas[index] as Replica;
  if (armed.has(node)) await Promise.race([node.exited(), pause(PATIENCE_MS)]);
  await expect.poll(underWay, { interval: 5 }).toBeGreaterThan(0);
  await node.kill();
  share();
  const env: Record<string, string> = failPoint === undefined ? {} : { PAYDESK_FAIL_POINT: failPoint };
  // A replica can die while it takes up what the dead one has left, before it is ready.
  const next = await cluster.add(name, env).catch(() => cluster.add(`${name}b`));
  replicas[index] = next;
  if (failPoint !== undefined) armed.add(next.node);
  share();
}

it(
  `a node with SQLite and one of two replicas lose, double and strand nothing over ${KILLS} kills of a replica`,
  async () => {
    const dice = new Dice(SEED);
    console.log(`the seed is ${SEED}`);
    let goOn = true;
    const lanes = Array.from({ length: LANES }, async () => {
      while (goOn) await traffic.payThrough(traffic.next(), () => goOn);
    });
    for (let n = 0; n < KILLS; n += 1) {
      const failPoint = n + 2 < KILLS && dice.chance(0.5) ? `${dice.pick(FAIL_POINTS)}:${1 + dice.below(40)}` : undefined;
      await kill(n % 2, `r${n + 2}`, failPoint);
      const paid = traffic.acknowledged.size + LANES;
      await expect.poll(() => traffic.acknowledged.size, { interval: 20 }).toBeGreaterThanOrEqual(paid);
    }
    // Chance decides who pays. The lanes go on until both sides have paid often enough to tell something.
    await expect.poll(completedOnEachSide, { timeout: 180_000, interval: 100 }).toBeGreaterThan(KILLS);
    goOn = false;
    await Promise.all(lanes);

    await expect.poll(underWay, { timeout: 180_000, interval: 100 }).toBe(0);
    const found = await readSharedBooks(cluster, alone, (b) => readBooks(alone, (a) => disagreements(a, b)));
    expect(found).toEqual([]);
    const here = readBooks(alone, (books) => books.prepare<[], Stored>('select id, state, metadata from outgoing_payments').all());
    const there = await cluster.rows<Stored>('select id, state, metadata from outgoing_payments');
    const stored = { a: here, b: there };
    for (const side of SIDES) {
      // Each intention has a key of its own, so two payments with the same one would be a payment made twice.
      expect(new Set(stored[side].map(({ metadata }) => metadata)).size).toBe(stored[side].length);
    }
    const known = new Set(SIDES.flatMap((side) => stored[side].map(({ id }) => `${pair[side].publicUrl}/outgoing-payments/${id}`)));
    expect([...traffic.acknowledged.values()].filter(({ url }) => !known.has(url))).toEqual([]);
    console.log(`${here.length} payments of the node, ${there.length} of the replicas`);
  },
  120_000 + KILLS * 60_000,
);

interface Stored {
  id: string;
  state: string;
  metadata: string;
}
