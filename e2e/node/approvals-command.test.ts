import { execFile } from 'node:child_process';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
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
  type SpendingLimits,
  usd,
} from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// An operator on a server who has no browser: what apps ask for is read and answered by commands. Apps use the official
// SDK and notice no difference.

const HEADLESS = join(root, 'out/main/headless.js');
const PASSPHRASE = 'seven plain words in the morning';

let node: RunningNode;
let client: ClientWallet;
let shop: Account;
let buyer: Account;

beforeAll(async () => {
  node = await RunningNode.start();
  client = await ClientWallet.start('Books \u001b[2J \u202e”) asks to do nothing');
  shop = await createAccount(node, 'shop', 0n);
  buyer = await createAccount(node, 'buyer', 50_000n);
});
afterAll(async () => {
  await node?.stop();
  await client?.stop();
});

/** Runs a command without a terminal. `piped` is its input. */
function type(args: readonly string[], piped = ''): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [HEADLESS, ...args, '--data-dir', node.dataDir], (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
    // A command that asks for nothing may have ended before the input is written.
    child.stdin?.on('error', () => undefined).end(piped);
  });
}

/** An app asks, and its person's page shows the code. */
async function ask(limits: SpendingLimits) {
  const asked = await requestSpending(node, client, buyer.walletAddress, limits);
  return { asked, code: await readCode(client, asked) };
}

/** The one request the terminal shows: its id, and the value that stands for it in a script. */
async function listed(): Promise<{ id: string; confirm: string; text: string }> {
  const { code, out, err } = await type(['approvals']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const ids = [...out.matchAll(/^Request (\S+)$/gm)].map(([, id]) => id);
  expect(ids).toHaveLength(1);
  return { id: ids[0] ?? '', confirm: /--confirm=\S+/.exec(out)?.[0] ?? '', text: out.replace(/\s+/g, ' ') };
}

async function pay(spending: string, amount: string): Promise<void> {
  const receiving = await receivingToken(node, client);
  const invoice = await client.sdk.incomingPayment.create(
    { url: node.publicUrl, accessToken: receiving },
    { walletAddress: shop.walletAddress, incomingAmount: usd(amount) },
  );
  const { id } = await client.sdk.outgoingPayment.create(
    { url: node.publicUrl, accessToken: spending },
    { walletAddress: buyer.walletAddress, incomingPayment: invoice.id, debitAmount: usd(amount) },
  );
  await expect.poll(async () => (await client.sdk.outgoingPayment.get({ url: id, accessToken: spending })).sentAmount.value).toBe(amount);
}

it('the command says when no app asks for anything', async () => {
  expect(await type(['approvals'])).toEqual({ code: 0, out: expect.stringMatching(/^No app asks for anything\./), err: '' });
});

it('the command shows a grant request and allows exactly it, and the app pays', async () => {
  const { asked, code } = await ask({ debitAmount: usd('5000'), interval: 'R/2026-01-01T00:00:00Z/P1M' });
  const { id, confirm, text } = await listed();
  const host = new URL(client.url).host;
  expect(text).toContain(`${host}/till (calls itself “Books`);
  expect(text).toContain('Wants to make payments From account The buyer');
  expect(text).toContain('How much up to $50.00 How often every month, counted from January 1, 2026');
  expect(text).toContain('Most that leaves the account $50.00');

  // There is no terminal, so piped input does not count.
  const unattended = await type(['approve', id, '--code', code], 'approve\napprove\n');
  expect(unattended).toMatchObject({ code: 1, err: expect.stringContaining('add the --confirm value') });
  const mistyped = await type(['approve', id, '--code', code === '0000' ? '0001' : '0000', confirm]);
  expect(mistyped).toMatchObject({ code: 1, err: 'That is not the code on the page. 4 attempts left.\n' });

  const { code: exit, out, err } = await type(['approve', id, '--code', code, confirm]);
  expect({ exit, err }).toEqual({ exit: 0, err: '' });
  expect(out).toContain(`Approved. The waiting page now goes back to ${host} by itself.`);
  const { value } = await finishSpending(node, client, asked, (await client.follow(asked.grant.interact.redirect)).searchParams);
  await pay(value, '1200');
  expect(await type(['approve', id, '--code', code, confirm])).toMatchObject({ code: 1, err: 'This request is not there any more.\n' });
});

it('the command prints nothing that a terminal obeys, whatever an app calls itself', async () => {
  await ask({ debitAmount: usd('1') });
  const { out } = await type(['approvals']);
  expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  // The name cannot end its quotation marks either.
  expect(out.replace(/\s+/g, ' ')).toContain('’) asks to do nothing”) Wants to make payments');
  await type(['deny', (await listed()).id]);
});

it('the command allows no limit on what arrives alone, and says which one would do', async () => {
  const { code } = await ask({ receiveAmount: usd('5000') });
  const { id, confirm, text } = await listed();
  expect(text).toContain('any amount (until the receivers say that $50.00 have arrived)');
  expect(text).toContain('It limits only what arrives.');
  expect(text).toContain('$51.00 should be enough for what may arrive');
  const refused = await type(['approve', id, '--code', code, confirm]);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('--any-amount-from') });
  const { code: exit, out } = await type(['approve', id, '--code', code, confirm, '--limit', '51']);
  expect({ exit, out: out.replace(/\s+/g, ' ') }).toEqual({
    exit: 0,
    out: expect.stringMatching(/By your terms .* up to \$51\.00, until \$50\.00 have arrived How often once/),
  });
});

