import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isFinalizedGrantWithAccessToken } from '@interledger/open-payments';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, finishSpending, readCode, requestSpending, usd, waitingRequest } from '../support/clients/flows.ts';
import { prepare, transmit } from '../support/clients/raw-client.ts';
import { consoleLink } from '../support/nodes/console-link.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { openConsoleLink } from '../support/pages/console-session.ts';
import { leaksIn, type Secret, spellingsOf } from '../support/secret-finder.ts';

// The whole story runs several times at the most talkative log level. Afterwards its secrets must be nowhere.

const PAYERS = 6;
const PAYMENTS = 5;

let dataDir: string;
let log: string;
let node: RunningNode;
const files = new Map<string, Buffer>();
const secrets: Secret[] = [];
/**
 * The node stores both nonces of an interaction as they are, because it makes the hash of them. Without `interact_ref`
 * they are worth nothing.
 */
const storedInClear: Secret[] = [];

const collect = (what: string, value: string | Buffer | undefined): void => {
  if (value === undefined || value.length < 16) throw new Error(`no ${what} to look for`);
  secrets.push({ what, value });
};
const lastPart = (url: string) => url.split('/').at(-1) ?? '';

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'paydesk-secrets-'));
  const flags = ['--log-level', 'trace', '--max-packet-amount', '50'];
  const first = await RunningNode.start({ dataDir, flags });
  node = first;
  const [shop, buyer] = [await createAccount(first, 'shop', 0n), await createAccount(first, 'buyer', 1_000_000n)];
  for (let payer = 0; payer < PAYERS; payer += 1) await tellStory(first, shop, buyer);
  await workInConsole(first);
  await knockInVain(first);
  // The files are as a crash leaves them: the write-ahead log still holds the last writes.
  await first.kill();
  keepFiles('killed');
  const second = await RunningNode.start({ dataDir, flags });
  node = second;
  await workInConsole(second);
  await second.stop();
  keepFiles('stopped');
  log = [...first.log, ...second.log].join('\n');
  const stored = JSON.parse(readFileSync(join(dataDir, 'node-secrets.json'), 'utf8')) as { node: string; stream: string };
  collect('node key', Buffer.from(stored.node, 'base64url'));
  collect('STREAM key', Buffer.from(stored.stream, 'base64url'));
});
afterAll(async () => {
  await node.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

function keepFiles(when: string): void {
  for (const name of ['paydesk.db', 'paydesk.db-wal', 'paydesk.lock']) {
    const path = join(dataDir, name);
    if (existsSync(path)) files.set(`${name}, ${when}`, readFileSync(path));
  }
}

/** A client asks to be paid and to pay, pays, rotates its token, and its grant ends in one of several ways. */
async function tellStory(node: RunningNode, shop: Account, buyer: Account): Promise<void> {
  const client = await ClientWallet.start();
  const { sdk } = client;
  const jwk = client.privateKey.export({ format: 'jwk' });
  collect('client’s private key', Buffer.from(jwk.d ?? '', 'base64url'));
  collect('client’s private key as PKCS #8', client.privateKey.export({ format: 'der', type: 'pkcs8' }));

  const receiving = await sdk.grant.request(
    { url: `${node.publicUrl}/auth` },
    { access_token: { access: [{ type: 'incoming-payment', actions: ['create', 'read', 'list', 'complete'] }] } },
  );
  if (!isFinalizedGrantWithAccessToken(receiving)) throw new Error('no token for incoming payments');
  collect('access token to be paid', receiving.access_token.value);
  collect('continuation token to be paid', receiving.continue.access_token.value);

  const asked = await requestSpending(node, client, buyer.walletAddress, { debitAmount: usd('100000') });
  collect('continuation token before the decision', asked.grant.continue.access_token.value);
  collect('nonce of the approval page', lastPart(asked.grant.interact.redirect));
  storedInClear.push({ what: 'client’s nonce', value: asked.clientNonce }, { what: 'node’s nonce', value: asked.grant.interact.finish });
  const code = await readCode(client, asked);
  const { id, shownHash } = await waitingRequest(node);
  await node.operator.approvals.approve({ id, code, shownHash });
  const back = (await client.follow(asked.grant.interact.redirect)).searchParams;
  collect('interact_ref', back.get('interact_ref') ?? undefined);
  collect('interaction hash', back.get('hash') ?? undefined);
  let token = await finishSpending(node, client, asked, back);
  collect('access token to pay', token.value);

  for (let payment = 0; payment < PAYMENTS; payment += 1)
    await pay(node, client, { shop, buyer, receiving: receiving.access_token.value, spending: token.value });

  for (let rotation = 0; rotation < 3; rotation += 1) {
    token = (await sdk.token.rotate({ url: token.manage, accessToken: token.value })).access_token;
    collect(`access token after rotation ${rotation + 1}`, token.value);
  }
  await sdk.token.revoke({ url: token.manage, accessToken: token.value });
  await sdk.grant.cancel({ url: receiving.continue.uri, accessToken: receiving.continue.access_token.value });
  await client.stop();
}

async function pay(node: RunningNode, { sdk }: ClientWallet, by: { shop: Account; buyer: Account; receiving: string; spending: string }) {
  const { shop, buyer, receiving, spending } = by;
  const invoice = await sdk.incomingPayment.create(
    { url: node.publicUrl, accessToken: receiving },
    { walletAddress: shop.walletAddress, incomingAmount: usd('500'), metadata: { description: 'Two books' } },
  );
  const method = invoice.methods[0];
  if (method?.type !== 'ilp') throw new Error('no STREAM credentials');
  const sharedSecret = Buffer.from(method.sharedSecret, 'base64url');
  collect('STREAM shared secret', sharedSecret);
  const paying = { url: node.publicUrl, accessToken: spending };
  const quote = await sdk.quote.create(paying, { walletAddress: buyer.walletAddress, receiver: invoice.id, method: 'ilp' });
  await sdk.outgoingPayment.create(paying, { walletAddress: buyer.walletAddress, quoteId: quote.id });
  while (!(await sdk.incomingPayment.get({ url: invoice.id, accessToken: receiving })).completed) await delay(20);
}

/** The operator's own secrets. */
async function workInConsole(node: RunningNode): Promise<void> {
  collect('operator token', node.operatorToken);
  for (let browser = 0; browser < 3; browser += 1) {
    const link = await consoleLink(node);
    collect('console link', link.slice(link.indexOf('#link=') + '#link='.length));
    const { cookie, pageSecret, operator } = await openConsoleLink(link);
    collect('session cookie', cookie);
    collect('secret of the page', pageSecret);
    await operator.node.overview();
    await operator.payments.list({});
    await operator.apps.grants({});
  }
  const unused = await consoleLink(node);
  collect('unused console link', unused.slice(unused.indexOf('#link=') + '#link='.length));
}

/** The node does not write down the secrets of refused or broken requests either. */
async function knockInVain(node: RunningNode): Promise<void> {
  const client = await ClientWallet.start();
  const secret = () => randomBytes(32).toString('base64url');
  const guesses = {
    token: secret(),
    bearer: secret(),
    link: secret(),
    cookie: secret(),
    ref: secret(),
    query: secret(),
    metadata: secret(),
  };
  for (const [what, value] of Object.entries(guesses)) collect(`refused ${what}`, value);
  await transmit(prepare(client, 'GET', `${node.publicUrl}/incoming-payments?wallet-address=${guesses.query}`, guesses.token));
  await transmit(
    prepare(client, 'POST', `${node.publicUrl}/auth/continue/${crypto.randomUUID()}`, guesses.token, { interact_ref: guesses.ref }),
  );
  await transmit(prepare(client, 'POST', `${node.publicUrl}/incoming-payments`, guesses.token, { metadata: { note: guesses.metadata } }));
  await fetch(`${node.publicUrl}/auth/interact/${crypto.randomUUID()}/${guesses.ref}`);
  await fetch(`${node.consoleUrl}/operator/links`, { method: 'POST', headers: { authorization: `Bearer ${guesses.bearer}` } });
  await fetch(`${node.consoleUrl}/operator/rpc/node/info?data=${guesses.query}`, { headers: { cookie: `paydesk=${guesses.cookie}` } });
  await expect(openConsoleLink(`${node.consoleUrl}/#link=${guesses.link}`)).rejects.toThrow('403');
  await client.stop();
}

describe('after the whole story with the log at trace level', () => {
  it('there is enough to look at and to look for', () => {
    const lines = log.split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(1_000);
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    expect(new Set(lines.map((line) => (JSON.parse(line) as { level: string }).level))).toContain('trace');
    expect(new Set(secrets.map(({ value }) => JSON.stringify(value))).size).toBeGreaterThanOrEqual(100);
    console.log(
      `secrets: ${secrets.length} in ${lines.length} log lines and ${[...files.values()].reduce((sum, file) => sum + file.length, 0)} bytes of files`,
    );
  });

  it('no secret is in the log in any spelling', () => {
    expect(leaksIn(log, [...secrets, ...storedInClear])).toEqual([]);
  });

  it('no secret is in the database or its log, after a crash or a clean stop', () => {
    expect([...files.keys()]).toContain('paydesk.db-wal, killed');
    const leaks = [...files].flatMap(([name, content]) => leaksIn(content, secrets).map((what) => `${what} in ${name}`));
    expect(leaks).toEqual([]);
  });

  it('the data folder holds secrets only in the two files that are for them', () => {
    const all = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(dataDir, name)).isFile());
    const found = all.filter((name) => leaksIn(readFileSync(join(dataDir, name)), secrets).length > 0);
    expect(found.toSorted()).toEqual(['node-secrets.json', 'operator-token']);
  });

  it('the database stores a hash of the token instead', () => {
    const token = secrets.find(({ what }) => what === 'access token to pay')?.value ?? '';
    const hash = createHash('sha256').update(token).digest('base64url');
    expect([...files.values()].some((content) => content.includes(hash))).toBe(true);
  });

  it('the finder finds each planted secret in each spelling', () => {
    const lines = log.split('\n');
    for (const secret of secrets) {
      for (const spelling of spellingsOf(secret)) {
        const planted = lines.toSpliced(500, 0, `{"level":"trace","msg":"got ${spelling} from a client"}`);
        expect(leaksIn(planted.slice(490, 510).join('\n'), [secret])).toEqual([secret.what]);
      }
    }
    const [database = Buffer.alloc(0)] = files.values();
    const raw = secrets.find(({ what }) => what === 'STREAM shared secret');
    if (raw === undefined || !Buffer.isBuffer(raw.value)) throw new Error('no shared secret');
    expect(leaksIn(Buffer.concat([database.subarray(0, 5_000), raw.value, database.subarray(5_000)]), secrets)).toEqual([raw.what]);
  });
});
