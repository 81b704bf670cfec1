import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { readBooks } from '../../e2e/support/books/books.ts';
import { createAccount } from '../../e2e/support/clients/flows.ts';
import { prepareAs } from '../../e2e/support/clients/raw-client.ts';
import { RunningNode } from '../../e2e/support/nodes/running-node.ts';
import { TestPeer } from '../../e2e/support/other-nodes/test-peer.ts';
import { MadeUpWallets } from '../../e2e/support/strangers/made-up-wallets.ts';
import {
  askToPay,
  createIncoming,
  createQuote,
  LARGE,
  longFinish,
  pretendToPay,
  QUOTE,
  RECEIVE,
  sendLongField,
} from '../../e2e/support/strangers/requests.ts';
import { type MadeUpClient, Stranger, type Tally } from '../../e2e/support/strangers/stranger.ts';
import { cpuMs } from '../support/processes.ts';
import type { Row } from '../support/report.ts';

/** How many requests go at once. */
const WIDTH = 8;
const MANY = 800;
const WARM_UP = 100;
/** Requests that wait for silent hosts take seconds each. */
const FEW = 40;
const REST_MS = 10_000;

/** What a request costs the node, as a mean. */
interface Cost {
  readonly what: string;
  /** How often each status was answered. */
  readonly answers: Readonly<Tally>;
  /** Processor time of the whole node in microseconds. It is undefined where the system does not tell. */
  readonly cpu: number | undefined;
  /** What the database has grown by, in bytes. */
  readonly bytes: number;
  readonly rows: number;
  /** Requests to others, and connections to hosts that never answer. */
  readonly outbound: number;
}

interface Case {
  readonly what: string;
  readonly count?: number;
  readonly ask: () => Promise<unknown>;
}

/** What strangers can ask a node for, and what each request uses up there. */
class Costs {
  readonly #node: RunningNode;
  readonly #wallets: MadeUpWallets;
  readonly #shop: string;
  readonly #request: string;
  /** The link of a receipt, which its customer has. */
  readonly #receipt: string;
  readonly #answers: Tally = {};
  #addresses = 0;
  /** The share of a processor that the node takes when nobody asks. Slow requests would count it as theirs. */
  #idle = 0;

  constructor(node: RunningNode, wallets: MadeUpWallets, { shop, request, receipt }: Record<'shop' | 'request' | 'receipt', string>) {
    this.#node = node;
    this.#wallets = wallets;
    this.#shop = shop;
    this.#request = request;
    this.#receipt = receipt;
  }

