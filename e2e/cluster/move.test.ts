import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testServer } from '../../src-main/platform/database/testing/postgres-server.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, receivingToken, spendingToken, usd } from '../support/clients/flows.ts';
import { prepare, transmit } from '../support/clients/raw-client.ts';
import { Cluster } from '../support/nodes/cluster.ts';
import { HEADLESS, NODE_FLAGS, RunningNode } from '../support/nodes/running-node.ts';

// A node moves from its folder to replicas over one PostgreSQL, and back into another folder, as docs/cluster.md says.
// The story goes on from test to test: the same app pays with the same tokens wherever the books are.

const OPENING = 100_000n;
const AMOUNT = 250n;

let server: Awaited<ReturnType<typeof testServer>>;
let cluster: Cluster;
let client: ClientWallet;
let folder: string;
let [before, after] = ['', ''];
let accounts: { shop: string; buyer: string };
let tokens: { receiving: string; spending: string };
const payments: string[] = [];

beforeAll(async () => {
  server = await testServer();
  if (server === undefined) throw new Error('there is no PostgreSQL');
  cluster = await Cluster.start(server.url);
  client = await ClientWallet.start();
  folder = mkdtempSync(join(tmpdir(), 'paydesk-move-'));
  [before, after] = [join(folder, 'before'), join(folder, 'after')];
});
afterAll(async () => {
  await cluster.stop();
  await client.stop();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(method: 'GET' | 'POST', url: string, token: string, body?: unknown) {
  // Where the balancer has chosen another node, a connection that was kept open is gone.
  const request = prepare(client, method, url, token, body);
  const { status, text } = await transmit(request).catch(() => transmit(request));
  return { status, body: JSON.parse(text) as { id: string; sentAmount: { value: string } } };
}

/** Pays once, and waits until all payments of the story have arrived. */
async function pay(): Promise<void> {
  const { origin } = cluster.balancer;
  const invoice = await ask('POST', `${origin}/incoming-payments`, tokens.receiving, {
    walletAddress: accounts.shop,
    incomingAmount: usd(`${AMOUNT}`),
  });
  const made = await ask('POST', `${origin}/outgoing-payments`, tokens.spending, {
    walletAddress: accounts.buyer,
    incomingPayment: invoice.body.id,
    debitAmount: usd(`${AMOUNT}`),
  });
  expect(made.status).toBe(201);
  payments.push(made.body.id);
  for (const id of payments) {
    await expect.poll(async () => (await ask('GET', id, tokens.spending)).body.sentAmount.value, { interval: 50 }).toBe(`${AMOUNT}`);
  }
}

const balances = async ({ operator }: RunningNode) =>
  (await operator.accounts.list({})).items.map(({ name, balance }) => [name, balance]).toSorted();
const expected = () => {
  const paid = AMOUNT * BigInt(payments.length);
  return [
    ['buyer', OPENING - paid],
    ['shop', paid],
  ];
};

/** Gives the command `move`. @returns what it printed. @throws Error with what it printed when it is refused. */
async function move(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const command = [...NODE_FLAGS, HEADLESS, 'move', ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env: { ...process.env, ...cluster.key, ...env } });
  return stdout;
}

it('a node with payments moves into a database, and its folder starts no more', async () => {
  const node = await cluster.startAlone(before);
  const [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', OPENING)];
  accounts = { shop: shop.walletAddress, buyer: buyer.walletAddress };
  const receiving = await receivingToken(node, client);
  tokens = { receiving, spending: (await spendingToken(node, client, accounts.buyer, { debitAmount: usd('90000') })).value };
  await pay();
  await expect(move(['--data-dir', before, '--to', cluster.url])).rejects.toThrow(before);
  await pay();
  await node.stop();
  expect(await move(['--data-dir', before, '--to', cluster.url])).toContain('rows');
  await expect(RunningNode.start({ dataDir: before })).rejects.toThrow('moved');
});

it('two replicas go on where the node was: the same tokens, the same payments, the same money', async () => {
  const replicas = [await cluster.add('one'), await cluster.add('two')];
  for (const { node, port } of replicas) {
    cluster.balancer.choose(port);
    await pay();
    expect(await balances(node)).toEqual(expected());
  }
  await expect(move(['--to', after], { PAYDESK_DATABASE: cluster.url })).rejects.toThrow('one');
  await Promise.all(replicas.map(({ node }) => node.stop()));
});

it('the books come back into a folder, and no replica starts any more', async () => {
  expect(await move(['--to', after], { PAYDESK_DATABASE: cluster.url })).toContain('rows');
  await expect(cluster.add('three')).rejects.toThrow('moved');
  const node = await cluster.startAlone(after);
  await pay();
  expect(await balances(node)).toEqual(expected());
  const { health } = await node.operator.node.overview();
  expect(health).toContainEqual(expect.objectContaining({ name: 'activity', state: 'good' }));
  expect(health).toContainEqual(expect.objectContaining({ name: 'ledger', state: 'good' }));
  expect(await node.stop()).toBe(0);
});
