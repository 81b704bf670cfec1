import { createHash, randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { openDatabase } from '../../src-main/assembly/books/open-database.ts';
import { assemblePayments } from '../../src-main/assembly/payments.ts';
import { systemClock } from '../../src-main/platform/clock.ts';
import type { SqliteDatabase } from '../../src-main/platform/database/sqlite.ts';
import { createLogger } from '../../src-main/platform/logs/logger.ts';
import type { OutboundBytes, OutboundHttp } from '../../src-main/platform/outbound-http/outbound-http.ts';
import { PublicUrls } from '../../src-main/platform/public-address/public-urls.ts';
import { refuse } from '../../src-main/platform/result.ts';
import type { NodeSecrets } from '../../src-main/platform/secrets/node-secrets.ts';
import type { WalletAddress } from '../../src-main/wallet-addresses/wallet-addresses.ts';
import { seedPastPayments } from './past-payments.ts';

const MIGRATIONS = resolve(import.meta.dirname, '../../drizzle');
const USD = { assetCode: 'USD', assetScale: 2 };
const AMOUNT = 100n;
const urls = new PublicUrls('http://127.0.0.1:3000');

const secrets: NodeSecrets = {
  stream: Buffer.alloc(32, 1),
  derive: (purpose) => createHash('sha256').update(purpose).digest(),
};
const http: OutboundHttp = {
  getJson: async () => refuse('unreachable'),
  requestJson: async () => refuse('unreachable'),
  close: () => undefined,
};
const peerHttp: OutboundBytes = { postBytes: async () => refuse({ problem: 'unreachable', sent: false }), mayAsk: () => false };

type Services = ReturnType<typeof assemblePayments>;

interface Accounts {
  payer: WalletAddress;
  shop: WalletAddress;
}

/** The node's payments without its public API: every part that moves money, over a database with full durability. */
export class LocalPayments {
  readonly #database: SqliteDatabase;
  /** Makes payments without carrying them. */
  readonly #maker: Services;
  /** Carries payments to their end. */
  readonly #carrier: Services;
  #accounts: Accounts | undefined;
  readonly #unfinished: () => number;

  private constructor(database: SqliteDatabase, services: { maker: Services; carrier: Services }, accounts: Accounts | undefined) {
    this.#database = database;
    this.#maker = services.maker;
    this.#carrier = services.carrier;
    this.#accounts = accounts;
    const count = database.connection
      .prepare("select count(*) from outgoing_payments where state in ('funded', 'sending', 'retrying', 'settling')")
      .pluck();
    this.#unfinished = () => Number(count.get());
  }

  /**
   * Opens the database in a folder, which already holds that many completed payments.
   * @param byApp whether an app asked for them, and paid them with a grant, and gave both a description.
   */
  static async open(folder: string, past = 0, byApp = false): Promise<LocalPayments> {
    const fresh = await LocalPayments.#open(folder);
    const account = async (name: string, openingBalance: bigint): Promise<WalletAddress> => {
      const id = randomUUID();
      const made = await fresh.#maker.walletAddresses.create({ id, name: `${name}-${id}`, publicName: name, ...USD, openingBalance });
      if (!made.ok) throw new Error(made.error);
      return made.value;
    };
    const accounts = { payer: await account('payer', 10n ** 15n), shop: await account('shop', 0n) };
    fresh.#accounts = accounts;
    if (past === 0) return fresh;
    await fresh.make(1);
    await fresh.carry();
    if (byApp) fresh.#giveToApp();
    const made = fresh.#database.connection
      .prepare<[], { outgoingPayment: string; incomingPayment: string }>(
        'select id as outgoingPayment, receiver_id as incomingPayment from outgoing_payments',
      )
      .get();
    await fresh.close();
    if (made === undefined) throw new Error('a payment that was made is not there');
    seedPastPayments(folder, made, past - 1);
    return await LocalPayments.#open(folder, accounts);
  }

  /** Makes the payments look as if an app had made them. */
  #giveToApp(): void {
    const [client, metadata] = ['https://app.example/wallet', JSON.stringify({ description: 'Order 4711', externalRef: 'A-4711' })];
    const search = '\u0001a-4711\u0002order 4711';
    const { connection } = this.#database;
    for (const table of ['incoming_payments', 'outgoing_payments', 'quotes']) {
      connection.prepare(`update ${table} set client = ?`).run(client);
      if (table !== 'quotes') connection.prepare(`update ${table} set metadata = ?, search = ?`).run(metadata, search);
    }
    const spent = String(AMOUNT).padStart(20, '0');
    connection
      .prepare('update outgoing_payments set grant_id = ?, spending_window = created_at, grant_spent_debit = ?, grant_spent_receive = ?')
      .run(randomUUID(), spent, spent);
  }

  static async #open(folder: string, accounts?: Accounts): Promise<LocalPayments> {
    const database = await openDatabase(join(folder, 'paydesk.db'), MIGRATIONS, {});
    const config = { maxPacketAmount: undefined, ilpAddress: undefined };
    const log = createLogger('info', { write: () => undefined });
    const assemble = (): Services => assemblePayments({ database, clock: systemClock, log, urls, secrets, http, peerHttp, config });
    const [maker, carrier] = [assemble(), assemble()];
    await maker.worker.stop();
    return new LocalPayments(database, { maker, carrier }, accounts);
  }

  async close(): Promise<void> {
    await this.#carrier.worker.stop();
    await this.#database.close();
  }

  /** Makes payments, each to an incoming payment of its own. */
  async make(count: number): Promise<void> {
    const { incomingPayments, outgoingPayments } = this.#maker;
    if (this.#accounts === undefined) throw new Error('there are no accounts yet');
    const { payer, shop } = this.#accounts;
    const amount = { value: AMOUNT, ...USD };
    const one = async (): Promise<void> => {
      const invoice = await incomingPayments.create({ walletAddress: shop, client: null, incomingAmount: amount });
      if (!invoice.ok) throw new Error(invoice.error);
      const incomingPayment = urls.incomingPayment(invoice.value.id);
      const made = await outgoingPayments.createFromIncomingPayment({
        walletAddress: payer,
        right: null,
        incomingPayment,
        debitAmount: amount,
      });
      if (!made.ok) throw new Error(made.error.code);
    };
    await Promise.all(Array.from({ length: count }, one));
  }

  /** Carries every payment to its end. */
  async carry(): Promise<void> {
    const done = Promise.withResolvers<void>();
    const stop = this.#database.onCommit(() => {
      if (this.#unfinished() === 0) done.resolve();
    });
    this.#carrier.worker.wake();
    await done.promise;
    stop();
  }
}
