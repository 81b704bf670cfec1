import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testServer } from '../../src-main/platform/database/testing/postgres-server.ts';
import { createAccount } from '../support/clients/flows.ts';
import { Cluster } from '../support/nodes/cluster.ts';

/** How long it is counted. The server tells a second late, which must not matter. */
const COUNTED_MS = 20_000;
/** The most statements of a replica in a second: its heartbeat, and two others. */
const MOST = 1 + 2;

let server: Awaited<ReturnType<typeof testServer>>;
let cluster: Cluster;

beforeAll(async () => {
  server = await testServer();
  if (server === undefined) throw new Error('there is no PostgreSQL');
  cluster = await Cluster.start(server.url);
});
afterAll(async () => {
  await cluster.stop();
  await server?.stop();
});

/** The transactions of the database until now. What asks without a turn has one for each statement. */
async function asked(): Promise<number> {
  const [row] = await cluster.rows<{ n: string }>(
    'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
  );
  return Number(row?.n);
}

it('replicas that have nothing to do ask their database twice a second at most, beside the heartbeat', async () => {
  const replicas = [await cluster.add('one'), await cluster.add('two')];
  cluster.balancer.choose(...replicas.map(({ port }) => port));
  for (const { node } of replicas) await createAccount(node, `shop-${node.pid}`, 100n);
  // The first round of the audit, and what a start has to do, are over by then.
  await pause(10_000);
  const [before, beganAt] = [await asked(), performance.now()];
  await pause(COUNTED_MS);
  const [after, seconds] = [await asked(), (performance.now() - beganAt) / 1_000];
  const each = (after - before) / seconds / replicas.length;
  console.log(`${each.toFixed(1)} statements a second for each replica`);
  expect(each).toBeGreaterThan(0);
  expect(each).toBeLessThanOrEqual(MOST);
});
