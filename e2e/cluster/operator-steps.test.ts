import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testServer } from '../../src-main/platform/database/testing/postgres-server.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { Cluster } from '../support/nodes/cluster.ts';
import { DyingNode } from '../support/nodes/dying-node.ts';
import { quietPort } from '../support/nodes/quiet-port.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import type { Side } from '../support/nodes/two-nodes.ts';
import { RateServer } from '../support/other-nodes/rate-server.ts';
import { expectInvitedOnce, expectRenewed, type MortalPair } from '../support/stories/peering.ts';
import { DyingReader } from '../support/stories/rates.ts';
import { ACTS, DyingOffice } from '../support/stories/second-person.ts';

// The operator of two replicas reads rates, becomes the peer of another node, and asks for what a second person has to
// confirm. The replica to which the operator speaks is killed at each step, and the other one goes on.

/** How often each of them is interrupted. */
const KILLS = Math.ceil(Number(process.env.PAYDESK_TEST_CLUSTER_ACTS ?? 8) / 4);
const LIMIT_MS = Math.max(600_000, KILLS * 90_000);
const STEPS = ['waiting-step:1', 'waiting-step:2'];
const COMMITS = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((nth) => [`before-commit:${nth}`, `after-commit:${nth}`]);

let server: Awaited<ReturnType<typeof testServer>>;
let cluster: Cluster;
let alone: RunningNode;
let folder: string;
let dying: DyingNode;
let rates: RateServer;
let client: ClientWallet;

beforeAll(async () => {
  server = await testServer();
  if (server === undefined) throw new Error('there is no PostgreSQL');
  folder = mkdtempSync(join(tmpdir(), 'paydesk-steps-'));
  rates = await RateServer.start();
  client = await ClientWallet.start();
  alone = await RunningNode.start({ dataDir: folder, flags: ['--log-level', 'error'] });
  cluster = await Cluster.start(server.url, []);
  const consoleOf = ['--console', `127.0.0.1:${await quietPort()}`];
  const replicas = [await cluster.add('r0', {}, { flags: consoleOf }), await cluster.add('r1')];
  cluster.balancer.choose(...replicas.map(({ port }) => port));
  dying = DyingNode.firstReplicaOf({ cluster, replicas, stop: () => cluster.stop() }, consoleOf);
});
afterAll(async () => {
  await dying.stop();
  await alone.stop();
  await client.stop();
  await rates.stop();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The cluster as one side, and the node as the other one, which lives for ever. */
function pairWith(mortal: Side): MortalPair {
  const reached = {
    publicUrl: cluster.balancer.origin,
    get operator() {
      return dying.node.operator;
    },
  };
  return {
    mortal: [mortal],
    deaths: () => dying.deaths,
    at: (side) => (side === mortal ? reached : alone),
    restart: async (side, point) => {
      if (side === mortal) await dying.restart(point);
    },
    untilDone: (work) => dying.untilDone(work),
    // The signal may arrive a moment after the answer.
    startTheDead: () =>
      pause(50)
        .then(() => dying.untilDone(() => dying.node.operator.node.info()))
        .then(() => undefined),
  };
}

it(
  'all rates of a source change together, or none does, and a jump is confirmed, or waits, whenever a replica is killed',
  async () => {
    const reader = await DyingReader.start(dying, rates);
    await reader.expectTogether(KILLS);
    await reader.expectConfirmed(Math.ceil(KILLS / 2));
  },
  LIMIT_MS,
);

it.each<Side>(['a', 'b'])(
  'two nodes become peers once, and their tokens are renewed, whenever a replica of side %s is killed, where a begins',
  async (mortal) => {
    await expectInvitedOnce(pairWith(mortal), Math.ceil(KILLS / 4));
    await expectRenewed(pairWith(mortal), Math.ceil(KILLS / 4));
  },
  LIMIT_MS,
);

it(
  'what a second person has to confirm waits once and is done once, whenever a replica is killed',
  async () => {
    const office = await DyingOffice.start(dying, client, () => cluster.balancer.origin);
    const died = dying.deaths;
    const points = [...STEPS, ...COMMITS];
    // Each point is tried twice: while the act is asked for, and while it is confirmed.
    for (let nth = 0; dying.deaths - died < KILLS; nth += 1) {
      expect(nth, 'rounds').toBeLessThan(KILLS * 4);
      const kind = ACTS[nth % ACTS.length] ?? ACTS[0];
      await office.expectDoneOnce(kind, [points[Math.floor(nth / ACTS.length) % points.length] ?? '']);
    }
  },
  LIMIT_MS,
);
