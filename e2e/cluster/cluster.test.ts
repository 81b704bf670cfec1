import { afterAll, beforeAll, expect, it } from 'vitest';
import { testServer } from '../../src-main/platform/database/testing/postgres-server.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { addSilentPeer, createAccount, receivingToken, spendingToken, usd } from '../support/clients/flows.ts';
import { prepare, transmit } from '../support/clients/raw-client.ts';
import { Cluster, clockAhead, type Replica } from '../support/nodes/cluster.ts';

// Two replicas of the built node over one PostgreSQL. The clocks of their computers differ by 3 s. The story goes on
// from test to test.

const OPENING = 10_000_000n;
/** The node sends it in packets of 100, so that a payment is under way for a while. */
const AMOUNT = 10_000n;
/** The clock of one computer is so far ahead of that of the database, and that of the other so far behind. */
const AHEAD_MS = 1_500;

let server: Awaited<ReturnType<typeof testServer>>;
let cluster: Cluster;
let client: ClientWallet;
let first: Replica;
let second: Replica;
let third: Replica;
let shop: { id: string; walletAddress: string };
let buyer: { id: string; walletAddress: string };
let receiving: string;
let spending: string;

beforeAll(async () => {
  server = await testServer();
  if (server === undefined) throw new Error('there is no PostgreSQL');
  cluster = await Cluster.start(server.url);
  client = await ClientWallet.start();
  first = await cluster.add('first', clockAhead(AHEAD_MS));
  cluster.balancer.choose(first.port);
  [shop, buyer] = [await createAccount(first.node, 'shop', 0n), await createAccount(first.node, 'buyer', OPENING)];
  receiving = await receivingToken(first.node, client);
  spending = (await spendingToken(first.node, client, buyer.walletAddress, { debitAmount: usd('9000000') })).value;
  second = await cluster.add('second', clockAhead(-AHEAD_MS));
});
afterAll(async () => {
  await cluster.stop();
  await client.stop();
  await server?.stop();
});

/**
 * Sends a signed request to the replica that the balancer has chosen. When its connection is gone, the very same
 * request goes out again, as a careful client does it.
 */
async function ask(method: 'GET' | 'POST', path: string, token: string, body?: unknown): Promise<{ status: number; body: { id: string } }> {
  const request = prepare(client, method, `${cluster.balancer.origin}${path}`, token, body);
  const { status, text } = await transmit(request).catch(() => transmit(request));
  return { status, body: JSON.parse(text) };
}

async function pay(): Promise<string> {
  const asked = { walletAddress: shop.walletAddress, incomingAmount: usd(AMOUNT.toString()) };
  const invoice = await ask('POST', '/incoming-payments', receiving, asked);
  const made = await ask('POST', '/outgoing-payments', spending, {
    walletAddress: buyer.walletAddress,
    incomingPayment: invoice.body.id,
    debitAmount: usd(AMOUNT.toString()),
  });
  expect(made.status).toBe(201);
  return made.body.id;
}

const unfinished = async () =>
  await cluster.rows<{ id: string; attempt: string }>(
    "select id, attempt from outgoing_payments where state not in ('completed', 'failed')",
  );

/** Whether the console of a replica is open: otherwise the code with which it refuses. */
const consoleOf = ({ node }: Replica) =>
  node.operator.accounts.list({}).then(
    () => 'open',
    (error: { code: string }) => error.code,
  );

/** Everything that was acknowledged is paid, once. */
async function expectPaid(acknowledged: readonly string[]): Promise<void> {
  const rows = await cluster.rows<{ id: string; state: string; sent: string; delivered: string }>(
    'select id, state, sent, delivered from outgoing_payments',
  );
  const paid = new Map(rows.map((row) => [row.id, row]));
  for (const url of acknowledged) {
    const row = paid.get(url.split('/').at(-1) ?? '');
    expect(row).toMatchObject({ state: 'completed', sent: AMOUNT.toString(), delivered: AMOUNT.toString() });
  }
  const balances = await cluster.rows<{ id: string; balance: string }>('select id, balance from ledger_accounts');
  const balanceOf = (id: string) => BigInt(balances.find((row) => row.id === id)?.balance ?? 0n);
  const total = AMOUNT * BigInt(rows.length);
  expect([balanceOf(`customer:${shop.id}`), balanceOf(`customer:${buyer.id}`)]).toEqual([total, OPENING - total]);
  expect(balances.reduce((sum, { balance }) => sum + BigInt(balance), 0n)).toBe(0n);
}

it('a second replica with an empty folder changes nothing, and has the identity of the first', async () => {
  const accounts = await second.node.operator.accounts.list({});
  expect(accounts.items.map(({ name }) => name).toSorted()).toEqual(['buyer', 'shop']);
  const { database } = await second.node.operator.node.info();
  expect(database).toMatch(/^127\.0\.0\.1:\d+\/\w+$/);
  // The token for scripts of the first is still good.
  expect((await first.node.operator.accounts.list({})).items).toHaveLength(2);
  // So is the token of an app that was given before the second came.
  cluster.balancer.choose(second.port);
  expect((await ask('POST', '/incoming-payments', receiving, { walletAddress: shop.walletAddress })).status).toBe(201);
});

it('what is paid at one replica is read at the other', async () => {
  cluster.balancer.choose(first.port);
  const id = await pay();
  cluster.balancer.choose(second.port);
  const read = await ask('GET', new URL(id).pathname, spending);
  expect(read).toMatchObject({ status: 200, body: { id } });
  await expect.poll(unfinished, { interval: 50 }).toEqual([]);
  await expectPaid([id]);
});

