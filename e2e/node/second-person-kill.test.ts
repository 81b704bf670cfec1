import { afterAll, beforeAll, expect, it } from 'vitest';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { isLong } from '../support/long.ts';
import { DyingNode } from '../support/nodes/dying-node.ts';
import { quietPort } from '../support/nodes/quiet-port.ts';
import { ACTS, DyingOffice } from '../support/stories/second-person.ts';

// Ada asks for acts that need a second person, and Bob confirms them. The node is killed at each step of both.

/** Where the node dies: in the write that lets an act wait or does it, after that write, and at its commit. */
const STEPS = ['waiting-step:1', 'waiting-step:2'] as const;
const COMMITS = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((nth) => [`before-commit:${nth}`, `after-commit:${nth}`]);
const POINTS = isLong ? [...STEPS, ...COMMITS, ...[1, 2, 3, 4].map((nth) => `refund-step:${nth}`)] : STEPS;

let dying: DyingNode;
let client: ClientWallet;
let office: DyingOffice;
beforeAll(async () => {
  client = await ClientWallet.start();
  const [listen, console] = [await quietPort(), await quietPort()];
  dying = await DyingNode.start('second-person', ['--listen', `127.0.0.1:${listen}`, '--console', `127.0.0.1:${console}`]);
  office = await DyingOffice.start(dying, client, () => dying.node.publicUrl);
});
afterAll(async () => {
  await dying.stop();
  await client.stop();
});

it.each(ACTS)(
  '%s waits once for the second person and is done once, whenever the node is killed',
  async (kind) => {
    const died = dying.deaths;
    await office.expectDoneOnce(kind, POINTS);
    // A start that fails on a busy machine is tried once more without the fail point, so not every point ends the node.
    expect(dying.deaths - died, 'deaths').toBeGreaterThanOrEqual(STEPS.length);
  },
  Math.max(600_000, POINTS.length * 120_000),
);
