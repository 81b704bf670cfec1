import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBooks } from '../support/books/books.ts';
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

const countUnderWay = (): number =>
  readBooks(nodes.a, (books) =>
    books.prepare<[], number>("select count(*) from outgoing_payments where state in ('funded', 'sending', 'retrying')").pluck().get(),
  ) ?? 0;

/**
 * Stops one node while it pays the other, which has just died, and lets both go on later.
 * @returns how many payments were under way.
 */
async function sleepWhilePaying(): Promise<number> {
  let goOn = true;
  const lanes = Array.from({ length: LANES }, async () => {
    while (goOn) await traffic.payThrough(traffic.next(), () => goOn);
  });
  await pause(500);
  goOn = false;
  await nodes.b.kill();
  process.kill(nodes.a.pid, 'SIGSTOP');
  const underWay = countUnderWay();
  if (underWay > 0) await pause(ASLEEP_S * 1_000);
  process.kill(nodes.a.pid, 'SIGCONT');
  await nodes.restart('b');
  await Promise.all(lanes);
  return underWay;
}

// Windows has no such signals.
it.runIf(process.platform !== 'win32')(
  `no payment fails because the computer slept for ${ASLEEP_S} seconds`,
  async () => {
    // By chance nothing may have been under way.
    while ((await sleepWhilePaying()) === 0);
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
