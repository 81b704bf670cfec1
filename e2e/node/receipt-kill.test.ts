import { afterAll, beforeAll, it } from 'vitest';
import { isLong } from '../support/long.ts';
import { DyingNode } from '../support/nodes/dying-node.ts';
import { expectReceiptsWithoutGaps } from '../support/stories/receipts.ts';

// The shop issues receipts again and again, and the node is killed at each step of it.

/** How often the node is killed while receipts are issued. */
const KILLS = isLong ? 50 : 2;
const POINTS = ['receipt-step:1', 'receipt-step:2', ...[1, 2, 3, 4].flatMap((nth) => [`before-commit:${nth}`, `after-commit:${nth}`])];

let dying: DyingNode;
beforeAll(async () => {
  dying = await DyingNode.start('receipts');
});
afterAll(() => dying.stop());

it(
  'receipts have numbers without gaps, each payment has one, and what it says stays, whenever the node is killed',
  () => expectReceiptsWithoutGaps(dying, { kills: KILLS, points: POINTS }),
  Math.max(300_000, KILLS * 90_000),
);
