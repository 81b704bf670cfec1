import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, receivingToken, spendingToken, usd, waitingRequest } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// The test runs the scripts of docs/developers.md as they are, so what the page shows works.

const DOCS = resolve(import.meta.dirname, '../../docs');
const folder = mkdtempSync(join(tmpdir(), 'paydesk-examples-'));
const GRANT = join(folder, 'grant.json');

let node: RunningNode;
let client: ClientWallet;
let shop: Account;
let buyer: Account;
let receiving: string;

beforeAll(async () => {
  [node, client] = await Promise.all([RunningNode.start(), ClientWallet.start()]);
  [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', 50_000n)];
  receiving = await receivingToken(node, client);
  writeFileSync(join(folder, 'private.pem'), client.privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
});
afterAll(async () => {
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
  expect(await node.stop()).toBe(0);
});

/** Runs a script. @param onLine is told each line it prints. @returns all of them. @throws Error when it fails. */
async function run(script: string, args: readonly string[], onLine: (line: string) => Promise<void> = async () => {}): Promise<string[]> {
  const env = { ...process.env, WALLET_ADDRESS: client.url, KEY_ID: client.keyId, PRIVATE_KEY_FILE: join(folder, 'private.pem') };
  const child = spawn(process.execPath, [join(DOCS, 'examples', script), ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  const exited = once(child, 'exit');
  const complaints: Buffer[] = [];
  child.stderr.on('data', (part: Buffer) => complaints.push(part));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    await onLine(line);
  }
  const [code] = await exited;
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${Buffer.concat(complaints).toString()}`);
  return lines;
}

/** Plays the person and the operator, whenever a script asks. */
const decide =
  (decision: 'approve' | 'deny') =>
  async (line: string): Promise<void> => {
    const [, url] = /^Open (http.+)$/.exec(line) ?? [];
    if (url === undefined) return;
    const code = /<p class="code"[^>]*>(\d{4})</.exec(await client.open(url))?.[1] ?? '';
    const { id, shownHash } = await waitingRequest(node);
    if (decision === 'approve') await node.operator.approvals.approve({ id, code, shownHash });
    else await node.operator.approvals.deny({ id });
    const page = await fetch(url);
    expect(await page.text()).toContain('You can close this page');
  };
const invoice = async (value?: string): Promise<string> => {
  const amount = value === undefined ? {} : { incomingAmount: usd(value) };
  const wanted = { walletAddress: shop.walletAddress, ...amount };
  return (await client.sdk.incomingPayment.create({ url: node.publicUrl, accessToken: receiving }, wanted)).id;
};
const hasReceived = async (url: string): Promise<string | undefined> =>
  (await client.sdk.incomingPayment.getPublic({ url })).receivedAmount?.value;

describe('the script', () => {
  it('be-paid.mjs waits until it is paid', async () => {
    const { value: accessToken } = await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('1250') });
    const lines = await run('be-paid.mjs', [shop.walletAddress, '1250'], async (line) => {
      const [, incomingPayment] = /^Pay to (.+)$/.exec(line) ?? [];
      if (incomingPayment === undefined) return;
      await client.sdk.outgoingPayment.create(
        { url: node.publicUrl, accessToken },
        { walletAddress: buyer.walletAddress, incomingPayment, debitAmount: usd('1250') },
      );
    });
    expect(lines).toEqual([expect.stringContaining(`${node.publicUrl}/incoming-payments/`), 'Received 1250']);
  });

  it('pay-once.mjs pays from a quote', async () => {
    const receiver = await invoice('700');
    const lines = await run('pay-once.mjs', [buyer.walletAddress, receiver], decide('approve'));
    expect(lines).toEqual(['It costs 700', expect.stringMatching(/^Open /), 'Paid 700']);
    expect(await hasReceived(receiver)).toBe('700');
    await expect(run('pay-once.mjs', [buyer.walletAddress, await invoice('7')], decide('deny'))).rejects.toThrow(
      'The answer was no: grant_rejected',
    );
  });

  it('pay-monthly.mjs pays up to its budget', async () => {
    const receiver = await invoice();
    const pay = (value: string) => run('pay-monthly.mjs', [buyer.walletAddress, '5000', GRANT, receiver, value], decide('approve'));
    expect(await pay('1200')).toEqual([expect.stringMatching(/^Open /), 'Paid 1200, this month 1200 of 5000']);
    expect(await pay('3800')).toEqual(['Paid 3800, this month 5000 of 5000']);
    expect(await pay('1')).toEqual(['Not this month: 5000 of 5000 are spent']);
  });

  it('rotate-and-revoke.mjs rotates a token and revokes it', async () => {
    const before = readFileSync(GRANT, 'utf8');
    expect(await run('rotate-and-revoke.mjs', [GRANT])).toEqual(['Rotated: the old token is dead']);
    expect(readFileSync(GRANT, 'utf8')).not.toBe(before);
    const receiver = await invoice();
    const pay = () => run('pay-monthly.mjs', [buyer.walletAddress, '5000', GRANT, receiver, '1']);
    expect(await pay()).toEqual(['Not this month: 5000 of 5000 are spent']);
    expect(await run('rotate-and-revoke.mjs', [GRANT, 'revoke'])).toHaveLength(2);
    await expect(pay()).rejects.toThrow('invalid_token');
  });
});

describe('the page', () => {
  it('shows every script as it is', () => {
    const page = readFileSync(join(DOCS, 'developers.md'), 'utf8');
    const shown = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
    const scripts = readdirSync(join(DOCS, 'examples')).map((name) => readFileSync(join(DOCS, 'examples', name), 'utf8'));
    expect(shown.sort()).toEqual(scripts.sort());
  });
});
