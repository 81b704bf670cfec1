import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownServer } from '../../src-main/platform/database/testing/postgres-server.ts';
import type { Standby } from '../../src-main/platform/database/testing/postgres-standby.ts';
import { expectAcknowledged } from '../support/books/acknowledged.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { Client, type ClientCall, type Ledger } from '../support/clients/cluster-clients.ts';
import { createAccount, receivingToken, spendingToken, usd } from '../support/clients/flows.ts';
import { prepare, transmit } from '../support/clients/raw-client.ts';
import { Cluster, type Replica } from '../support/nodes/cluster.ts';
import { FarLine } from '../support/nodes/far-line.ts';
import { Dice } from '../support/seeded.ts';

// Two PostgreSQL servers, of which the second follows the first. While clients pay at two replicas, the first server is
// cut off from everybody, and the second one takes its place behind the same address.

const ROUNDS = Number(process.env.PAYDESK_TEST_FAILOVERS ?? 1);
const SEED = Number(process.env.PAYDESK_TEST_SEED ?? 20_261_127);
const CLIENTS = 4;
const OPENING = 1_000_000_000n;
const AMOUNT = 300n;

let server: NonNullable<Awaited<ReturnType<typeof ownServer>>>;
let standby: Standby;
/** The way from the standby to the primary. */
let following: FarLine;
let cluster: Cluster;
let wallet: ClientWallet;
let replicas: Replica[];
let ledger: Ledger;

beforeEach(async () => {
  const started = await ownServer();
  if (started === undefined) throw new Error('there is no PostgreSQL');
  server = started;
  standby = await server.addStandby(async (port) => {
    following = await FarLine.start(0, port);
    return Number(new URL(following.origin).port);
  });
  cluster = await Cluster.start(server.url);
  wallet = await ClientWallet.start();
  const first = await cluster.add('one');
  cluster.balancer.choose(first.port);
  const [shop, buyer] = [await createAccount(first.node, 'shop', 0n), await createAccount(first.node, 'buyer', OPENING)];
  const receiving = await receivingToken(first.node, wallet);
  const { value: spending } = await spendingToken(first.node, wallet, buyer.walletAddress, { debitAmount: usd('900000000') });
  ledger = { origin: cluster.balancer.origin, wallet, shop, buyer, receiving, spending, amount: AMOUNT };
  replicas = [first, await cluster.add('two')];
  cluster.balancer.choose(...replicas.map(({ port }) => port));
});
afterEach(async () => {
  await cluster.stop();
  await wallet.stop();
  await following.stop();
  await standby.stop();
  await server.stop();
});

/** The first server is cut off from everybody, and lives on. The second one takes its place. */
async function failOver(): Promise<void> {
  for (const { line } of replicas) line.cut();
  following.cut();
  await standby.promote();
  for (const { line } of replicas) {
    line.leadTo(standby.port);
    line.mend();
  }
  await cluster.reconnect(standby.port);
}

/**
 * Clients pay until `meanwhile` has ended.
 * @param meanwhile waits with its argument until that many further payments are acknowledged.
 * @returns what the clients were told.
 */
async function paying(dice: Dice, meanwhile: (further: (payments: number) => Promise<void>) => Promise<void>): Promise<ClientCall[]> {
  let goOn = true;
  const clients = Array.from({ length: CLIENTS }, () => new Client(ledger, new Dice(dice.below(2 ** 31))));
  const work = Promise.all(clients.map((client) => client.work(() => goOn)));
  const paid = () => payments(clients.flatMap(({ log }) => log));
  const further = async (count: number) => {
    const before = paid();
    await expect.poll(paid, { interval: 20 }).toBeGreaterThanOrEqual(before + count);
  };
  await Promise.race([work, meanwhile(further)]);
  goOn = false;
  await work;
  return clients.flatMap(({ log }) => log);
}

const payments = (log: readonly ClientCall[]) => log.filter(({ kind, outcome }) => kind === 'payment' && outcome === 'ok').length;

async function readiness({ port }: Replica): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
}

