import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import {
  createAccount,
  finishSpending,
  readCode,
  receivingToken,
  requestSpending,
  spendingToken,
  usd,
  waitingRequest,
} from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// A locked node from outside: its operator is kept out, its customers and apps notice nothing.

const HEADLESS = join(root, 'out/main/headless.js');
const PASSPHRASE = 'seven plain words in the morning';

let folder: string;
let node: RunningNode;
let client: ClientWallet;
let shop: Account;
let buyer: Account;
let spending: string;
let receiving: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-lock-'));
  client = await ClientWallet.start();
  node = await RunningNode.start({ dataDir: folder });
  shop = await createAccount(node, 'shop', 0n);
  buyer = await createAccount(node, 'buyer', 50_000n);
  spending = (await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('5000') })).value;
  receiving = await receivingToken(node, client);
  await node.operator.lock.protect({ passphrase: PASSPHRASE, settings: { idleMinutes: null, atStart: false } });
});
afterAll(async () => {
  await node?.stop();
  await client?.stop();
  rmSync(folder, { recursive: true });
});

const refused = { code: 'LOCKED', status: 423 };

it('a locked node takes money and lets approved apps pay', async () => {
  await node.operator.lock.now();
  await expect(node.operator.accounts.list({})).rejects.toMatchObject(refused);
  const invoice = await client.sdk.incomingPayment.create(
    { url: node.publicUrl, accessToken: receiving },
    { walletAddress: shop.walletAddress, incomingAmount: usd('250') },
  );
  const { id } = await client.sdk.outgoingPayment.create(
    { url: node.publicUrl, accessToken: spending },
    { walletAddress: buyer.walletAddress, incomingPayment: invoice.id, debitAmount: usd('250') },
  );
  await expect.poll(async () => (await client.sdk.outgoingPayment.get({ url: id, accessToken: spending })).sentAmount.value).toBe('250');
  expect(await client.sdk.incomingPayment.get({ url: invoice.id, accessToken: receiving })).toMatchObject({
    completed: true,
    receivedAmount: { value: '250' },
  });
  await node.operator.lock.open({ passphrase: PASSPHRASE });
  expect((await node.operator.accounts.get({ id: shop.id })).balance).toBe(250n);
});

it('a locked node keeps a grant request, which the operator can approve once it is unlocked', async () => {
  await node.operator.lock.now();
  const asked = await requestSpending(node, client, buyer.walletAddress, { debitAmount: usd('700') });
  const code = await readCode(client, asked);
  await expect(node.operator.approvals.list()).rejects.toMatchObject(refused);
  await expect(node.operator.approvals.approve({ id: crypto.randomUUID(), code, shownHash: '' })).rejects.toMatchObject(refused);
  await node.operator.lock.open({ passphrase: PASSPHRASE });
  const { id, shownHash } = await waitingRequest(node);
  await node.operator.approvals.approve({ id, code, shownHash });
  const back = await client.follow(asked.grant.interact.redirect);
  expect((await finishSpending(node, client, asked, back.searchParams)).value).toMatch(/./);
});

it('a node that was killed is still locked and still counts wrong passphrases', async () => {
  await node.operator.lock.now();
  for (let count = 0; count < 4; count += 1) {
    await expect(node.operator.lock.open({ passphrase: 'not this one' })).rejects.toMatchObject({ code: 'WRONG_PASSPHRASE' });
  }
  await node.kill();
  node = await RunningNode.start({ dataDir: folder });
  await expect(node.operator.accounts.list({})).rejects.toMatchObject(refused);
  const { locked, reason, secondsLeft } = await node.operator.lock.state();
  expect({ locked, reason }).toEqual({ locked: true, reason: 'operator' });
  expect(secondsLeft).toBeLessThanOrEqual(5);
  await expect
    .poll(
      () =>
        node.operator.lock.open({ passphrase: PASSPHRASE }).then(
          ({ locked }) => locked,
          () => true,
        ),
      { interval: 1_000 },
    )
    .toBe(false);
});

it('a command removes a forgotten passphrase, but not while the node runs', async () => {
  const removeLock = (): Promise<{ code: number; words: string }> =>
    new Promise((resolve) => {
      execFile(process.execPath, [HEADLESS, 'remove-lock', '--data-dir', folder], (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code), words: out + err });
      });
    });
  await node.operator.lock.now();
  expect((await removeLock()).code).toBe(1);
  await node.stop();
  expect(await removeLock()).toEqual({ code: 0, words: expect.stringContaining('not locked any more') });
  expect(await removeLock()).toEqual({ code: 0, words: expect.stringContaining('no passphrase') });
  node = await RunningNode.start({ dataDir: folder });
  expect(await node.operator.lock.state()).toMatchObject({ protected: false, locked: false });
  expect((await node.operator.accounts.list({})).items.length).toBe(2);
});

it('the node has the passphrase nowhere in its folder or its log', async () => {
  await node.operator.lock.protect({ passphrase: PASSPHRASE, settings: { idleMinutes: null, atStart: true } });
  await node.operator.lock.now();
  await node.operator.lock.open({ passphrase: PASSPHRASE });
  await node.stop();
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(2);
  for (const { parentPath, name } of files) expect(readFileSync(join(parentPath, name)).includes(PASSPHRASE), name).toBe(false);
  expect(node.log.join('\n')).not.toContain(PASSPHRASE);
});
