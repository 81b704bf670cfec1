import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownServer } from '../../src-main/platform/database/testing/postgres-server.ts';
import { expectAcknowledged } from '../support/books/acknowledged.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { Client, type Ledger } from '../support/clients/cluster-clients.ts';
import { createAccount, receivingToken, spendingToken, usd } from '../support/clients/flows.ts';
import { Cluster, type Replica } from '../support/nodes/cluster.ts';
import { Dice } from '../support/seeded.ts';

// Replicas are killed, frozen and cut off from their database again and again, and its server crashes, while clients
// pay. Afterwards the books must say what the clients were told: everything that was acknowledged is there, once.

const ACTS = Number(process.env.PAYDESK_TEST_CLUSTER_ACTS ?? 7);
const SEED = Number(process.env.PAYDESK_TEST_SEED ?? 20_261_124);
const LANES = 6;
const OPENING = 1_000_000_000n;
const AMOUNT = 300n;
const FAIL_POINTS = ['before-commit', 'after-commit', 'before-fulfil', 'after-hold', 'before-post'] as const;
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
  replicas[index] = await cluster.add(name, failPoint === undefined ? {} : { PAYDESK_FAIL_POINT: failPoint });
  share();
}

type Act = (dice: Dice, index: number, name: string) => Promise<void>;

const ACTS_BY_NAME: Readonly<Record<string, Act>> = {
  kill: async (_, index, name) => await replace(index, name),
  'kill at a fail point': async (dice, index, name) => {
    await replace(index, name, `${dice.pick(FAIL_POINTS)}:${5 + dice.below(60)}`);
    const armed = replicas[index];
    if (armed !== undefined) await Promise.race([armed.node.exited(), pause(4_000)]);
    await replace(index, `${name}b`);
  },
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

it(
  `nothing that was acknowledged is lost or paid twice over ${ACTS} kills, freezes, cuts and crashes`,
  async () => {
    const dice = new Dice(SEED);
    console.log(`the seed is ${SEED}`);
    let goOn = true;
    const lanes = Array.from({ length: LANES }, (_, n) => new Client(ledger, new Dice(SEED + n + 1)));
    const work = lanes.map((lane) => lane.work(() => goOn));
    const names = Object.keys(ACTS_BY_NAME);
    for (let n = 0; n < ACTS; n += 1) {
      // Each kind comes as often as the others.
      const name = names[n % names.length] ?? 'kill';
      await pause(300 + dice.below(700));
      await ACTS_BY_NAME[name]?.(dice, dice.below(replicas.length), `r${n + 2}`);
      for (const [index, { node }] of replicas.entries()) if (!node.isRunning) await replace(index, `r${n + 2}x${index}`);
    }
    await pause(1_000);
    goOn = false;
    await Promise.all(work);
    const log = lanes.flatMap((lane) => lane.log);
    const done = (kind: string) => log.filter((one) => one.kind === kind).length;
    console.log(`${log.length} acknowledged: ${done('invoice')} invoices, ${done('payment')} payments, ${done('read')} reads; `);
    expect(done('payment')).toBeGreaterThan(ACTS);

    await expectAcknowledged(cluster, ledger, log, OPENING);
  },
  120_000 + ACTS * 60_000,
);
