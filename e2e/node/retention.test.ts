import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { contradictions, readBooks } from '../support/books/books.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, receivingToken } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

const OLD = 450;
const DAY_MS = 24 * 60 * 60_000;

let dataDir: string;
let client: ClientWallet;
let node: RunningNode;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'paydesk-retention-'));
  client = await ClientWallet.start();
});
afterEach(async () => {
  await node.stop();
  await client.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Makes a node with an account, a request of an app, and many copies of the request that ended long ago. */
async function nodeWithOldRequests(): Promise<void> {
  node = await RunningNode.start({ dataDir });
  const { walletAddress } = await createAccount(node, 'shop', 1_000n);
  const grant = { accessToken: await receivingToken(node, client), url: node.publicUrl };
  await client.sdk.incomingPayment.create(grant, { walletAddress });
  await node.stop();
  const database = new Sqlite(join(dataDir, 'paydesk.db'));
  database
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
       insert into incoming_payments (id, wallet_address_id, client, received, completed, expires_at, search, created_at, updated_at)
       select 'old-' || i, wallet_address_id, client, 0, 0, ?, search, created_at, updated_at from incoming_payments, n`,
    )
    .run(OLD, Date.now() - 40 * DAY_MS);
  database.close();
}

const state = () =>
  readBooks(node, (database) => ({
    old: Number(database.prepare("select count(*) from incoming_payments where id like 'old-%'").pluck().get()),
    others: Number(database.prepare("select count(*) from incoming_payments where id not like 'old-%'").pluck().get()),
    wrong: contradictions(database),
    broken: database.pragma('foreign_key_check'),
  }));

const gone = () => expect.poll(() => state().old, { timeout: 60_000 }).toBe(0);

it('a node that is killed while it removes keeps its books whole, and the next start goes on', async () => {
  await nodeWithOldRequests();
  const left: number[] = [];
  for (const point of ['removed-some:1', 'before-commit:6', 'removed-some:2', 'before-commit:8']) {
    const started = RunningNode.start({ dataDir, env: { PAYDESK_FAIL_POINT: point } });
    // It may die before it has said that it is ready.
    expect(await started.then((killed) => killed.exited(), String)).toMatch(/SIGKILL|stopped with null/);
    const { old, ...rest } = state();
    expect(rest).toEqual({ others: 1, wrong: [], broken: [] });
    left.push(old);
  }
  expect([left[0], left.at(-1)]).toEqual([OLD - 100, expect.toSatisfy((old: number) => old < OLD - 200)]);
  node = await RunningNode.start({ dataDir });
  await gone();
  expect(state()).toEqual({ old: 0, others: 1, wrong: [], broken: [] });
});
