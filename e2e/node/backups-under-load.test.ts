import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { OpenPaymentsClientError } from '@interledger/open-payments';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import { restore } from '../../src-main/headless/commands/restore.ts';
import { ReportedError } from '../../src-main/platform/errors.ts';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import type { BackupDifferences } from '../support/books/backup-differences.ts';
import { readBooks } from '../support/books/books.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, receivingToken, spendingToken, usd } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { seeded } from '../support/seeded.ts';

// Backups of the built node while clients pay through the SDK: each is restored, and its books are compared with the
// node's own.

/** How many backups are made. PAYDESK_TEST_BACKUPS sets another number; `npm run soak` makes a hundred. */
const BACKUPS = Number(process.env.PAYDESK_TEST_BACKUPS ?? 2);
/** How often one is tried with a flipped bit, and one with a wrong passphrase, which must be refused. */
const REFUSALS_EVERY = Math.min(5, BACKUPS);
const PAYERS = 3;
/** How long a payer waits at most before it looks again whether the money has arrived. */
const LOOK_MS = 200;
/** How long a payer waits when the node is busy: as long as its `Retry-After` says. */
const BUSY_MS = 2_000;
const AMOUNT = 500n;
const OPENING = 1_000_000_000n;
const PASSPHRASE = 'seven plain words make a long one';
const WORKER = join(root, 'out/main/backup-worker.js');
type Size = Omit<BackupDifferences, 'differences'>;

