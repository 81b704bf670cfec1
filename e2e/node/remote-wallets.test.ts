import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFinalizedGrantWithAccessToken } from '@interledger/open-payments';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, receivingToken, usd } from '../support/clients/flows.ts';
import { prepare, transmit } from '../support/clients/raw-client.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { leaksIn, type Secret } from '../support/secret-finder.ts';

// A built node reads incoming payments at another one, over HTTP and across restarts. The test sees between them what
// they send.

const FLAGS = ['--log-level', 'trace'];

let folder: string;
let asking: RunningNode;
let asked: RunningNode;
let middle: Server;
let client: ClientWallet;
let payer: Account;
let quoting: string;
let receiver: string;
const logs: string[] = [];
/** Requests that came to the other wallet, such as `POST /auth 200`, and every token that was seen on the way. */
let passed: string[] = [];
const tokens: Secret[] = [];

const keepToken = (value: string | undefined): void => {
  if (value !== undefined && !tokens.some((known) => known.value === value)) tokens.push({ what: `token ${tokens.length}`, value });
};

/** Hands everything on to the node at `host` and writes down what it was. */
function listenBetween(host: string): Server {
  return createServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    keepToken(headers.authorization?.slice('GNAP '.length));
    const onward = httpRequest(`http://${host}${url}`, { method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const body = Buffer.concat(parts).toString();
        for (const [, value] of body.matchAll(/"value":"([\w-]{43})"/g)) keepToken(value);
        const short = url.replace(/[\da-f]{8}-[\da-f-]{27}/, '…');
        passed.push(`${method} ${short}${headers.authorization === undefined ? '' : ' with token'} ${answer.statusCode}`);
        response.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' }).end(body);
      });
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-remote-'));
  const dataDir = join(folder, 'asked');
  const first = await RunningNode.start({ dataDir });
  const { host } = new URL(first.publicUrl);
  middle = listenBetween(host);
  // The first server keeps its port meanwhile, so that the second one does not get the same.
  await new Promise<void>((resolve) => middle.listen(0, '127.0.0.1', resolve));
  await first.stop();
  const publicUrl = `http://127.0.0.1:${(middle.address() as AddressInfo).port}`;
  asked = await RunningNode.start({ dataDir, flags: ['--listen', host, '--public-url', publicUrl] });
  asking = await RunningNode.start({ dataDir: join(folder, 'asking'), flags: FLAGS });
  client = await ClientWallet.start();
  payer = await createAccount(asking, 'payer', 100_000n);
  const { walletAddress } = await createAccount(asked, 'shop', 0n);
  const grant = await client.sdk.grant.request(
    { url: `${asking.publicUrl}/auth` },
    { access_token: { access: [{ type: 'quote', actions: ['create'] }] } },
  );
  if (!isFinalizedGrantWithAccessToken(grant)) throw new Error('no token for quotes');
  quoting = grant.access_token.value;
  const made = await client.sdk.incomingPayment.create(
    { url: asked.publicUrl, accessToken: await receivingToken(asked, client) },
    { walletAddress, incomingAmount: usd('500') },
  );
  receiver = made.id;
});
afterAll(async () => {
  await asking.stop();
  await asked.stop();
  await client.stop();
  middle.closeAllConnections();
  await new Promise((resolve) => middle.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

/** Asks for a price for the receiver. The two nodes are no peers: once it is found, that is what is said. */
async function quote(): Promise<string> {
  passed = [];
  const body = { walletAddress: payer.walletAddress, receiver, method: 'ilp' };
  const { text } = await transmit(prepare(client, 'POST', `${asking.publicUrl}/quotes`, quoting, body));
  return /"code":"(\w+)"/.exec(text)?.[1] ?? text;
}

async function restart(): Promise<void> {
  const { dataDir, publicUrl } = asking;
  await asking.kill();
  logs.push(...asking.log);
  asking = await RunningNode.start({ dataDir, flags: [...FLAGS, '--listen', new URL(publicUrl).host] });
}

const LOOK = 'GET /incoming-payments/… 200';
const ASK = 'POST /auth 200';
const READ = 'GET /incoming-payments/… with token 200';
const STALE = 'GET /incoming-payments/… with token 401';

it('the node gets a grant for its signature and reads the payment', async () => {
  expect(await quote()).toBe('no_route');
  expect(passed).toEqual([LOOK, ASK, READ]);
});

it('the node keeps the grant when it is killed', async () => {
  await restart();
  expect(await quote()).toBe('no_route');
  expect(passed).toEqual([LOOK, READ]);
});

it('the node goes on when the other wallet has ended the token or the grant', async () => {
  const { items } = await asked.operator.apps.grants({});
  const grant = items.find(({ client: { id } }) => id === payer.walletAddress) ?? expect.fail('the other wallet knows no such client');
  await asked.operator.apps.rotateToken({ id: grant.tokens[0]?.id ?? '' });
  expect(await quote()).toBe('no_route');
  expect(passed).toEqual([STALE, LOOK, STALE, 'POST /auth/token/… with token 200', READ]);
  await asked.operator.apps.revokeGrant({ id: grant.id });
  expect(await quote()).toBe('no_route');
  expect(passed).toEqual([STALE, LOOK, STALE, 'POST /auth/token/… with token 400', ASK, READ]);
});

it('the node has no token in its data folder or log', async () => {
  await asking.stop();
  logs.push(...asking.log);
  // These are the access and continuation tokens before and after.
  expect(tokens.length).toBeGreaterThanOrEqual(4);
  for (const name of ['paydesk.db', 'paydesk.db-wal']) {
    const path = join(asking.dataDir, name);
    if (existsSync(path)) expect(leaksIn(readFileSync(path), tokens), name).toEqual([]);
  }
  const text = logs.join('\n');
  expect(text).toContain('asked elsewhere');
  expect(leaksIn(text, tokens)).toEqual([]);
});
