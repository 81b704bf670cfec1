import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RunningNode } from '../support/nodes/running-node.ts';
import { SIDES, type Side } from '../support/nodes/two-nodes.ts';

// Two nodes become peers by a code, and renew their tokens. One of them is killed at each step.

/** How often a node is killed while it invites, accepts and renews: so often for each of the three. */
const KILLS = Number(process.env.PAYDESK_TEST_PEERING_KILLS ?? 2);
const USD = { assetCode: 'USD', assetScale: 2 };
/** The steps between the messages, and the commits around which each step is only stored, or not. */
const POINTS = [
  ...[1, 2, 3, 4].map((nth) => `peering-step:${nth}`),
  ...[3, 4, 5, 6, 7, 8].flatMap((nth) => [`before-commit:${nth}`, `after-commit:${nth}`]),
];

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

const invite = (requestId: string) => at('a').operator.invitations.create({ requestId, ...USD, creditLimit: 500n, introduction: 'A' });
const accept = (code: string) =>
  at('b').operator.invitations.accept({ code, terms: { ...USD, theirLimit: 500n }, creditLimit: 300n, name: 'A', introduction: 'B' });

/** Each node has exactly one peer, the other one, and packets go both ways. */
async function expectOnePair(step: string): Promise<Record<Side, string>> {
  const ids: string[] = [];
  for (const side of SIDES) {
    const { items } = await at(side).operator.peers.list({});
    expect(items, step).toMatchObject([{ endpoint: `${at(side === 'a' ? 'b' : 'a').publicUrl}/ilp`, position: 0n }]);
    const id = items[0]?.id ?? '';
    const tested = await at(side).operator.invitations.testBothWays({ id });
    expect([tested.there.finding, tested.back.finding], step).toEqual(['accepted', 'accepted']);
    expect(await at(side).operator.invitations.list(), step).toEqual({ given: [], accepted: [] });
    ids.push(id);
  }
  return { a: ids[0] ?? '', b: ids[1] ?? '' };
}

/** Runs rounds until a node has died often enough in them; in each round one node has a fail point. */
async function kill(round: (step: string) => Promise<void>): Promise<void> {
  const before = deaths;
  for (let nth = 0; deaths - before < KILLS; nth += 1) {
    expect(nth, 'rounds').toBeLessThan(KILLS * 6 + 24);
    const [side, point] = [SIDES[nth % 2] ?? 'a', POINTS[Math.floor(nth / 2) % POINTS.length] ?? ''];
    await start(side, point);
    await round(`${side} at ${point}`);
    await startTheDead();
  }
}

const MINUTES = 60_000;
const LONG = Math.max(10 * MINUTES, KILLS * 2 * MINUTES);

it(
  'an invitation leads to one peer on each side, whenever a node is killed while it is made and accepted',
  async () => {
    await kill(async (step) => {
      const requestId = randomUUID();
      const { code, invitation } = await untilDone(() => invite(requestId));
      const { given } = await untilDone(() => at('a').operator.invitations.list());
      expect(
        given.map(({ id }) => id),
        step,
      ).toEqual([invitation.id]);
      await untilDone(() => accept(code));
      const ids = await untilDone(() => expectOnePair(step));
      for (const side of SIDES) await start(side);
      expect(await untilDone(() => expectOnePair(step))).toEqual(ids);
      for (const side of SIDES) await at(side).operator.peers.remove({ id: ids[side] });
    });
  },
  LONG,
);

it(
  'tokens are renewed, or stay as they were, whenever a node is killed meanwhile',
  async () => {
    const { code } = await invite(randomUUID());
    await untilDone(() => accept(code));
    const ids = await expectOnePair('before');
    await kill(async (step) => {
      const renew = () => at('a').operator.invitations.renewTokens({ id: ids.a });
      await renew().catch(() => undefined);
      // Whatever was reached, packets go both ways.
      await untilDone(() => expectOnePair(step));
      await expect.poll(async () => (await untilDone(renew)).state, { timeout: 30_000 }).toBe('done');
      expect(await untilDone(() => expectOnePair(step))).toEqual(ids);
    });
  },
  LONG,
);
