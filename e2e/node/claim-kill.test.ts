import { afterAll, beforeAll, it } from 'vitest';
import { DyingNode } from '../support/nodes/dying-node.ts';
import { TwoNodes } from '../support/nodes/two-nodes.ts';
import { expectClaimsRefundedOnce } from '../support/stories/claims.ts';

// Customers whom the shop does not know take back by claim links what they paid from another node. The shop's node is
// killed at each step: while the link is made, while the wallet is named, and while it is asked and refunded.

/** How often the shop's node is killed. */
const KILLS = Number(process.env.PAYDESK_TEST_CLAIM_KILLS ?? 50);
const POINTS = [
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((nth) => `claim-step:${nth}`),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14].flatMap((nth) => [`before-commit:${nth}`, `after-commit:${nth}`]),
  ...[1, 2, 3, 4].map((nth) => `refund-step:${nth}`),
];

let nodes: TwoNodes;
let dying: DyingNode;
beforeAll(async () => {
  nodes = await TwoNodes.start({ flags: ['--log-level', 'error'] });
  dying = DyingNode.firstOf(nodes);
});
afterAll(() => dying.stop());

it(
  'a claim link is refunded once, whenever the node is killed while it is made, confirmed and refunded',
  async () => {
    const [shop, payer] = [nodes.accounts.a.USD.shop, nodes.accounts.b.USD.payer];
    await expectClaimsRefundedOnce({ dying, shop, payer, customer: nodes.b }, { kills: KILLS, points: POINTS });
  },
  Math.max(600_000, KILLS * 60_000),
);
