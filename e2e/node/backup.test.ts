import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { contradictions, readBooks } from '../support/books/books.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, receivingToken, spendingToken, usd } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// Backups of a busy node, and nodes that were restored from a backup.

const HEADLESS = join(root, 'out/main/headless.js');
const PASSPHRASE = 'seven plain words make a long one';

let folder: string;
let passphraseFile: string;
let node: RunningNode;
let client: ClientWallet;
let buyer: Account;
let shop: Account;
let token: Awaited<ReturnType<typeof spendingToken>>;
let incoming: string;
/** A person who is signed in when the backup is made, and the link of one who is not yet. */
let cashier: { id: string };
let pageOfCashier: Record<string, string>;
let waiting: string;
let key: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-backup-'));
  passphraseFile = join(folder, 'passphrase');
  writeFileSync(passphraseFile, `${PASSPHRASE}\n`);
  client = await ClientWallet.start();
  node = await RunningNode.start({ dataDir: join(folder, 'data') });
  shop = await createAccount(node, 'shop', 0n);
  buyer = await createAccount(node, 'buyer', 1_000_000n);
  token = await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('500000') });
  incoming = await receivingToken(node, client);
  const invited = await node.operator.people.invite({ name: 'Ada', role: 'cashier' });
  cashier = invited;
  const answer = await redeem(invited.secret);
  const { pageSecret } = (await answer.json()) as { pageSecret: string };
  pageOfCashier = { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'x-paydesk-session': pageSecret };
  expect((await askAsCashier()).status).toBe(200);
  key = (await node.operator.apiKeys.create({ name: 'the till', role: 'cashier' })).value;
  expect((await askWithKey()).status).toBe(200);
  waiting = (await node.operator.people.invite({ name: 'Bob', role: 'accountant' })).secret;
});
afterAll(async () => {
  await node?.stop();
  rmSync(folder, { recursive: true });
});

const ofPage = () => ({ origin: node.consoleUrl, 'sec-fetch-site': 'same-origin', 'x-paydesk-console': '1' });
/** Opens a sign-in link, as a page does. */
const redeem = (secret: string) =>
  fetch(`${node.consoleUrl}/operator/session`, {
    method: 'POST',
    headers: { ...ofPage(), 'content-type': 'application/json' },
    body: JSON.stringify({ secret }),
  });
const askAsCashier = () => fetch(`${node.consoleUrl}/operator/api/me`, { headers: { ...ofPage(), ...pageOfCashier } });
const askWithKey = () => fetch(`${node.consoleUrl}/operator/api/me`, { headers: { authorization: `Bearer ${key}` } });

