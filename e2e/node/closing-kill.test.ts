import { afterAll, beforeAll, it } from 'vitest';
import { isLong } from '../support/long.ts';
import { DyingNode } from '../support/nodes/dying-node.ts';
import { expectClosingsWithoutGaps } from '../support/stories/closings.ts';

// The shop closes its day again and again while it sells and gives back, and the node is killed at each step of it.

/** How often the node is killed while the day is closed. */
const KILLS = isLong ? 50 : 2;
/** The node dies before and after the write that closes, and at commits of what goes on beside it. */
const POINTS = [
  ...['closing-step:1', 'closing-step:2', 'closing-step:3', 'closing-step:4'],
  ...[1, 2, 3, 4, 5, 6].flatMap((nth) => [`before-commit:${nth}`, `after-commit:${nth}`]),
];

let dying: DyingNode;
beforeAll(async () => {
  dying = await DyingNode.start('closings');
});
afterAll(() => dying.stop());

it(
  'closings have numbers without gaps, and every sale, refund, tip and tax is in one of them, whenever the node is killed',
  () => expectClosingsWithoutGaps(dying, { kills: KILLS, points: POINTS }),
  Math.max(300_000, KILLS * 90_000),
);
