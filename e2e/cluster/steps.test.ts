import { afterAll, beforeAll, it } from 'vitest';
import { ClusterAndNode } from '../support/nodes/cluster-and-node.ts';
import { DyingNode } from '../support/nodes/dying-node.ts';
import { expectClaimsRefundedOnce } from '../support/stories/claims.ts';
import { expectClosingsWithoutGaps } from '../support/stories/closings.ts';
import type { DyingShop } from '../support/stories/dying-shop.ts';
import { expectReceiptsWithoutGaps } from '../support/stories/receipts.ts';
import { expectRefundsPaidOnce } from '../support/stories/refunds.ts';

// A shop of two replicas refunds what a customer at another node has paid, lets claim links be taken, issues receipts
// and closes its days. The replica that does so is killed at each step, and the other one goes on.

/** How often each of them is interrupted. */
const KILLS = Math.ceil(Number(process.env.PAYDESK_TEST_CLUSTER_ACTS ?? 4) / 5);
const MOST_IN_A_PACKET = 20_000;
const LIMIT_MS = Math.max(600_000, KILLS * 90_000);

const COMMITS = [1, 2, 3, 4].flatMap((nth) => [`before-commit:${nth}`, `after-commit:${nth}`]);
const REFUND_STEPS = [1, 2, 3, 4].map((nth) => `refund-step:${nth}`);
const PAYING = ['after-hold:1', 'before-post:1', 'before-fulfil:1'];
const CLAIM_STEPS = [1, 2, 3, 4, 5, 6, 7, 8].map((nth) => `claim-step:${nth}`);
const CLOSING_STEPS = [1, 2, 3, 4].map((nth) => `closing-step:${nth}`);
const RECEIPT_STEPS = ['receipt-step:1', 'receipt-step:2'];

let both: ClusterAndNode;
let dying: DyingNode;
let told: DyingShop;

beforeAll(async () => {
  both = await ClusterAndNode.start(MOST_IN_A_PACKET);
  dying = DyingNode.firstReplicaOf(both);
  const { a, b } = both.pair.accounts;
  told = { dying, shop: b.USD.shop, payer: a.USD.payer, customer: both.alone };
});
afterAll(() => dying.stop());

it(
  'a refund is paid once, whenever the replica is killed that was asked for it or pays it',
  async () => {
    const columns = 'incoming_payment_id, wallet_address, amount, created_at';
    await expectRefundsPaidOnce(told, { kills: KILLS, points: [...REFUND_STEPS, ...PAYING, ...COMMITS] }, (id, payer) =>
      both.cluster.database
        .query(`insert into payers (${columns}) values ($1, $2, $3, 1)`, [id, payer.walletAddress, payer.amount])
        .then(() => undefined),
    );
  },
  LIMIT_MS,
);

it(
  'a claim link is refunded once, whenever the replica is killed that makes it, takes it or asks the wallet',
  () => expectClaimsRefundedOnce(told, { kills: KILLS, points: [...CLAIM_STEPS, ...REFUND_STEPS, ...COMMITS] }),
  LIMIT_MS,
);

it(
  'receipts have numbers without gaps, whenever the replica is killed that issues them',
  () => expectReceiptsWithoutGaps(dying, { kills: KILLS, points: [...RECEIPT_STEPS, ...COMMITS] }),
  LIMIT_MS,
);

it(
  'each movement is in one closing, whenever the replica is killed that closes the day',
  () => expectClosingsWithoutGaps(dying, { kills: KILLS, points: [...CLOSING_STEPS, ...COMMITS] }),
  LIMIT_MS,
);
