import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBooks } from '../support/books/books.ts';
import { disagreements } from '../support/books/pair-books.ts';
import { Traffic, unfinishedOf } from '../support/books/traffic.ts';
import { SIDES, type Side, TwoNodes } from '../support/nodes/two-nodes.ts';
import { Dice } from '../support/seeded.ts';

// Two nodes pay each other across a bad line and are killed again and again, at any moment.

const KILLS = Number(process.env.PAYDESK_TEST_KILLS ?? 5);
const LANES = 6;
const FLAGS = ['--token-lifetime', '86400', '--log-level', 'error'];
const FAIL_POINTS = ['before-commit', 'after-commit', 'before-fulfil', 'after-hold', 'before-post', 'after-fulfil'] as const;
/** How long a node may take to reach its fail point. After that it is killed wherever it is. */
const PATIENCE_MS = 1_500;
const MOST_BETWEEN_MS = 2_000;

let nodes: TwoNodes;
let traffic: Traffic;
beforeAll(async () => {
  nodes = await TwoNodes.start({ flags: FLAGS, maxPacketAmount: 20_000n, faults: { seed: 11 } });
  traffic = await Traffic.between(nodes, 20_261_123);
});
afterAll(async () => {
  await traffic.stop();
  await nodes.stop();
});

it(
  `two nodes lose, double and strand nothing between them over ${KILLS} kills`,
  async () => {
    const dice = new Dice(20_261_123);
    let goOn = true;
    const lanes = Array.from({ length: LANES }, async () => {
      while (goOn) await traffic.payThrough(traffic.next(), () => goOn);
    });

    let counted = 0;
    const hits: Record<string, number> = { random: 0 };
    /** Waits for the moment at which a node is to die, and kills it. */
    const die = async (side: Side, point: string | undefined): Promise<void> => {
      if (point === undefined) await pause(20 + dice.below(250));
      else await Promise.race([nodes[side].exited(), pause(PATIENCE_MS)]);
      const byItself = !nodes[side].isRunning;
      await nodes[side].kill();
      if (unfinishedOf(nodes) === 0) return;
      counted += 1;
      const moment = byItself && point !== undefined ? point : 'random';
      hits[moment] = (hits[moment] ?? 0) + 1;
    };
    for (let round = 0; counted < KILLS; round += 1) {
      if (round > KILLS * 4) throw new Error(`only ${counted} of ${round} rounds hit a payment under way`);
      const sides = round % 5 === 4 ? SIDES : [dice.pick(SIDES)];
      const points = sides.map(() => (round % 2 === 0 ? undefined : dice.pick(FAIL_POINTS)));
      // A node that is to die at a fail point is restarted with that fail point.
      for (const [nth, side] of sides.entries()) {
        const point = points[nth];
        if (point === undefined) continue;
        await nodes[side].kill();
        // The node can die while it takes up unfinished payments, before it is ready.
        await nodes.restart(side, { PAYDESK_FAIL_POINT: `${point}:${1 + dice.below(40)}` }).catch(() => nodes.restart(side));
      }
      await Promise.all(sides.map((side, nth) => die(side, points[nth])));
      await Promise.all(sides.map((side) => nodes.restart(side)));
      // Somebody has to pay before the next one dies.
      const paid = traffic.acknowledged.size + LANES;
      for (let waited = 0; waited < MOST_BETWEEN_MS && traffic.acknowledged.size < paid; waited += 20) await pause(20);
    }
    // On a slow machine few payments were made between the kills.
    await expect.poll(() => traffic.acknowledged.size).toBeGreaterThan(2 * KILLS);
    goOn = false;
    await Promise.all(lanes);

    await expect.poll(() => unfinishedOf(nodes), { timeout: 180_000, interval: 100 }).toBe(0);
    expect(readBooks(nodes.a, (a) => readBooks(nodes.b, (b) => disagreements(a, b)))).toEqual([]);
    const stored = new Map<string, string>();
    for (const side of SIDES) {
      const rows = readBooks(nodes[side], (books) => books.prepare('select id, state, metadata from outgoing_payments').all()) as {
        id: string;
        state: string;
        metadata: string;
      }[];
      expect(new Set(rows.map(({ metadata }) => metadata)).size).toBe(rows.length);
      for (const { id, state } of rows) stored.set(`${nodes[side].publicUrl}/outgoing-payments/${id}`, state);
    }
    const lost = [...traffic.acknowledged.values()].filter(({ url }) => !stored.has(url));
    expect(lost).toEqual([]);
    const states = [...stored.values()];
    const completed = states.filter((state) => state === 'completed').length;
    expect(completed).toBeGreaterThan(KILLS);
    console.log(`kills: ${counted} counted ${JSON.stringify(hits)}, payments: ${completed} completed of ${states.length}`);
  },
  Math.max(600_000, KILLS * 60_000),
);
