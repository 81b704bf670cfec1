import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBooks, unfinished } from '../support/books/books.ts';
import { disagreements } from '../support/books/pair-books.ts';
import { Traffic, unfinishedOf } from '../support/books/traffic.ts';
import { SIDES, TwoNodes } from '../support/nodes/two-nodes.ts';

// A computer falls asleep while payments are under way: the node is stopped and goes on later, with both clocks ahead.
// `npm run soak` lets it sleep for longer than a payment may take.

const ASLEEP_S = Number(process.env.PAYDESK_TEST_ASLEEP_SECONDS ?? 3);
const LANES = 8;
const FLAGS = ['--token-lifetime', '86400', '--log-level', 'error'];

let nodes: TwoNodes;
let traffic: Traffic;
beforeAll(async () => {
  nodes = await TwoNodes.start({ flags: FLAGS, maxPacketAmount: 1_000n });
  traffic = await Traffic.between(nodes, 7);
});
afterAll(async () => {
  await traffic.stop();
  await nodes.stop();
});

/**
 * Lets one node pay the other until that one dies before it answers a packet. Then the first falls asleep.
 * @returns how many of its payments were under way.
 */
async function sleepWhilePaying(): Promise<number> {
  await nodes.b.kill();
  await nodes.restart('b', { PAYDESK_FAIL_POINT: 'before-fulfil:5' });
  let goOn = true;
  const lanes = Array.from({ length: LANES }, async () => {
    while (goOn) await traffic.payThrough(traffic.next(), () => goOn);
  });
  await nodes.b.exited();
  process.kill(nodes.a.pid, 'SIGSTOP');
  goOn = false;
  const underWay = readBooks(nodes.a, unfinished);
  await pause(ASLEEP_S * 1_000);
  process.kill(nodes.a.pid, 'SIGCONT');
  await nodes.restart('b');
  await Promise.all(lanes);
  return underWay;
}

// Windows has no such signals.
it.runIf(process.platform !== 'win32')(
  `no payment fails because the computer slept for ${ASLEEP_S} seconds`,
  async () => {
    expect(await sleepWhilePaying()).toBeGreaterThan(0);
    await expect.poll(() => unfinishedOf(nodes), { timeout: 120_000, interval: 100 }).toBe(0);
    for (const side of SIDES) {
      const failed = readBooks(nodes[side], (books) =>
        books.prepare("select failure, count(*) as number from outgoing_payments where state = 'failed' group by failure").all(),
      );
      expect(failed).toEqual([]);
    }
    expect(readBooks(nodes.a, (a) => readBooks(nodes.b, (b) => disagreements(a, b)))).toEqual([]);
  },
  (ASLEEP_S + 300) * 1_000,
);
