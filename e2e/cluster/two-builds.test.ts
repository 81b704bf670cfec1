import { afterAll, beforeAll, expect, it } from 'vitest';
import { testServer } from '../../src-main/platform/database/testing/postgres-server.ts';
import { expectAcknowledged } from '../support/books/acknowledged.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { Client, type Ledger } from '../support/clients/cluster-clients.ts';
import { createAccount, receivingToken, spendingToken, usd } from '../support/clients/flows.ts';
import { Cluster, type Replica } from '../support/nodes/cluster.ts';
import { nextBuild } from '../support/nodes/next-build.ts';
import { Dice } from '../support/seeded.ts';

// Replicas of this version are replaced one after the other by those of the next one, which adds to the schema, while
// clients pay at all of them.

const SEED = Number(process.env.PAYDESK_TEST_SEED ?? 20_261_128);
const OPENING = 1_000_000_000n;
const CLIENTS = 4;
const UNFINISHED = "state not in ('completed', 'failed')";
const ADDS = `alter table outgoing_payments add column next_note text collate "C";
--> statement-breakpoint
create table next_things (id text collate "C" primary key, at bigint not null);`;

let server: Awaited<ReturnType<typeof testServer>>;
let cluster: Cluster;
let wallet: ClientWallet;
let ledger: Ledger;
let next: ReturnType<typeof nextBuild>;
/** Those that run and get requests. */
let replicas: Replica[];

beforeAll(async () => {
  server = await testServer();
  if (server === undefined) throw new Error('there is no PostgreSQL');
  next = nextBuild(ADDS);
  cluster = await Cluster.start(server.url);
  wallet = await ClientWallet.start();
  const first = await cluster.add('old-1');
  cluster.balancer.choose(first.port);
  const [shop, buyer] = [await createAccount(first.node, 'shop', 0n), await createAccount(first.node, 'buyer', OPENING)];
  const receiving = await receivingToken(first.node, wallet);
  const { value: spending } = await spendingToken(first.node, wallet, buyer.walletAddress, { debitAmount: usd('900000000') });
  ledger = { origin: cluster.balancer.origin, wallet, shop, buyer, receiving, spending, amount: 300n };
  share(first, await cluster.add('old-2'));
});
afterAll(async () => {
  await cluster.stop();
  await wallet.stop();
  next.remove();
  await server?.stop();
});

/** Lets these replicas get all requests from now on. */
function share(...chosen: Replica[]): void {
  replicas = chosen;
  cluster.balancer.choose(...chosen.map(({ port }) => port));
}

async function count(sql: string): Promise<number> {
  const [row] = await cluster.rows<{ n: string }>(`select count(*) as n from ${sql}`);
  return Number(row?.n);
}

/** Waits until each replica has made and sent another payment, and looks whether it may get requests. */
async function expectAllPay(): Promise<void> {
  const [row] = await cluster.rows<{ now: string }>('select coalesce(max(created_at), 0) as now from outgoing_payments');
  const payers = `(select distinct holder from outgoing_payments join replicas on holder = replicas.id where created_at > ${row?.now}) payers`;
  await expect.poll(() => count(payers), { interval: 50 }).toBe(replicas.length);
  for (const { port } of replicas) expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
}

/** The next version comes, and the replicas of this one go. */
async function upgrade(): Promise<void> {
  await expectAllPay();
  const [before, olds] = [await count('__drizzle_migrations'), replicas];
  const upgraded = await cluster.add('next', {}, { build: next.build });
  expect((await count('__drizzle_migrations')) - before).toBe(1);
  // What the next version keeps in its column stays when this version changes the row.
  const { rowCount: noted } = await cluster.database.query(`update outgoing_payments set next_note = 'kept' where ${UNFINISHED}`);
  expect(noted, 'payments are under way').toBeGreaterThan(0);
  share(...olds, upgraded);
  await expectAllPay();
  // This version still starts, should its computer have to be started again.
  const again = await cluster.add('old-3');
  share(...replicas, again);
  await expectAllPay();
  for (const old of [...olds, again]) {
    share(...replicas.filter((one) => one !== old));
    expect(await old.node.stop()).toBe(0);
    await expectAllPay();
  }
  expect(await count("outgoing_payments where next_note = 'kept' and state = 'completed'")).toBe(noted);
  expect(await cluster.rows('select name from replicas')).toEqual([{ name: 'next' }]);
}

it('the next version migrates while this one pays, both pay side by side, and then the next one alone', async () => {
  console.log(`the seed is ${SEED}`);
  let goOn = true;
  const clients = Array.from({ length: CLIENTS }, (_, n) => new Client(ledger, new Dice(SEED + n)));
  const work = Promise.all(clients.map((client) => client.work(() => goOn)));
  await Promise.race([work, upgrade()]);
  goOn = false;
  await work;
  const log = clients.flatMap((client) => client.log);
  console.log(`${log.filter(({ outcome }) => outcome === 'ok').length} calls were acknowledged meanwhile`);
  await expectAcknowledged(cluster, ledger, log, OPENING);
});
