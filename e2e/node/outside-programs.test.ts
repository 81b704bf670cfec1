import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ORPCError } from '@orpc/client';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, receivingToken } from '../support/clients/flows.ts';
import { prepare, transmit } from '../support/clients/raw-client.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// What other programs of the same computer do to the data folder of a node that runs.

let node: RunningNode;
beforeEach(async () => {
  node = await RunningNode.start();
});
afterEach(async () => {
  await node.stop();
});

it('the node goes on while another program writes into its database, and says so', async () => {
  const client = await ClientWallet.start();
  const { walletAddress } = await createAccount(node, 'shop', 0n);
  const token = await receivingToken(node, client);
  const askForMoney = () => transmit(prepare(client, 'POST', `${node.publicUrl}/incoming-payments`, token, { walletAddress }));
  const database = async () => (await node.operator.node.overview()).health.find(({ name }) => name === 'database');

  const outside = new Sqlite(join(node.dataDir, 'paydesk.db'));
  outside.exec('begin immediate');
  // Reads are answered while the write waits.
  let waiting = true;
  const refused = askForMoney().finally(() => {
    waiting = false;
  });
  let answered = 0;
  while (waiting) {
    expect((await fetch(walletAddress, { headers: { accept: 'application/json' } })).status).toBe(200);
    answered += 1;
  }
  expect(answered).toBeGreaterThan(5);
  const { status, headers, text } = await refused;
  expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  expect(JSON.parse(text)).toMatchObject({ error: { code: 'unavailable' } });

  const order = { requestId: randomUUID(), name: 'till', publicName: 'Till', assetCode: 'USD', assetScale: 2, openingBalance: 0n };
  const failure = await node.operator.accounts.create(order).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ORPCError);
  expect(failure).toMatchObject({ code: 'DATABASE_HELD', status: 503 });
  expect(await database()).toEqual({ name: 'database', state: 'bad', problem: 'held' });
  expect((await fetch(`${node.publicUrl}/readyz`)).status).toBe(503);

  outside.close();
  await node.operator.accounts.create(order);
  expect((await askForMoney()).status).toBe(201);
  expect(await database()).toMatchObject({ state: 'good' });
  expect((await fetch(`${node.publicUrl}/readyz`)).status).toBe(200);
  await client.stop();
});

it('no second node starts on the folder after somebody has deleted every file of it that looks like a lock', async () => {
  const { dataDir, publicUrl } = node;
  for (const name of readdirSync(dataDir)) if (/lock|-shm$/.test(name)) rmSync(join(dataDir, name));
  for (const attempt of ['first', 'with the lock file of the first attempt']) {
    await expect(RunningNode.start({ dataDir }), attempt).rejects.toThrow(
      `the node stopped with 1: Another program has the database in ${dataDir} open, perhaps another paydesk whose file paydesk.lock was deleted.`,
    );
  }
  expect((await fetch(`${publicUrl}/healthz`)).status).toBe(200);
  await createAccount(node, 'shop', 0n);
});