it('what both store has the time of the database, though the clocks of their computers differ', async () => {
  const reports = await cluster.rows<{ report: string }>('select report from replicas order by name');
  const differences = reports.map(({ report }) => Number(JSON.parse(report).ahead));
  for (const [n, ahead] of [-AHEAD_MS, AHEAD_MS].entries()) expect(Math.abs((differences[n] ?? 0) - ahead)).toBeLessThan(200);
  for (const replica of [first, second]) {
    cluster.balancer.choose(replica.port);
    const before = Date.now();
    const invoice = await ask('POST', '/incoming-payments', receiving, { walletAddress: shop.walletAddress });
    const [row] = await cluster.rows<{ at: string }>(
      `select created_at as at from incoming_payments where id = '${invoice.body.id.split('/').at(-1)}'`,
    );
    // The database is on this computer, and a quick answer has told the replica what the time is.
    expect(Number(row?.at)).toBeGreaterThanOrEqual(before - 200);
    expect(Number(row?.at)).toBeLessThanOrEqual(Date.now() + 200);
  }
});

it('what is changed at one replica holds at the other: a peer, and the lock of the console', async () => {
  const isConnected = async () => (await second.node.operator.node.info()).connected;
  expect(await isConnected()).toBe(false);
  const { peer } = await addSilentPeer(first.node.operator);
  await expect.poll(isConnected, { interval: 50 }).toBe(true);
  await first.node.operator.peers.remove({ id: peer.id });
  await expect.poll(isConnected, { interval: 50 }).toBe(false);
  const passphrase = 'plain words, eight or more';
  await first.node.operator.lock.protect({ passphrase, settings: { idleMinutes: null, atStart: false } });
  await first.node.operator.lock.now();
  await expect.poll(() => consoleOf(second), { interval: 50 }).toBe('LOCKED');
  await expect.poll(async () => (await second.node.operator.lock.open({ passphrase })).locked, { interval: 50 }).toBe(false);
  await expect.poll(() => consoleOf(first), { interval: 50 }).toBe('open');
  await first.node.operator.lock.removePassphrase({ current: passphrase });
});

it('what a replica was paying when it was killed goes on at the other, and is paid once', async () => {
  cluster.balancer.choose(first.port);
  const acknowledged = await Promise.all(Array.from({ length: 8 }, pay));
  await first.node.kill();
  const killedAt = performance.now();
  const left = await unfinished();
  expect(left.length, 'the kill hits payments under way').toBeGreaterThan(0);
  const attempts = new Map(left.map(({ id, attempt }) => [id, attempt]));
  await expect
    .poll(async () => (await unfinished()).filter(({ id, attempt }) => attempts.get(id) === attempt), { interval: 50 })
    .toEqual([]);
  console.log(`after a kill ${left.length} payments went on within ${Math.round(performance.now() - killedAt)} ms`);
  await expect.poll(unfinished, { interval: 50 }).toEqual([]);
  await expectPaid(acknowledged);
  expect(await cluster.rows('select name from replicas')).toEqual([{ name: 'second' }]);
});

it('a replica that is stopped says so, ends what is under way, and leaves the rest to the others', async () => {
  third = await cluster.add('third');
  cluster.balancer.choose(second.port);
  const acknowledged = await Promise.all(Array.from({ length: 8 }, pay));
  const stoppedAt = performance.now();
  const stopped = second.node.stop();
  await expect.poll(() => readiness(second), { interval: 50 }).toEqual([503, 'This replica is about to end.']);
  cluster.balancer.choose(third.port);
  expect(await stopped).toBe(0);
  console.log(`a replica ended ${Math.round(performance.now() - stoppedAt)} ms after it was asked to`);
  expect(await readiness(third)).toEqual([200, undefined]);
  acknowledged.push(await pay());
  await expect.poll(unfinished, { interval: 50 }).toEqual([]);
  await expectPaid(acknowledged);
  expect(await cluster.rows('select name from replicas')).toEqual([{ name: 'third' }]);
});

/** Lets the server find a damaged page wherever it reads one incoming payment. */
const torn = (id: string) => `
  create function torn_page() returns boolean language plpgsql as
    $$ begin raise exception 'invalid page in block 0 of relation base/1/2' using errcode = 'XX001'; end $$;
  alter table incoming_payments rename to whole_incoming_payments;
  create view incoming_payments as
    select * from whole_incoming_payments where case when id = '${id}' then torn_page() else true end;
`;

it('a page that the database server cannot read is damage: all replicas say so and take no new payment', async () => {
  const fourth = await cluster.add('fourth');
  cluster.balancer.choose(third.port);
  const invoice = await ask('POST', '/incoming-payments', receiving, { walletAddress: shop.walletAddress });
  await cluster.database.query(torn(invoice.body.id.split('/').at(-1) ?? ''));
  expect(await ask('GET', new URL(invoice.body.id).pathname, receiving)).toMatchObject({ status: 503 });
  for (const replica of [third, fourth]) {
    await expect.poll(async () => (await readiness(replica))[0], { interval: 50 }).toBe(503);
    const { health } = await replica.node.operator.node.overview();
    expect(health.find(({ name }) => name === 'database')).toMatchObject({ state: 'bad', problem: 'damaged_at_server' });
    cluster.balancer.choose(replica.port);
    const asked = { walletAddress: shop.walletAddress, incomingAmount: usd('5') };
    expect(await ask('POST', '/incoming-payments', receiving, asked)).toMatchObject({ status: 503 });
  }
  expect(await unfinished()).toEqual([]);
});

async function readiness({ port }: Replica): Promise<[number, string | undefined]> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  const body = (await answer.json()) as { error?: { description: string } };
  return [answer.status, body.error?.description];
}