  async measureAll(): Promise<Cost[]> {
    const before = cpuMs(this.#node.pid) ?? 0;
    await pause(REST_MS);
    this.#idle = ((cpuMs(this.#node.pid) ?? 0) - before) / REST_MS;
    const costs: Cost[] = [];
    for (const one of [...this.#unsigned(), ...this.#visits(), ...this.#doors(), ...(await this.#signed())])
      costs.push(await this.#measure(one));
    return costs;
  }

  async #measure({ what, count = MANY, ask }: Case): Promise<Cost> {
    await this.#repeat(ask, Math.min(WARM_UP, count / 4));
    for (const status of Object.keys(this.#answers)) delete this.#answers[status];
    const begin = performance.now();
    const before = { cpu: cpuMs(this.#node.pid), outbound: this.#wallets.asked, ...stored(this.#node) };
    await this.#repeat(ask, count);
    const elapsed = performance.now() - begin;
    const after = { cpu: cpuMs(this.#node.pid), outbound: this.#wallets.asked, ...stored(this.#node) };
    return {
      what,
      answers: { ...this.#answers },
      cpu:
        before.cpu === undefined || after.cpu === undefined
          ? undefined
          : (Math.max(0, after.cpu - before.cpu - elapsed * this.#idle) * 1_000) / count,
      bytes: (after.bytes - before.bytes) / count,
      rows: (after.rows - before.rows) / count,
      outbound: (after.outbound - before.outbound) / count,
    };
  }

  async #repeat(ask: () => Promise<unknown>, count: number): Promise<void> {
    let left = count;
    const lane = async () => {
      while (left-- > 0) await ask();
    };
    await Promise.all(Array.from({ length: WIDTH }, lane));
  }

  /** Somebody at a network address of their own. */
  #stranger(): Stranger {
    this.#addresses += 1;
    const address = `127.0.${10 + Math.floor(this.#addresses / 250)}.${1 + (this.#addresses % 250)}`;
    const node = { publicUrl: this.#node.publicUrl, shop: this.#shop, request: this.#request };
    return new Stranger(node, this.#wallets, address, this.#answers);
  }

  /** Requests of those who have no key at all. */
  #unsigned(): Case[] {
    const stranger = this.#stranger();
    const { publicUrl } = this.#node;
    const get = (path: string) => stranger.send({ method: 'GET', url: publicUrl + path, headers: {}, body: undefined });
    const post = (path: string, body: string) => {
      const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
      return stranger.send({ method: 'POST', url: publicUrl + path, headers, body });
    };
    const shop = new URL(this.#shop).pathname;
    return [
      { what: 'GET a wallet address', ask: () => get(shop) },
      { what: 'GET its keys', ask: () => get(`${shop}/jwks.json`) },
      { what: 'GET a path without anything', ask: () => get(`/${randomUUID()}`) },
      { what: 'GET an incoming payment', ask: () => get(`/incoming-payments/${this.#request}`) },
      { what: 'POST /auth, unsigned', ask: () => post('/auth', '{}') },
      { what: 'POST /auth, 60 KB that are no JSON', ask: () => post('/auth', '['.repeat(60_000)) },
    ];
  }

  /** What people ask for in a browser. A node takes few forms from one network address. */
  #visits(): Case[] {
    const get = (path: string, accept = 'text/html') =>
      this.#once((stranger) => stranger.send({ method: 'GET', url: this.#node.publicUrl + path, headers: { accept }, body: undefined }));
    const { pathname: receipt } = new URL(this.#receipt);
    const pretend = (wallet: string) => this.#once((stranger) => pretendToPay(stranger, wallet));
    return [
      { what: 'GET the page of a payment', ask: () => get(`/pay/${this.#request}`) },
      { what: 'POST a form to pay from a made-up wallet', count: FEW, ask: () => pretend(this.#wallets.next()) },
      { what: 'POST a form to pay from a silent host', count: FEW, ask: () => pretend(this.#wallets.nextSilent()) },
      { what: 'GET the page of a receipt', ask: () => get(receipt) },
      { what: 'GET the file of a receipt', ask: () => get(`${receipt}/receipt.pdf`) },
      { what: 'GET the page of a refund, a made-up link', ask: () => get(`/claim/${madeUp()}`) },
      { what: 'GET the page of a till', ask: () => get('/till/') },
    ];
  }

  /** The doors of peers, tills and people at the console, each with a secret that somebody has made up. */
  #doors(): Case[] {
    const { publicUrl, consoleUrl } = this.#node;
    const post = (url: string, body: object | string, headers: Record<string, string> = {}) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const sent = { 'content-type': 'application/json', 'content-length': String(text.length), ...headers };
      return this.#once((stranger) => stranger.send({ method: 'POST', url, headers: sent, body: text }));
    };
    const asPage = (origin: string) => ({ origin, 'x-paydesk-console': '1' });
    const token = { authorization: `Bearer ${madeUp()}`, 'content-type': 'application/octet-stream' };
    const password = { signInName: 'owner', password: 'a wrong password', code: '000000' };
    return [
      { what: 'POST /ilp, a made-up token', ask: () => post(`${publicUrl}/ilp`, 'x'.repeat(100), token) },
      {
        what: 'POST /ilp/invitations/read, a made-up code',
        ask: () => post(`${publicUrl}/ilp/invitations/read`, { secret: madeUp().slice(0, 22) }),
      },
      { what: 'POST /till/pair, a made-up link', ask: () => post(`${publicUrl}/till/pair`, { secret: madeUp() }, asPage(publicUrl)) },
      {
        what: 'POST /operator/session, a made-up link',
        ask: () => post(`${consoleUrl}/operator/session`, { secret: madeUp() }, asPage(consoleUrl)),
      },
      {
        what: 'POST /operator/session, a wrong password',
        ask: () => post(`${consoleUrl}/operator/session`, password, asPage(consoleUrl)),
      },
    ];
  }

  /** Lets somebody ask who has not asked before. */
  async #once(ask: (stranger: Stranger) => Promise<unknown>): Promise<void> {
    const stranger = this.#stranger();
    await ask(stranger);
    stranger.leave();
  }

  /** Requests of those who have made up a key. */
  async #signed(): Promise<Case[]> {
    const stranger = this.#stranger();
    const { publicUrl } = this.#node;
    const [client, other, wallet] = [await stranger.keyOnly(), await stranger.keyOnly(), stranger.withWallet()];
    const token = (await stranger.askFor(client, [...RECEIVE, ...QUOTE]))?.access_token?.value ?? '';
    const { id: receiver } = JSON.parse((await createIncoming(stranger, client, token, {})).text) as { id: string };
    const continued = (await askToPay(stranger, wallet))?.continue;
    const read = (by: MadeUpClient, more = '') => stranger.signed(by, { method: 'GET', url: receiver, token }, more);
    const list = `${publicUrl}/incoming-payments?wallet-address=${encodeURIComponent(this.#shop)}&first=100`;
    const silent = () => {
      const { origin, pathname } = new URL(this.#wallets.nextSilent());
      return `${origin}/incoming-payments${pathname}`;
    };
    let n = 0;
    const forged = prepareAs({ ...other.signer, kid: client.signer.kid }, { method: 'GET', url: receiver, token });
    return [
      { what: 'POST /auth, a signature field of 14 KB', ask: () => sendLongField(stranger, client, n++) },
      { what: 'GET with a wrong signature', ask: () => stranger.send(forged) },
      {
        what: 'POST /auth/continue, polling',
        ask: () => stranger.signed(wallet, { method: 'POST', url: continued?.uri ?? '', token: continued?.access_token.value ?? '' }),
      },
      { what: 'POST /auth, a new key', ask: async () => await stranger.askFor(await stranger.keyOnly(), RECEIVE) },
      { what: 'POST /auth, a new wallet address', ask: () => stranger.askFor(stranger.withWallet(), RECEIVE) },
      {
        what: 'POST /auth, a key at a silent host',
        count: FEW,
        ask: () => stranger.askFor({ signer: this.#wallets.key, name: this.#wallets.nextSilent() }, RECEIVE),
      },
      { what: 'POST /auth, to pay, never opened', ask: () => askToPay(stranger, wallet, longFinish()) },
      { what: 'GET an incoming payment, signed', ask: () => read(client) },
      {
        what: 'GET an incoming payment, signed with a nonce',
        ask: () => read(client, `;nonce="${randomBytes(64).toString('hex')}"`),
      },
      { what: 'POST /incoming-payments', ask: () => createIncoming(stranger, client, token, { id: randomUUID() }) },
      {
        what: 'POST /incoming-payments with 15 KB',
        ask: () => createIncoming(stranger, client, token, { text: LARGE, id: randomUUID() }),
      },
      {
        what: 'GET /incoming-payments, 100 of 15 KB',
        count: FEW,
        ask: () => stranger.signed(client, { method: 'GET', url: list, token }),
      },
      { what: 'POST /quotes for this node', ask: () => createQuote(stranger, client, token, receiver) },
      { what: 'POST /quotes for a silent host', count: FEW, ask: () => createQuote(stranger, client, token, silent()) },
    ];
  }
}

const madeUp = (): string => randomBytes(24).toString('base64url');

/** Somebody buys something. @returns the link of the receipt. */
async function receiptOf(node: RunningNode, accountId: string): Promise<string> {
  const { operator } = node;
  const buyer = await createAccount(node, 'buyer', 5_000n);
  const { id, link } = await operator.requests.create({ requestId: randomUUID(), accountId, amount: 500n, description: 'Roses' });
  const payee = link.replace('/pay/', '/incoming-payments/');
  const quote = await operator.payments.quote({ requestId: randomUUID(), accountId: buyer.id, payee });
  await operator.payments.pay({ requestId: randomUUID(), accountId: buyer.id, quoteId: quote.id });
  while ((await operator.payments.get({ id })).status !== 'paid') await pause(50);
  return (await operator.receipts.issue({ kind: 'sale', id })).link;
}

/** How large the database is, without its free pages, and how many rows it has. */
function stored(node: RunningNode): { bytes: number; rows: number } {
  return readBooks(node, (database) => {
    const pragma = (name: string): number => Number(database.pragma(name, { simple: true }));
    const tables = database.prepare("select name from sqlite_master where type = 'table'").pluck().all();
    const rows = tables.map((name) =>
      Number(
        database
          .prepare(`select count(*) from "${String(name)}"`)
          .pluck()
          .get(),
      ),
    );
    return {
      bytes: (pragma('page_count') - pragma('freelist_count')) * pragma('page_size'),
      rows: rows.reduce((sum, count) => sum + count, 0),
    };
  });
}

/**
 * Measures what each request of a stranger costs the node. Its limits are off, so that every request is carried out and
 * none is only refused.
 */
export async function measureCosts(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-'));
  const flags = ['--token-lifetime', '86400', '--address-rate', '0', '--client-rate', '0'];
  const node = await RunningNode.start({ dataDir: join(folder, 'node'), flags, logTo: openSync(join(folder, 'log'), 'a') });
  const wallets = await MadeUpWallets.start();
  try {
    const { id: accountId, walletAddress } = await createAccount(node, 'shop', 0n);
    const { id } = await node.operator.requests.create({ requestId: randomUUID(), accountId, amount: 500n });
    // Without a peer nobody elsewhere can pay, and a form to pay would be refused at once.
    await TestPeer.of(node);
    const receipt = await receiptOf(node, accountId);
    const costs = await new Costs(node, wallets, { shop: walletAddress, request: id, receipt }).measureAll();
    return costs.map(({ what, answers, cpu, bytes, rows, outbound }) => ({
      'request of a stranger': what,
      answers: Object.keys(answers).join(', '),
      'cpu each': cpu === undefined ? '' : `${cpu.toFixed(0)} µs`,
      'bytes kept': bytes.toFixed(0),
      rows: rows.toFixed(1),
      outbound: outbound.toFixed(1),
    }));
  } finally {
    wallets.stop();
    await node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
