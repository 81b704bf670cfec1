import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBooks, unfinished } from '../support/books/books.ts';
import { disagreements } from '../support/books/pair-books.ts';
import { readSharedBooks } from '../support/books/shared-books.ts';
import { Traffic } from '../support/books/traffic.ts';
import type { Replica } from '../support/nodes/cluster.ts';
import { ClusterAndNode } from '../support/nodes/cluster-and-node.ts';
import type { RunningNode } from '../support/nodes/running-node.ts';
import { SIDES } from '../support/nodes/two-nodes.ts';
import { Dice } from '../support/seeded.ts';

// A node with SQLite and a node of two replicas pay each other, while one replica after the other is killed.

const KILLS = Number(process.env.PAYDESK_TEST_CLUSTER_ACTS ?? 2);
const SEED = Number(process.env.PAYDESK_TEST_SEED ?? 20_261_127);
const LANES = 4;
const MOST_IN_A_PACKET = 20_000;
const FAIL_POINTS = ['before-commit', 'after-commit', 'before-fulfil', 'after-hold', 'before-post', 'after-fulfil'] as const;
/** How long a replica may take to reach its fail point. After that it is killed wherever it is. */
const PATIENCE_MS = 1_500;

let both: ClusterAndNode;
let traffic: Traffic;

beforeAll(async () => {
  both = await ClusterAndNode.start(MOST_IN_A_PACKET);
  traffic = await Traffic.between(both.pair, SEED);
});
afterAll(async () => {
  await traffic.stop();
  await both.stop();
});

const UNDER_WAY = "select count(*) as n from outgoing_payments where state not in ('completed', 'failed')";
const underWay = async (): Promise<number> => {
  const [row] = await both.cluster.rows<{ n: string }>(UNDER_WAY);
  return readBooks(both.alone, unfinished) + Number(row?.n);
};

const COMPLETED = "select count(*) as n from outgoing_payments where state = 'completed'";
/** The number of completed payments of the side that has fewer. */
async function completedOnEachSide(): Promise<number> {
  const [row] = await both.cluster.rows<{ n: string }>(COMPLETED);
  const here = readBooks(both.alone, (books) => books.prepare<[], { n: bigint }>(COMPLETED).get()?.n);
  return Math.min(Number(here), Number(row?.n));
}

/** The processes that have a fail point. */
const armed = new Set<RunningNode>();

/** The replica dies while payments are under way, and another one takes its place, which may get a fail point. */
async function kill(index: number, name: string, failPoint?: string): Promise<void> {
  const { node } = both.replicas[index] as Replica;
  if (armed.has(node)) await Promise.race([node.exited(), pause(PATIENCE_MS)]);
  await expect.poll(underWay, { interval: 5 }).toBeGreaterThan(0);
  await node.kill();
  both.share();
  await replace(index, name, failPoint);
}

async function replace(index: number, name: string, failPoint?: string): Promise<void> {
  const env: Record<string, string> = failPoint === undefined ? {} : { PAYDESK_FAIL_POINT: failPoint };
  // A replica can die while it takes up what the dead one has left, before it is ready.
  const next = await both.cluster.add(name, env).catch(() => both.cluster.add(`${name}b`));
  both.replicas[index] = next;
  if (failPoint !== undefined) armed.add(next.node);
  both.share();
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
      const acknowledged = async (): Promise<number> => {
        // Each may have died at its fail point, and then nobody answers.
        if (both.replicas.every(({ node }) => !node.isRunning)) await replace(n % 2, `r${n + 2}c`);
        return traffic.acknowledged.size;
      };
      await expect.poll(acknowledged, { interval: 20 }).toBeGreaterThanOrEqual(paid);
    }
    // Chance decides who pays. The lanes go on until both sides have paid often enough to tell something.
    await expect.poll(completedOnEachSide, { timeout: 180_000, interval: 100 }).toBeGreaterThan(KILLS);
    goOn = false;
    await Promise.all(lanes);

    await expect.poll(underWay, { timeout: 180_000, interval: 100 }).toBe(0);
    const found = await readSharedBooks(both.cluster, both.alone, (b) => readBooks(both.alone, (a) => disagreements(a, b)));
    expect(found).toEqual([]);
    const here = readBooks(both.alone, (books) => books.prepare<[], Stored>('select id, state, metadata from outgoing_payments').all());
    const there = await both.cluster.rows<Stored>('select id, state, metadata from outgoing_payments');
    const stored = { a: here, b: there };
    for (const side of SIDES) {
      // Each intention has a key of its own, so two payments with the same one would be a payment made twice.
      expect(new Set(stored[side].map(({ metadata }) => metadata)).size).toBe(stored[side].length);
    }
    const known = new Set(SIDES.flatMap((side) => stored[side].map(({ id }) => `${both.pair[side].publicUrl}/outgoing-payments/${id}`)));
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
