import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, it } from 'vitest';
import { DyingNode } from '../support/nodes/dying-node.ts';
import { TwoNodes } from '../support/nodes/two-nodes.ts';
import { expectRefundsPaidOnce } from '../support/stories/refunds.ts';

// The shop gives back, in many refunds, what a buyer at another node has paid. The shop's node is killed at each step.

/** How often the node is killed while it refunds. */
const KILLS = Number(process.env.PAYDESK_TEST_REFUND_KILLS ?? 2);
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

it(
  'a refund is paid once, whenever the node is killed while it is asked for and paid',
  async () => {
    const [shop, payer] = [nodes.accounts.a.USD.shop, nodes.accounts.b.USD.payer];
    await expectRefundsPaidOnce(
      { dying, shop, payer, customer: nodes.b },
      { kills: KILLS, points: POINTS },
      async (id, { walletAddress, amount }) => {
        await nodes.a.stop();
        const books = new Sqlite(join(nodes.a.dataDir, 'paydesk.db'));
        const columns = 'incoming_payment_id, wallet_address, amount, created_at';
        books.prepare(`insert into payers (${columns}) values (?, ?, ?, ?)`).run(id, walletAddress, amount, 1n);
        books.close();
        await dying.restart();
      },
    );
  },
  Math.max(600_000, KILLS * 60_000),
);