it('the command allows less than the app asked for, and sets an end', async () => {
  const { asked, code } = await ask({ debitAmount: usd('5000') });
  const { id, confirm } = await listed();
  const more = await type(['approve', id, '--code', code, confirm, '--limit', '60']);
  expect(more).toMatchObject({ code: 1, err: expect.stringContaining('you cannot allow more than that') });
  const { code: exit, out } = await type(['approve', id, '--code', code, confirm, '--limit', '2.50', '--last-day', '2100-12-31']);
  expect({ exit, out: out.replace(/\s+/g, ' ') }).toEqual({
    exit: 0,
    out: expect.stringMatching(/By your terms .* up to \$2\.50 How often once/),
  });
  const { value } = await finishSpending(node, client, asked, (await client.follow(asked.grant.interact.redirect)).searchParams);
  await expect(pay(value, '251')).rejects.toMatchObject({ status: 403 });
  await pay(value, '250');
  const { items } = await node.operator.apps.grants({});
  expect(items.find(({ interactive }) => interactive)).toMatchObject({
    expiresAt: expect.any(Date),
    budgets: [{ limit: { value: 250n }, spent: { value: 250n } }],
  });
});

it('the command wants an amount or the name of the account for a grant request without a limit', async () => {
  const { asked, code } = await ask({});
  const { id, confirm, text } = await listed();
  expect(text).toContain('This app did not say how much it wants to spend.');
  for (const [options, words] of [
    [[], 'Say how much it may spend with --limit, or --any-amount-from buyer'],
    [['--any-amount-from', 'shop'], 'This is not the name of the account.'],
  ] as const) {
    const { code: exit, err } = await type(['approve', id, '--code', code, confirm, ...options]);
    expect({ exit, err }).toEqual({ exit: 1, err: expect.stringContaining(words) });
  }
  expect((await type(['approve', id, '--code', code, confirm, '--any-amount-from', 'buyer'])).code).toBe(0);
  const { value } = await finishSpending(node, client, asked, (await client.follow(asked.grant.interact.redirect)).searchParams);
  await pay(value, '9000');
});

it('the command denies a grant request, and the app is told', async () => {
  const { asked } = await ask({ debitAmount: usd('100') });
  const { id } = await listed();
  const { code, out, err } = await type(['deny', id]);
  expect({ code, out, err }).toEqual({
    code: 0,
    out: expect.stringMatching(/^Denied: 127\.0\.0\.1:\d+\/till\. The app learns this/),
    err: '',
  });
  const back = await client.follow(asked.grant.interact.redirect);
  expect(back.searchParams.get('result')).toBe('grant_rejected');
  expect(back.searchParams.get('interact_ref')).toBeNull();
  expect((await type(['approvals'])).out).toMatch(/^No app asks for anything\./);
  expect(await type(['deny', id])).toMatchObject({ code: 1, err: 'This request is not there any more.\n' });
});

it('the command allows only what the operator has read', async () => {
  const { code } = await ask({ debitAmount: usd('100') });
  const { id, confirm } = await listed();
  // Somebody who can write the node's files raises the limit after the operator has read the request.
  const books = new Sqlite(join(node.dataDir, 'paydesk.db'));
  const changed = books
    .prepare(`UPDATE grants SET requested = replace(requested, '"value":"100"', '"value":"99900"') WHERE id = ?`)
    .run(id);
  books.close();
  expect(changed.changes).toBe(1);
  const { code: exit, out, err } = await type(['approve', id, '--code', code, confirm]);
  expect({ exit, err }).toEqual({ exit: 1, err: expect.stringContaining('This is not the request that --confirm stands for') });
  expect(out).toContain('$999.00');
  expect((await node.operator.approvals.get({ id })).id).toBe(id);
  await type(['deny', id]);
});

it.each([['approve'], ['deny']])('%s takes nothing but the id of a grant request', async (command) => {
  for (const id of ['../accounts', '1', '%2e%2e']) {
    expect(await type([command, id])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('"approvals" lists them') });
  }
  const unknown = await type([command, '00000000-0000-4000-8000-000000000000']);
  expect(unknown).toEqual({ code: 1, out: '', err: 'This request is not there any more.\n' });
});

it('the command is refused by a locked node and says how to unlock it', async () => {
  const { code } = await ask({ debitAmount: usd('100') });
  const { id, confirm } = await listed();
  await node.operator.lock.protect({ passphrase: PASSPHRASE, settings: { idleMinutes: null, atStart: false } });
  await node.operator.lock.now();
  for (const args of [['approvals'], ['approve', id, '--code', code, confirm], ['deny', id], ['status']]) {
    expect(await type(args)).toEqual({ code: 1, out: '', err: expect.stringMatching(/^The node is locked\. .*unlock/i) });
  }
  expect(await type(['unlock'], '\n')).toEqual({ code: 1, out: '', err: 'Nothing was typed. The node stays locked.\n' });
  expect(await type(['unlock'], 'not this one\n')).toEqual({ code: 1, out: '', err: 'This is not the passphrase.\n' });
  expect(await type(['unlock'], `${PASSPHRASE}\n`)).toEqual({ code: 0, out: 'The node is unlocked.\n', err: '' });
  expect(await type(['unlock'])).toEqual({ code: 0, out: 'The node is not locked.\n', err: '' });
  expect((await type(['approve', id, '--code', code, confirm])).code).toBe(0);
});
