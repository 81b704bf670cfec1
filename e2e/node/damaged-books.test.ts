import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { createAccount } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// Somebody changes the books of the built node behind its back, and the audit in its thread notices.

let node: RunningNode;
let [shop, buyer]: Account[] = [];
beforeAll(async () => {
  node = await RunningNode.start();
  [shop, buyer] = [await createAccount(node, 'shop', 1_000n), await createAccount(node, 'buyer', 1_000n)];
});
afterAll(() => node.stop());

/** Moves money from one balance to the other, without a transfer. */
function shift(amount: number): void {
  const books = new Sqlite(join(node.dataDir, 'paydesk.db'));
  const change = books.prepare("update ledger_accounts set balance = balance + ? where id = 'customer:' || ?");
  books.transaction(() => {
    change.run(amount, shop?.id);
    change.run(-amount, buyer?.id);
  })();
  books.close();
}

const ready = async (): Promise<number> => (await fetch(`${node.publicUrl}/readyz`)).status;
const ledger = async () => (await node.operator.node.overview()).health.find(({ name }) => name === 'ledger');
const deposit = (account: Account | undefined) =>
  node.operator.accounts.deposit({ id: account?.id ?? '', requestId: crypto.randomUUID(), amount: 5n, note: '' });

it('the node notices balances that cancel out, and names the accounts until they are mended', async () => {
  expect(await ready()).toBe(200);
  shift(7);
  await expect.poll(ready, { timeout: 60_000, interval: 200 }).toBe(503);
  const found = await ledger();
  expect(found).toMatchObject({ state: 'bad' });
  expect(found?.name === 'ledger' && found.damages.map(({ name }) => name).toSorted()).toEqual(['buyer', 'shop']);
  await expect(deposit(shop)).rejects.toMatchObject({ code: 'ACCOUNT_DAMAGED', status: 503 });

  shift(-7);
  await expect.poll(ready, { timeout: 60_000, interval: 200 }).toBe(200);
  expect(await ledger()).toMatchObject({ state: 'good' });
  expect(await deposit(shop)).toMatchObject({ id: shop?.id });
}, 150_000);

it('a node that starts over such books knows it before it listens', async () => {
  const { dataDir } = node;
  await node.kill();
  shift(7);
  const again = await RunningNode.start({ dataDir });
  try {
    expect((await fetch(`${again.publicUrl}/readyz`)).status).toBe(503);
  } finally {
    await again.stop();
  }
}, 60_000);
