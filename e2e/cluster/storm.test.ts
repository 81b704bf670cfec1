import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownServer } from '../../src-main/platform/database/testing/postgres-server.ts';
import { expectAcknowledged } from '../support/books/acknowledged.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { Client, type Ledger } from '../support/clients/cluster-clients.ts';
import { ClusterOperator, callsOf, SETTINGS } from '../support/clients/cluster-operators.ts';
import { createAccount, receivingToken, spendingToken, usd } from '../support/clients/flows.ts';
import { Cluster, type Replica } from '../support/nodes/cluster.ts';
import { contradictionIn } from '../support/register.ts';
import { Dice } from '../support/seeded.ts';

// Two replicas, and then three, are killed, frozen and cut off from their database again and again, also without a
// sign of it, and its server crashes, while clients pay, and while operators write settings at one replica and read
// them at another. Balances add up at every moment. Afterwards the books must say what the clients were told:
// everything that was acknowledged is there, once. No setting was read that was older than an acknowledged one.

const KILLS = Number(process.env.PAYDESK_TEST_CLUSTER_ACTS ?? 2);
/** The clients go on until they have been told so many things. */
const OPERATIONS = Number(process.env.PAYDESK_TEST_CLUSTER_OPERATIONS ?? 1);
const SEED = Number(process.env.PAYDESK_TEST_SEED ?? 20_261_124);
const LANES = 6;
const OPERATORS = 3;
const OPENING = 1_000_000_000n;
const AMOUNT = 300n;
/** Where a payment within the node can end the process. The last one is wherever it is. */
const FAIL_POINTS = ['before-commit', 'after-commit', 'before-fulfil', 'after-fulfil', undefined] as const;
/** A replica is believed dead after 5 s. Shorter and longer absences are both tried. */
const ABSENCES_MS = [300, 1_500, 7_000] as const;

let server: Awaited<ReturnType<typeof ownServer>>;
let cluster: Cluster;
let client: ClientWallet;
let replicas: Replica[];
let ledger: Ledger;

beforeAll(async () => {
  server = await ownServer();
  if (server === undefined) throw new Error('there is no PostgreSQL');
  cluster = await Cluster.start(server.url);
  client = await ClientWallet.start();
  const first = await cluster.add('r0');
  cluster.balancer.choose(first.port);
  const [shop, buyer] = [await createAccount(first.node, 'shop', 0n), await createAccount(first.node, 'buyer', OPENING)];
  const receiving = await receivingToken(first.node, client);
  const { value: spending } = await spendingToken(first.node, client, buyer.walletAddress, { debitAmount: usd('900000000') });
  ledger = { origin: cluster.balancer.origin, wallet: client, shop, buyer, receiving, spending, amount: AMOUNT };
  replicas = [first, await cluster.add('r1')];
  share();
});
afterAll(async () => {
  await cluster.stop();
  await client.stop();
  await server?.stop();
});

/** The balancer sends clients to every replica that runs. */
const share = () => cluster.balancer.choose(...replicas.filter(({ node }) => node.isRunning).map(({ port }) => port));

/** Another replica takes the place of one that has died. */
async function replace(index: number, name: string, failPoint?: string): Promise<void> {
  await replicas[index]?.node.kill();
  share();
  // A replica can die while it takes up what the dead one has left, before it is ready.
  const armed: Record<string, string> = failPoint === undefined ? {} : { PAYDESK_FAIL_POINT: failPoint };
  replicas[index] = await cluster.add(name, armed).catch(() => cluster.add(`${name}a`));
  share();
}

/** How often a replica died at each fail point. */
const diedAt = new Map<string, number>();

/** A replica ends at the fail point, or wherever it is when it does not reach the point soon. */
async function kill(dice: Dice, index: number, { name, point }: { name: string; point: (typeof FAIL_POINTS)[number] }): Promise<void> {
  if (point === undefined) return await replace(index, name);
  await replace(index, name, `${point}:${3 + dice.below(30)}`);
  const { node } = replicas[index] as Replica;
  await Promise.race([node.exited(), pause(4_000)]);
  if (!node.isRunning) diedAt.set(point, (diedAt.get(point) ?? 0) + 1);
  await replace(index, `${name}b`);
}

type Trouble = (dice: Dice, index: number) => Promise<void>;