let folder: string;
let client: ClientWallet;
let node: RunningNode;
let buyer: Account;
let shop: Account;
/** URLs of payments the node has acknowledged, in order. */
const acknowledged: string[] = [];
let paying = true;
/** The comparison under way. Payers wait for its end: what they paid meanwhile would make the next ones take longer. */
let comparing: Promise<unknown> = Promise.resolve();
/** Ends when all payers have stopped. It fails when a payer meets an error. */
let payers: Promise<unknown>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-backups-'));
  mkdirSync(join(folder, 'made'));
  client = await ClientWallet.start();
  // Payments in packets of a fifth: a snapshot finds some of them under way.
  node = await RunningNode.start({
    dataDir: join(folder, 'data'),
    flags: ['--max-packet-amount', '100', '--token-lifetime', '86400', '--log-level', 'warn'],
  });
  [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', OPENING)];
  const receiving = await receivingToken(node, client);
  const { value: spending } = await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('900000000') });
  const payer = async () => {
    while (paying) {
      await comparing;
      const began = performance.now();
      await pay(receiving, spending).catch(waitIfBusy);
      // The pause is as long as the payment was. It leaves processor time, and on a fast machine, too, payments are
      // under way half of the time.
      await pause(performance.now() - began);
    }
  };
  payers = Promise.all(Array.from({ length: PAYERS }, payer));
  payers.catch(() => undefined);
});
afterAll(async () => {
  paying = false;
  await Promise.allSettled([payers]);
  await node?.stop();
  await client?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function pay(receiving: string, spending: string): Promise<void> {
  const invoice = await client.sdk.incomingPayment.create(
    { url: node.publicUrl, accessToken: receiving },
    { walletAddress: shop.walletAddress, incomingAmount: usd(AMOUNT.toString()) },
  );
  const { id } = await client.sdk.outgoingPayment.create(
    { url: node.publicUrl, accessToken: spending },
    { walletAddress: buyer.walletAddress, incomingPayment: invoice.id, debitAmount: usd(AMOUNT.toString()) },
  );
  acknowledged.push(id);
  const sent = async () => (await client.sdk.outgoingPayment.get({ url: id, accessToken: spending })).sentAmount.value;
  for (let wait = 5; paying && (await sent()) !== AMOUNT.toString(); wait = Math.min(2 * wait, LOOK_MS)) await pause(wait);
}

/** Waits as the node asks of a client while its disk is busy. */
async function waitIfBusy(error: unknown): Promise<void> {
  if (!(error instanceof OpenPaymentsClientError)) throw error;
  // Its message does not say what was answered.
  if (error.status !== 503) throw new Error(`${error.status ?? 'no answer'}: ${error.description}`, { cause: error });
  await pause(BUSY_MS);
}

const restoring = (file: string, name: string, passphrase = PASSPHRASE) =>
  restore({ file, passphrase, dataDir: join(folder, name), protection: undefined, migrations: join(root, 'drizzle'), workerFile: WORKER });

/** What the node says of its two accounts. */
async function reported() {
  const { items: accounts } = await node.operator.accounts.list({});
  return Object.fromEntries(accounts.map(({ name, balance, reserved }) => [name, { balance, reserved }]));
}

/**
 * Compares restored books with those of the node they came from, which has gone on since. A thread of its own compares:
 * it takes seconds, and meanwhile the payers must hear when the node closes a connection.
 */
async function compare(name: string): Promise<Size> {
  const compared = new Worker(new URL('../support/books/backup-differences-worker.ts', import.meta.url), {
    workerData: { copy: join(folder, name), source: node.dataDir },
  });
  const answer = once(compared, 'message') as Promise<[BackupDifferences]>;
  comparing = answer.catch(() => undefined);
  const [{ differences, ...size }] = await answer;
  expect(differences, name).toEqual([]);
  return size;
}

/** The same backup with one bit changed. */
function flipped(file: string, random: () => number): string {
  const bytes = readFileSync(file);
  const place = Math.floor(random() * bytes.length);
  bytes[place] = (bytes[place] ?? 0) ^ (1 << Math.floor(random() * 8));
  const other = `${file}.flipped`;
  writeFileSync(other, bytes);
  return other;
}

/** Restores a backup and compares it. @returns what is in it */
async function check(file: string, count: number): Promise<{ size: Size; shopThen: bigint }> {
  const name = `restored-${count}`;
  await restoring(file, name);
  const size = await compare(name);
  const shopThen = readBooks({ dataDir: join(folder, name) }, (copy) =>
    copy.prepare('select balance from ledger_accounts where id = ?').pluck().get(`customer:${shop.id}`),
  ) as bigint;
  rmSync(join(folder, name), { recursive: true });
  return { size, shopThen };
}

/** Checks that a backup is refused and leaves no node behind. */
async function refused(file: string, name: string, passphrase: string): Promise<void> {
  await expect(restoring(file, name, passphrase), name).rejects.toBeInstanceOf(ReportedError);
  expect(existsSync(join(folder, name, 'paydesk.db')), name).toBe(false);
}

it(
  `the node restores ${BACKUPS} backups taken under load to the ledgers of which they were taken`,
  async () => {
    const random = seeded(20_261_121);
    const sizes: Size[] = [];
    let checking: Promise<unknown> = Promise.resolve();
    for (let count = 1; count <= BACKUPS; count += 1) {
      const before = { payments: acknowledged.length, shop: (await reported()).shop?.balance ?? 0n };
      const { file } = await node.operator.backups.make({ folder: join(folder, 'made'), passphrase: PASSPHRASE });
      const after = (await reported()).shop?.balance ?? 0n;
      // While the next one is made this one is restored.
      await checking;
      checking = check(file, count).then(({ size, shopThen }) => {
        sizes.push(size);
        expect(size.payments, `backup ${count} has all that was acknowledged before`).toBeGreaterThanOrEqual(before.payments);
        expect(shopThen).toBeGreaterThanOrEqual(before.shop);
        expect(shopThen).toBeLessThanOrEqual(after);
      });
      checking.catch(() => undefined);
      // Somebody pays between two backups, however fast they are made.
      while (acknowledged.length < before.payments + 2) await Promise.race([pause(LOOK_MS), payers]);
      if (count % REFUSALS_EVERY === 0) await refused(flipped(file, random), `flipped-${count}`, PASSPHRASE);
      if (count % REFUSALS_EVERY === 1) await refused(file, `wrong-${count}`, `${PASSPHRASE}.`);
    }
    await checking;
    // The node was really busy: payments were made during the backups, and the backups caught some of them under way.
    expect(sizes.at(-1)?.payments).toBeGreaterThan((sizes[0]?.payments ?? 0) + BACKUPS - 2);
    // A few backups can all meet a moment in which no payment is under way.
    if (BACKUPS >= 20) expect(sizes.some(({ underWay }) => underWay > 0)).toBe(true);
    console.log(
      `backups: ${BACKUPS} restored, each of ${sizes[0]?.payments} to ${sizes.at(-1)?.payments} payments, ${sizes.reduce((sum, { underWay }) => sum + underWay, 0)} caught under way`,
    );
  },
  Math.max(600_000, BACKUPS * 60_000),
);

it('a backup restores exactly what the node reports once nobody pays any more', async () => {
  paying = false;
  await payers;
  await expect.poll(async () => (await node.operator.node.overview()).paymentsUnderWay).toBe(0);
  const { file } = await node.operator.backups.make({ folder: join(folder, 'made'), passphrase: PASSPHRASE });
  const [accounts, { port }] = [await reported(), new URL(node.publicUrl)];
  await restoring(file, 'calm');
  const { payments, underWay } = await compare('calm');
  expect(underWay).toBe(0);
  expect(payments).toBeGreaterThanOrEqual(acknowledged.length);
  await node.stop();
  node = await RunningNode.start({ dataDir: join(folder, 'calm'), flags: ['--listen', `127.0.0.1:${port}`] });
  expect(await reported()).toEqual(accounts);
  expect(accounts.shop?.balance).toBe(AMOUNT * BigInt(payments));
});
