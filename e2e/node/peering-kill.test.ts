import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RunningNode } from '../support/nodes/running-node.ts';
import { SIDES, type Side } from '../support/nodes/two-nodes.ts';
import { expectInvitedOnce, expectRenewed, type MortalPair } from '../support/stories/peering.ts';

// Two nodes become peers by a code, and renew their tokens. One of them is killed at each step.

/** How often a node is killed while it invites, accepts and renews: so often for each of the three. */
const KILLS = Number(process.env.PAYDESK_TEST_PEERING_KILLS ?? 2);

let folder: string;
const nodes: Partial<Record<Side, RunningNode>> = {};
const at = (side: Side): RunningNode => nodes[side] ?? expect.fail('the node does not run');

const start = async (side: Side, failPoint = '') => {
  const before = nodes[side];
  await before?.kill();
  const flags = before === undefined ? [] : ['--listen', new URL(before.publicUrl).host];
  const env = { PAYDESK_FAIL_POINT: failPoint };
  const options = { dataDir: join(folder, side), flags: [...flags, '--log-level', 'error'] };
  // The node can die while it starts. Then it starts without that.
  nodes[side] = await RunningNode.start({ ...options, env }).catch(() => RunningNode.start(options));
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-peering-'));
  for (const side of SIDES) await start(side);
});
afterAll(async () => {
  for (const side of SIDES) await nodes[side]?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** How often a node has died at its fail point. */
let deaths = 0;

async function startTheDead(): Promise<void> {
  // The signal may arrive a moment after the answer.
  await pause(50);
  for (const side of SIDES) {
    if (at(side).isRunning) continue;
    deaths += 1;
    await start(side);
  }
}

/** Does something again and again until it succeeds, although a node may die meanwhile or has just been started. */
async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === 20) throw error;
      await startTheDead();
    }
  }
}

const pair: MortalPair = { mortal: SIDES, deaths: () => deaths, at, restart: start, untilDone, startTheDead };

const MINUTES = 60_000;
const LONG = Math.max(10 * MINUTES, KILLS * 2 * MINUTES);

it(
  'an invitation leads to one peer on each side, whenever a node is killed while it is made and accepted',
  () => expectInvitedOnce(pair, KILLS),
  LONG,
);

it('tokens are renewed, or stay as they were, whenever a node is killed meanwhile', () => expectRenewed(pair, KILLS), LONG);