const TROUBLES: Readonly<Record<string, Trouble>> = {
  freeze: async (dice, index) => {
    const { node } = replicas[index] as Replica;
    process.kill(node.pid, 'SIGSTOP');
    await pause(dice.pick(ABSENCES_MS));
    process.kill(node.pid, 'SIGCONT');
  },
  cut: async (dice, index) => {
    const { line } = replicas[index] as Replica;
    line.cut();
    await pause(dice.pick(ABSENCES_MS));
    line.mend();
  },
  // Its connections seem open, and nothing comes through. The replica and the server each notice by themselves.
  swallow: async (dice, index) => {
    const { line } = replicas[index] as Replica;
    line.swallow();
    await pause(dice.pick(ABSENCES_MS));
    line.mend();
  },
  // Everybody waits for the server, which undoes what was not committed, and nobody is started again.
  'crash the server': async (dice) => {
    const pids = replicas.map(({ node }) => node.pid);
    await server?.crash(dice.pick(ABSENCES_MS));
    await cluster.reconnect();
    await pause(1_000);
    expect(replicas.filter(({ node }) => node.isRunning).map(({ node }) => node.pid)).toEqual(pids);
  },
  'cut all': async (dice) => {
    for (const { line } of replicas) line.cut();
    await pause(dice.pick(ABSENCES_MS));
    for (const { line } of replicas) line.mend();
  },
  slow: async (dice, index) => {
    const { line } = replicas[index] as Replica;
    line.take(20 + dice.below(200));
    await pause(2_000);
    line.take(0);
  },
};

/** What happens, in random order. Each kind of trouble and each fail point comes as often as the others. */
function acts(dice: Dice): { point?: (typeof FAIL_POINTS)[number]; trouble?: Trouble }[] {
  const kinds = Object.values(TROUBLES);
  const kills = Array.from({ length: KILLS }, (_, n) => ({ point: FAIL_POINTS[n % FAIL_POINTS.length] }));
  const rest = Array.from({ length: Math.max(kinds.length, Math.ceil(KILLS / 3)) }, (_, n) => ({ trouble: kinds[n % kinds.length] }));
  return [...kills, ...rest]
    .map((act) => ({ act, place: dice.below(2 ** 31) }))
    .sort((a, b) => a.place - b.place)
    .map(({ act }) => act);
}

it(
  `nothing that was acknowledged is lost or paid twice over ${KILLS} kills, and freezes, cuts, lost bytes and crashes`,
  async () => {
    const dice = new Dice(SEED);
    console.log(`the seed is ${SEED}`);
    let goOn = true;
    const lanes = Array.from({ length: LANES }, (_, n) => new Client(ledger, new Dice(SEED + n + 1)));
    const nodes = () => replicas.map(({ node }) => node);
    const operators = Array.from(
      { length: OPERATORS },
      (_, number) => new ClusterOperator(nodes, new Dice(SEED + 1_000 + number), { number, total: OPENING }),
    );
    const told = () => lanes.reduce((sum, { log }) => sum + log.filter(({ outcome }) => outcome === 'ok').length, 0);
    const work = [...lanes, ...operators].map((one) => one.work(() => goOn));
    const planned = acts(dice);
    for (const [n, { point, trouble }] of planned.entries()) {
      if (n === Math.floor(planned.length / 2)) replicas.push(await cluster.add('third'));
      await pause(300 + dice.below(700));
      const index = dice.below(replicas.length);
      await (trouble === undefined ? kill(dice, index, { name: `r${n + 2}`, point }) : trouble(dice, index));
      for (const [index, { node }] of replicas.entries()) if (!node.isRunning) await replace(index, `r${n + 2}x${index}`);
    }
    await Promise.race([Promise.all(work), expect.poll(told, { timeout: 3_600_000, interval: 100 }).toBeGreaterThanOrEqual(OPERATIONS)]);
    goOn = false;
    await Promise.all(work);
    // Also one that had stood still lets scripts in again.
    for (const { operator } of nodes()) await expect.poll(() => operator.node.info(), { interval: 100 }).toBeDefined();
    const log = lanes.flatMap((lane) => lane.log);
    const done = (kind: string) => log.filter((one) => one.kind === kind && one.outcome === 'ok').length;
    console.log(`${told()} acknowledged: ${done('invoice')} invoices, ${done('payment')} payments, ${done('read')} reads`);
    const calls = operators.flatMap((operator) => operator.log);
    const of = (kind: string, outcome: string) => calls.filter((one) => one.kind === kind && one.outcome === outcome).length;
    const [writes, reads, sums] = ['write', 'read', 'balances'].map((kind) => `${of(kind, 'ok')} (${of(kind, 'unknown')} unanswered)`);
    console.log(`operators: ${writes} writes, ${reads} reads, ${sums} sums`);
    console.log(`died at fail points: ${JSON.stringify(Object.fromEntries(diedAt))}`);
    expect(done('payment')).toBeGreaterThan(planned.length);
    // A few kills reach some of the points only.
    if (KILLS >= 50) expect(diedAt.size).toBe(FAIL_POINTS.length - 1);
    expect(Math.min(of('write', 'ok'), of('read', 'ok'), of('balances', 'ok'))).toBeGreaterThan(planned.length);
    for (const [name, { initial }] of Object.entries(SETTINGS)) {
      expect(contradictionIn(callsOf(calls, name), initial), name).toBeUndefined();
    }
    await expectAcknowledged(cluster, ledger, log, OPENING);
  },
  120_000 + KILLS * 60_000,
);
