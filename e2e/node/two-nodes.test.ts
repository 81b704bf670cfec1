import { afterEach, expect, it } from 'vitest';
import { readBooks } from '../support/books/books.ts';
import { disagreements } from '../support/books/pair-books.ts';
import { payMany, Traffic, unfinishedOf } from '../support/books/traffic.ts';
import { OPENING, TwoNodes } from '../support/nodes/two-nodes.ts';

// Two nodes that pay each other, both ways at once, in and between two currencies: their books must agree to the unit.

const PAYMENTS = Number(process.env.PAYDESK_TEST_PAYMENTS ?? 300);
const WIDTH = 8;
const FLAGS = ['--token-lifetime', '86400', '--log-level', 'error'];
const MAX_PACKET = 20_000n;

let nodes: TwoNodes;
let traffic: Traffic;
afterEach(async () => {
  await traffic.stop();
  await nodes.stop();
});

const problems = () => readBooks(nodes.a, (a) => readBooks(nodes.b, (b) => disagreements(a, b)));
const count = (query: string): number =>
  [nodes.a, nodes.b].reduce((sum, node) => sum + Number(readBooks(node, (books) => books.prepare(query).pluck().get())), 0);

async function allEnded(): Promise<void> {
  await expect.poll(() => unfinishedOf(nodes), { interval: 50 }).toBe(0);
}

it(`one node pays the other ${PAYMENTS} times`, async () => {
  nodes = await TwoNodes.start({ flags: FLAGS, maxPacketAmount: MAX_PACKET });
  traffic = await Traffic.between(nodes, 20_261_121);
  await payMany(traffic, PAYMENTS, WIDTH);
  await allEnded();
  expect(problems()).toEqual([]);
  expect(traffic.acknowledged.size, JSON.stringify(traffic.refused)).toBe(PAYMENTS);
  expect(count("select count(*) from outgoing_payments where state = 'completed'")).toBe(PAYMENTS);
  // Money went both ways, and all that left one node has arrived at the other.
  for (const side of ['a', 'b'] as const) {
    expect((await nodes[side].operator.accounts.get({ id: nodes.accounts[side].USD.payer.id })).balance).toBeLessThan(OPENING);
    expect((await nodes[side].operator.accounts.get({ id: nodes.accounts[side].USD.shop.id })).balance).toBeGreaterThan(0n);
  }
});

it(`one node pays the other ${PAYMENTS} times over a bad line`, async () => {
  nodes = await TwoNodes.start({ flags: FLAGS, maxPacketAmount: MAX_PACKET, faults: { seed: 7 } });
  traffic = await Traffic.between(nodes, 20_261_122);
  await payMany(traffic, PAYMENTS, WIDTH);
  await allEnded();
  expect(problems()).toEqual([]);
  expect(traffic.acknowledged.size, JSON.stringify(traffic.refused)).toBe(PAYMENTS);
  for (const line of Object.values(nodes.lines ?? {})) {
    for (const times of Object.values(line.counts)) expect(times / line.requests).toBeGreaterThan(0.05);
  }
});