it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  'a synchronous standby takes over: nothing that was acknowledged is lost, and the same replicas go on (round %i)',
  async (round) => {
    console.log(`the seed is ${SEED + round}`);
    const dice = new Dice(SEED + round);
    await standby.makeSynchronous();
    const pids = replicas.map(({ node }) => node.pid);
    let before = 0;
    const log = await paying(dice, async (further) => {
      await further(CLIENTS + dice.below(20));
      await failOver();
      before = Number((await cluster.rows<{ n: string }>('select count(*) as n from outgoing_payments'))[0]?.n);
      for (const replica of replicas) await expect.poll(() => readiness(replica), { interval: 50 }).toBe(200);
      await further(CLIENTS);
    });
    console.log(`${payments(log)} payments acknowledged, about ${before} of them before the standby took over`);
    expect(before).toBeGreaterThan(0);
    expect(payments(log)).toBeGreaterThan(before);
    await expectAcknowledged(cluster, ledger, log, OPENING);
    expect(replicas.map(({ node }) => node.isRunning && node.pid)).toEqual(pids);
  },
  300_000,
);

/** Asks one replica for an invoice. @returns the status of its answer. */
async function invoiceAt({ port }: Replica): Promise<number> {
  cluster.balancer.choose(port);
  const asked = { walletAddress: ledger.shop.walletAddress, incomingAmount: usd('5') };
  const request = prepare(wallet, 'POST', `${ledger.origin}/incoming-payments`, ledger.receiving, asked);
  // Where the balancer has chosen another replica, the connections that were kept open are gone, one for each client.
  for (let left = CLIENTS; left > 0; left -= 1) {
    const answer = await transmit(request).catch(() => undefined);
    if (answer !== undefined) return answer.status;
  }
  return (await transmit(request)).status;
}

const databaseHealth = async ({ node }: Replica) => (await node.operator.node.overview()).health.find(({ name }) => name === 'database');

it('an asynchronous standby takes over without the last commits: the loss is noticed, writing stops, and the operator is asked', async () => {
  const dice = new Dice(SEED);
  const kept = await paying(dice, (further) => further(CLIENTS));
  await expectAcknowledged(cluster, ledger, kept, OPENING);
  await expect.poll(async () => (await readOnStandby()) === (await counted()), { interval: 50 }).toBe(true);
  // The standby hears nothing any more, and nobody waits for it.
  following.cut();
  for (const replica of replicas) expect(await invoiceAt(replica)).toBe(201);
  const [{ n: told } = { n: '' }] = await cluster.rows<{ n: string }>('select count(*) as n from incoming_payments');
  await failOver();
  const [{ n: there } = { n: '' }] = await cluster.rows<{ n: string }>('select count(*) as n from incoming_payments');
  expect(Number(told) - Number(there)).toBe(2);

  for (const replica of replicas) {
    // The heartbeat or the next write meets the loss. From then on nothing is written.
    await expect.poll(() => invoiceAt(replica), { interval: 50 }).toBe(503);
    await expect.poll(() => readiness(replica), { interval: 50 }).toBe(503);
    // A replica that has just lost its server says that first.
    await expect.poll(() => databaseHealth(replica), { interval: 50 }).toMatchObject({ state: 'bad', problem: 'went_back' });
    expect(replica.node.isRunning).toBe(true);
  }
  expect(await counted()).toBe(there);

  // Started again it refuses to begin, and names the file that the operator removes who knows what is missing.
  const [one, two] = replicas as [Replica, Replica];
  for (const { node } of [one, two]) await node.kill();
  const { dataDir } = one.node;
  await expect(cluster.add('one again', {}, { dataDir })).rejects.toThrow(join(dataDir, 'seen-turns.json'));
  rmSync(join(dataDir, 'seen-turns.json'));
  const again = await cluster.add('one again', {}, { dataDir });
  again.line.leadTo(standby.port);
  replicas = [again];
  expect(await invoiceAt(again)).toBe(201);
  await expectAcknowledged(cluster, ledger, kept, OPENING);
}, 300_000);

const counted = async () => (await cluster.rows<{ n: string }>('select count(*) as n from incoming_payments'))[0]?.n;

/** What the standby, which only reads, has of the invoices. */
async function readOnStandby(): Promise<string | undefined> {
  const { rows } = await standby.ask(cluster.url, 'select count(*) as n from incoming_payments');
  return (rows[0] as { n: string } | undefined)?.n;
}
