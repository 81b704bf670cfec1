import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import type { Account } from '../../../src-shared/operator-contract/accounts.ts';
import { ClientWallet } from '../clients/client-wallet.ts';
import { createAccount, receivingToken, spendingToken, usd } from '../clients/flows.ts';
import { hangUp, prepare, transmit } from '../clients/raw-client.ts';
import { RunningNode } from '../nodes/running-node.ts';
import { type Fact, fileFact } from './facts.ts';
import type { Recorder } from './trace.ts';

const FIXTURE = join(import.meta.dirname, '../../../src-main/assembly/testing/fixtures/0.1.0.db.gz');
const FLAGS = ['--max-packet-amount', '100', '--token-lifetime', '86400', '--log-level', 'error'];
/** Each run of a node takes payments for this long. In this time it makes a checkpoint about once a second. */
const RUN_MS = 4_000;

interface Stage {
  recorder: Recorder;
  /** The recorded folder. */
  root: string;
  tell: (fact: Fact) => void;
}

/** A node starts for the first time, is paid and pays, makes backups, stops, starts again, is killed, and so on. */
export async function life({ recorder, root, tell }: Stage): Promise<void> {
  const [folder, backups] = [join(root, 'shop/books'), join(root, 'backups')];
  const { env } = recorder;
  mkdirSync(backups);
  const client = await ClientWallet.start();
  let node = await RunningNode.start({ dataDir: folder, flags: FLAGS, env });
  const flags = [...FLAGS, '--listen', new URL(node.publicUrl).host];
  try {
    const [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', 10n ** 9n)];
    for (const { id } of [shop, buyer]) tell({ folder, table: 'wallet_addresses', id });
    const secrets = join(folder, 'node-secrets.json');
    tell(fileFact(secrets, readFileSync(secrets)));
    const shopping = new Shopping({ folder, client, shop, buyer, tell });
    await shopping.begin(node);
    await shopping.goOn(node);
    const { file } = await node.operator.backups.make({ folder: backups, passphrase: 'seven plain words make a long one' });
    tell(fileFact(file, readFileSync(file)));
    await shopping.goOn(node);
    await node.stop();
    for (let run = 0; run < 2; run += 1) {
      node = await RunningNode.start({ dataDir: folder, flags, env });
      await shopping.goOn(node, () => node.kill());
    }
    node = await RunningNode.start({ dataDir: folder, flags, env });
    await shopping.goOn(node);
  } finally {
    await node.stop();
    await client.stop();
  }
}

/** A node of this version starts on the books of version 0.1.0, and takes deposits. */
export async function upgraded({ recorder, root, tell }: Stage): Promise<void> {
  const [folder, made] = [join(root, 'books'), `${root}-made`];
  await (await RunningNode.start({ dataDir: made })).stop();
  mkdirSync(join(made, 'earlier'));
  cpSync(join(made, 'node-secrets.json'), join(made, 'earlier/node-secrets.json'));
  writeFileSync(join(made, 'earlier/paydesk.db'), gunzipSync(readFileSync(FIXTURE)));
  // A recorded process puts the books there and syncs everything.
  const putThere = `const fs = require('node:fs');
    const sync = (path) => { const fd = fs.openSync(path, 'r'); fs.fsyncSync(fd); fs.closeSync(fd); };
    const [from, to, root] = process.argv.slice(1);
    fs.mkdirSync(to);
    for (const name of fs.readdirSync(from)) { fs.writeFileSync(to + '/' + name, fs.readFileSync(from + '/' + name)); sync(to + '/' + name); }
    sync(to);
    sync(root);`;
  execFileSync(process.execPath, ['-e', putThere, join(made, 'earlier'), folder, root], { env: { ...process.env, ...recorder.env } });
  for (const table of ['wallet_addresses', 'incoming_payments', 'outgoing_payments', 'ledger_transfers']) {
    for (const id of idsIn(join(made, 'earlier/paydesk.db'), table)) tell({ folder, table, id });
  }
  rmSync(made, { recursive: true });
  const node = await RunningNode.start({ dataDir: folder, flags: FLAGS, env: recorder.env });
  const copy = join(folder, 'before-upgrade-0.1.0.db');
  tell(fileFact(copy, readFileSync(copy)));
  const { items } = await node.operator.accounts.list({});
  for (let turn = 0; turn < 100; turn += 1) {
    for (const { id } of items) await deposit({ node, folder, tell }, id);
  }
  await node.stop();
}

function idsIn(file: string, table: string): string[] {
  const database = new Sqlite(file, { readonly: true });
  try {
    return database.prepare(`select id from ${table}`).pluck().all().map(String);
  } finally {
    database.close();
  }
}

async function deposit({ node, folder, tell }: { node: RunningNode; folder: string } & Pick<Stage, 'tell'>, id: string): Promise<void> {
  const requestId = randomUUID();
  await node.operator.accounts.deposit({ id, requestId, amount: 100n, note: 'from the till' });
  tell({ folder, table: 'ledger_transfers', id: requestId, and: "state = 'posted'" });
}

interface Parties extends Pick<Stage, 'tell'> {
  folder: string;
  client: ClientWallet;
  shop: Account;
  buyer: Account;
}

/** Clients and an operator who do everything that a node acknowledges, and note each answer. */
class Shopping {
  readonly #parties: Parties;
  #receiving = '';
  #spending = '';

  constructor(parties: Parties) {
    this.#parties = parties;
  }

  async begin(node: RunningNode): Promise<void> {
    const { client, buyer } = this.#parties;
    this.#receiving = await receivingToken(node, client);
    this.#spending = (await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('900000000') })).value;
  }

  /** Goes on for a while. `end` ends the node before that time is over, and nobody waits for what is under way then. */
  async goOn(node: RunningNode, end?: () => Promise<void>): Promise<void> {
    const until = Date.now() + RUN_MS;
    let isOver = false;
    const lane = async (act: () => Promise<void>) => {
      while (Date.now() < until && !isOver) {
        try {
          await act();
        } catch (error) {
          if (!isOver) throw error;
        }
      }
    };
    const pay = () => this.#pay(node);
    const lanes = [
      pay,
      pay,
      () => this.#complete(node),
      () => this.#revoke(node),
      () => deposit({ node, ...this.#parties }, this.#parties.shop.id),
    ];
    const running = Promise.all(lanes.map(lane));
    if (end !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, RUN_MS * 0.8));
      isOver = true;
      await end();
    }
    await running;
    hangUp();
  }

  async #pay(node: RunningNode): Promise<void> {
    const incomingPayment = await this.#invoice(node);
    const body = { walletAddress: this.#parties.buyer.walletAddress, incomingPayment, debitAmount: usd('500') };
    this.#told('outgoing_payments', await this.#create(node, 'outgoing-payments', this.#spending, body));
  }

  async #complete(node: RunningNode): Promise<void> {
    const url = await this.#invoice(node);
    const answer = await transmit(prepare(this.#parties.client, 'POST', `${url}/complete`, this.#receiving));
    if (answer.status !== 200) throw new Error(answer.text);
    this.#told('incoming_payments', url, 'completed = 1');
  }

  async #revoke(node: RunningNode): Promise<void> {
    const { client } = this.#parties;
    const grant = await client.sdk.grant.request(
      { url: `${node.publicUrl}/auth` },
      { access_token: { access: [{ type: 'incoming-payment', actions: ['create'] }] } },
    );
    if (!('access_token' in grant) || grant.access_token === undefined) throw new Error('no token');
    const { manage, value } = grant.access_token;
    this.#told('access_tokens', manage);
    await client.sdk.token.revoke({ url: manage, accessToken: value });
    this.#told('access_tokens', manage, "state = 'revoked'");
  }

  async #invoice(node: RunningNode): Promise<string> {
    const body = { walletAddress: this.#parties.shop.walletAddress, incomingAmount: usd('500') };
    const url = await this.#create(node, 'incoming-payments', this.#receiving, body);
    this.#told('incoming_payments', url);
    return url;
  }

  async #create(node: RunningNode, collection: string, token: string, body: object): Promise<string> {
    const answer = await transmit(prepare(this.#parties.client, 'POST', `${node.publicUrl}/${collection}`, token, body));
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    return (JSON.parse(answer.text) as { id: string }).id;
  }

  #told(table: string, url: string, and?: string): void {
    const { folder, tell } = this.#parties;
    tell({ folder, table, id: basename(url), ...(and && { and }) });
  }
}
