import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DyingNode } from '../support/nodes/dying-node.ts';
import { TwoNodes } from '../support/nodes/two-nodes.ts';

// The shop gives back, in many refunds, what a buyer at another node has paid. The shop's node is killed at each step.

/** How often the node is killed while it refunds. */
const KILLS = Number(process.env.PAYDESK_TEST_REFUND_KILLS ?? 2);
const RECEIVED = 100_000n;
const EACH = 100n;
/** The steps of a refund, and commits from the start of the node to the end of the payment. */
const POINTS = [
  ...[1, 2, 3, 4].map((nth) => `refund-step:${nth}`),
  ...[4, 5, 6, 7, 8, 9, 10, 11, 12].flatMap((nth) => [`before-commit:${nth}`, `after-commit:${nth}`]),
  ...['after-hold:1', 'before-post:1'],
];

let nodes: TwoNodes;
let dying: DyingNode;
beforeAll(async () => {
  nodes = await TwoNodes.start({ flags: ['--log-level', 'error'] });
  dying = DyingNode.firstOf(nodes);
});
afterAll(() => dying.stop());

const balanceOf = async (side: 'a' | 'b', id: string) => (await dying.untilDone(() => nodes[side].operator.accounts.get({ id }))).balance;

/** The buyer pays, and the books of the shop learn that the buyer is the payer, as a checkout would tell them. */
async function received(): Promise<string> {
  const { shop } = nodes.accounts.a.USD;
  const { payer } = nodes.accounts.b.USD;
  const { id, link } = await nodes.a.operator.requests.create({ requestId: randomUUID(), accountId: shop.id, amount: RECEIVED });
  const quote = await nodes.b.operator.payments.quote({ requestId: randomUUID(), accountId: payer.id, payee: link });
  await nodes.b.operator.payments.pay({ requestId: randomUUID(), accountId: payer.id, quoteId: quote.id });
  await expect.poll(async () => (await nodes.a.operator.payments.get({ id })).status).toBe('paid');
  await nodes.a.stop();
  const books = new Sqlite(join(nodes.a.dataDir, 'paydesk.db'));
  const columns = 'incoming_payment_id, wallet_address, amount, created_at';
  books.prepare(`insert into payers (${columns}) values (?, ?, ?, ?)`).run(id, payer.walletAddress, RECEIVED, 1n);
  books.close();
  await dying.restart();
  return id;
}

it(
  'a refund is paid once, whenever the node is killed while it is asked for and paid',
  async () => {
    const paymentId = await received();
    const [shop, buyer] = [nodes.accounts.a.USD.shop.id, nodes.accounts.b.USD.payer.id];
    const [before, held] = [await balanceOf('b', buyer), await balanceOf('a', shop)];
    const asked: string[] = [];
    for (let nth = 0; dying.deaths < KILLS; nth += 1) {
      expect(nth, 'rounds').toBeLessThan(KILLS * 6 + 30);
      await dying.restart(POINTS[nth % POINTS.length]);
      const requestId = randomUUID();
      asked.push(requestId);
      const ask = () => nodes.a.operator.refunds.create({ requestId, paymentId, amount: EACH });
      await Promise.allSettled([ask(), ask()]);
      await dying.untilDone(ask);
      const state = async () => (await nodes.a.operator.payments.get({ id: paymentId })).refunds.find(({ id }) => id === requestId)?.state;
      await expect.poll(() => dying.untilDone(state)).toBe('done');
    }
    const { refunds, refunded, payers } = await dying.untilDone(() => nodes.a.operator.payments.get({ id: paymentId }));
    const sum = EACH * BigInt(asked.length);
    expect(refunds.map(({ id }) => id).sort()).toEqual(asked.toSorted());
    expect(new Set(refunds.map(({ outgoingPaymentId }) => outgoingPaymentId)).size).toBe(asked.length);
    expect([refunded.value, payers[0]?.refundable.value]).toEqual([sum, RECEIVED - sum]);
    expect([await balanceOf('b', buyer), await balanceOf('a', shop)]).toEqual([before + sum, held - sum]);
    const tooMuch = { requestId: randomUUID(), paymentId, amount: RECEIVED - sum + 1n };
    await expect(
      dying.untilDone(() => nodes.a.operator.refunds.create(tooMuch).catch(({ code }: { code?: string }) => code)),
    ).resolves.toBe('REFUND_TOO_MUCH');
    console.log(`${dying.deaths} kills, ${asked.length} refunds`);
  },
  Math.max(600_000, KILLS * 60_000),
);