/** Types a command. */
function type(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [HEADLESS, ...args, '--backup-passphrase-file', passphraseFile], (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

/** Pays one dollar and waits until it has arrived. */
async function pay(on: RunningNode, accessToken: string): Promise<void> {
  const invoice = await client.sdk.incomingPayment.create(
    { url: on.publicUrl, accessToken: incoming },
    { walletAddress: shop.walletAddress, incomingAmount: usd('100') },
  );
  const { id } = await client.sdk.outgoingPayment.create(
    { url: on.publicUrl, accessToken },
    { walletAddress: buyer.walletAddress, incomingPayment: invoice.id, debitAmount: usd('100') },
  );
  await expect.poll(async () => (await client.sdk.outgoingPayment.get({ url: id, accessToken })).sentAmount.value).toBe('100');
}

/** The node that takes this one's place listens at the same address, so that it is found there. */
const sameAddress = (): string[] => ['--listen', new URL(node.publicUrl).host];

let backupFile: string;
let paidBefore: bigint;

describe('a backup', () => {
  it('is made while clients pay, and nobody else can read its file', async () => {
    let stop = false;
    const paying = (async () => {
      while (!stop) await pay(node, token.value);
    })();
    const made = await type('backup', '--data-dir', node.dataDir);
    stop = true;
    await paying;
    expect(made, made.err).toMatchObject({ code: 0, err: '' });
    backupFile = /^(\S+\.age) holds everything/.exec(made.out)?.[1] ?? '';
    expect(statSync(backupFile).mode & 0o777).toBe(0o600);
    expect(await node.operator.backups.status()).toMatchObject({ last: { file: backupFile, scheduled: false }, schedule: null });
    expect(readFileSync(backupFile).includes('SQLite')).toBe(false);
  });

  it('is made by a schedule, which keeps as many backups as it was told', async () => {
    const place = join(folder, 'scheduled');
    mkdirSync(place);
    await expect(
      node.operator.backups.setSchedule({ folder: join(folder, 'nowhere'), everyHours: 24, keep: 2, passphrase: PASSPHRASE }),
    ).rejects.toMatchObject({ code: 'NO_FOLDER' });
    const schedule = await node.operator.backups.setSchedule({ folder: place, everyHours: 24, keep: 2, passphrase: PASSPHRASE });
    expect(schedule).toMatchObject({ folder: place, everyHours: 24, problem: null });
    await expect.poll(async () => (await node.operator.backups.status()).last, { interval: 100 }).toMatchObject({ scheduled: true });
    expect((await node.operator.backups.status()).schedule?.dueAt.getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    await node.operator.backups.removeSchedule();
    expect((await node.operator.backups.status()).schedule).toBeNull();
  });

  it.each([
    ['over a node that runs', () => node.dataDir, () => backupFile, 'Another paydesk is already running'],
    ['over a node that does not run', () => stopped(), () => backupFile, 'There is a node in'],
    ['from a file that is no backup', () => join(folder, 'other'), () => passphraseFile, 'This file is no backup'],
    ['from a file that does not exist', () => join(folder, 'other'), () => join(folder, 'nothing'), 'There is no file'],
    ['with a byte flipped', () => join(folder, 'other'), () => flipped(), 'damaged'],
  ])('is not restored %s', async (_, dataDir, file, words) => {
    const { code, out, err } = await type('restore', file(), '--data-dir', dataDir());
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(words);
    expect(existsSync(join(folder, 'other', 'paydesk.db'))).toBe(false);
  });
});

/** A data folder with books, on which no node runs. */
function stopped(): string {
  const place = join(folder, 'stopped');
  mkdirSync(place);
  writeFileSync(join(place, 'paydesk.db'), '');
  return place;
}

function flipped(): string {
  const bytes = readFileSync(backupFile);
  bytes[bytes.length - 1000] = (bytes[bytes.length - 1000] ?? 0) ^ 1;
  writeFileSync(join(folder, 'flipped.age'), bytes);
  return join(folder, 'flipped.age');
}

describe('a node restored from a backup', () => {
  beforeAll(async () => {
    paidBefore = (await node.operator.accounts.get({ id: shop.id })).balance;
    const address = sameAddress();
    await node.stop();
    const restored = join(folder, 'restored');
    const { code, err } = await type('restore', backupFile, '--data-dir', restored);
    expect(code, err).toBe(0);
    node = await RunningNode.start({ dataDir: restored, flags: address });
  });

  it('has whole books, as they were at the time of the backup', async () => {
    expect(readBooks(node, contradictions)).toEqual([]);
    const { balance } = await node.operator.accounts.get({ id: shop.id });
    expect(balance).toBeLessThanOrEqual(paidBefore);
    expect(balance).toBeGreaterThanOrEqual(0n);
  });

  it('takes no token that was given before, and freezes every grant until the operator allows it again', async () => {
    await expect(pay(node, token.value)).rejects.toMatchObject({ status: 401 });
    const grants = (await node.operator.apps.grants({})).items;
    expect(new Set(grants.map(({ state }) => state))).toEqual(new Set(['frozen']));
    const paysFor = ({ access }: (typeof grants)[number]) => access.some(({ type }) => type === 'outgoing-payment');
    const warned = async () => (await node.operator.node.overview()).health.filter(({ name }) => name === 'apps');
    // Only those count that the operator had allowed.
    expect(await warned()).toEqual([{ name: 'apps', state: 'warning', frozen: grants.filter(paysFor).length }]);
    const rotate = () => client.sdk.token.rotate({ url: token.manage, accessToken: token.value });
    await expect(rotate()).rejects.toThrow();
    for (const { id } of grants) await node.operator.apps.allowAgain({ id });
    expect(await warned()).toEqual([]);
    const [first] = grants;
    await expect(node.operator.apps.allowAgain({ id: first?.id ?? '' })).rejects.toMatchObject({ code: 'NOT_FROZEN' });
    const next = await rotate();
    incoming = await receivingToken(node, client);
    await pay(node, next.access_token.value);
    expect(readBooks(node, contradictions)).toEqual([]);
  });

  it('has its people, and nobody is signed in or gets in by a link or a key from before', async () => {
    const { people } = await node.operator.people.list();
    expect(people).toMatchObject([
      { id: 'owner', role: 'owner' },
      { id: cashier.id, name: 'Ada', role: 'cashier', state: 'active', sessions: 0, linkEndsAt: null },
      { name: 'Bob', role: 'accountant', state: 'invited', sessions: 0, linkEndsAt: null },
    ]);
    expect((await askAsCashier()).status).toBe(401);
    expect((await redeem(waiting)).status).toBe(403);
    expect((await askWithKey()).status).toBe(401);
    const { keys } = await node.operator.apiKeys.list();
    expect(keys).toMatchObject([{ name: 'the till', expiresAt: null, isPaused: true }]);
    await node.operator.apiKeys.allowAgain({ id: keys[0]?.id ?? '' });
    expect((await askWithKey()).status).toBe(200);
    const { secret } = await node.operator.people.makeLink({ id: cashier.id });
    expect((await redeem(secret)).status).toBe(201);
  });

  it('has a new node key, and keeps the STREAM key for which payers hold addresses', () => {
    const secrets = (dir: string) =>
      JSON.parse(readFileSync(join(folder, dir, 'node-secrets.json'), 'utf8')) as { node: string; stream: string };
    expect(secrets('restored').stream).toBe(secrets('data').stream);
    expect(secrets('restored').node).not.toBe(secrets('data').node);
    expect(existsSync(join(folder, 'restored', 'node-secrets.next.json'))).toBe(false);
  });

  it('is not taken for a copy at its next start', async () => {
    const address = sameAddress();
    await node.stop();
    node = await RunningNode.start({ dataDir: node.dataDir, flags: address });
    expect((await node.operator.apps.grants({})).items.map(({ state }) => state)).not.toContain('frozen');
  });

  it('notices a database that was copied back', async () => {
    const address = sameAddress();
    const [database, old] = [join(node.dataDir, 'paydesk.db'), join(folder, 'old.db')];
    await node.stop();
    copyFileSync(database, old);
    node = await RunningNode.start({ dataDir: node.dataDir, flags: address });
    await node.stop();
    copyFileSync(old, database);
    node = await RunningNode.start({ dataDir: node.dataDir, flags: address });
    const states = (await node.operator.apps.grants({})).items.map(({ state }) => state);
    expect(states).toContain('frozen');
    expect(states).not.toContain('issued');
    expect(node.log.join('\n')).toContain('put back from a copy');
  });
});

describe('the keys of a node', () => {
  it('are encrypted as soon as the environment or a file gives a passphrase', async () => {
    const dataDir = join(folder, 'encrypted');
    const file = join(dataDir, 'node-secrets.json');
    const first = await RunningNode.start({ dataDir });
    await first.stop();
    const { stream } = JSON.parse(readFileSync(file, 'utf8')) as { stream: string };
    const second = await RunningNode.start({ dataDir, env: { PAYDESK_SECRETS_PASSPHRASE: PASSPHRASE } });
    await second.stop();
    expect(readFileSync(file, 'utf8')).not.toContain(stream);
    await expect(RunningNode.start({ dataDir })).rejects.toThrow('is encrypted');
    await expect(RunningNode.start({ dataDir, env: { PAYDESK_SECRETS_PASSPHRASE: 'another' } })).rejects.toThrow('does not open');
    const third = await RunningNode.start({ dataDir, flags: ['--secrets-passphrase-file', passphraseFile] });
    await third.stop();
  });
});
