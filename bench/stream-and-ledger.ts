import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openDatabase } from '../src-main/assembly/open-database.ts';
import { assemblePayments } from '../src-main/assembly/payments.ts';
import type { WalletAddress } from '../src-main/payments/wallet-addresses.ts';
import { systemClock } from '../src-main/platform/clock.ts';
import type { SqliteDatabase } from '../src-main/platform/database/sqlite.ts';
import { createLogger } from '../src-main/platform/logger.ts';
import type { NodeSecrets } from '../src-main/platform/node-secrets.ts';
import type { OutboundBytes, OutboundHttp } from '../src-main/platform/outbound-http/outbound-http.ts';
import { PublicUrls } from '../src-main/platform/public-urls.ts';
import { refuse } from '../src-main/platform/result.ts';
import { BareLoop } from './bare-loop.ts';
import { median } from './report.ts';

const MIGRATIONS = resolve(import.meta.dirname, '../drizzle');
const USD = { assetCode: 'USD', assetScale: 2 };
const AMOUNT = 100n;
const WIDTH = 32;
const ROUNDS = 5;
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

/** A second, as the medians of rounds in which all took turns. */
export interface StreamAndLedger {
  bare: number;
  /** Payments that are there already, carried from being funded to completed. */
  carried: number;
  /** The same, and made before: from asking for one to completed. */
  made: number;
  /** `carried`, of the bare loop in the same round. */
  share: number;
}

type Services = ReturnType<typeof assemblePayments>;

interface Accounts {
  payer: WalletAddress;
  shop: WalletAddress;
}

/** The node's payments without its public API: every part that moves money, over a database with full durability. */
class LocalPayments {
  readonly #database: SqliteDatabase;
  /** Makes payments, and leaves them alone. */
  readonly #maker: Services;
  /** Carries them. */
  readonly #carrier: Services;
  readonly #accounts: Accounts;
  readonly #unfinished: () => number;

  private constructor(database: SqliteDatabase, services: { maker: Services; carrier: Services }, accounts: Accounts) {
    this.#database = database;
    this.#maker = services.maker;
    this.#carrier = services.carrier;
    this.#accounts = accounts;
    const count = database.connection
      .prepare("select count(*) from outgoing_payments where state in ('funded', 'sending', 'retrying', 'settling')")
      .pluck();
    this.#unfinished = () => Number(count.get());
  }

  static async open(file: string): Promise<LocalPayments> {
    const database = await openDatabase(file, MIGRATIONS, {});
    const config = { maxPacketAmount: undefined, ilpAddress: undefined };
    const log = createLogger('info', { write: () => undefined });
    const assemble = (): Services => assemblePayments({ database, clock: systemClock, log, urls, secrets, http, peerHttp, config });
    const [maker, carrier] = [assemble(), assemble()];
    await maker.worker.stop();
    const account = async (name: string, openingBalance: bigint): Promise<WalletAddress> => {
      const id = randomUUID();
      const made = await maker.walletAddresses.create({ id, name: `${name}-${id}`, publicName: name, ...USD, openingBalance });
      if (!made.ok) throw new Error(made.error);
      return made.value;
    };
    const accounts = { payer: await account('payer', 10n ** 15n), shop: await account('shop', 0n) };
    return new LocalPayments(database, { maker, carrier }, accounts);
  }

  async close(): Promise<void> {
    await this.#carrier.worker.stop();
    await this.#database.close();
  }

  /** Makes payments, each to an incoming payment of its own. */
  async make(count: number): Promise<void> {
    const { incomingPayments, outgoingPayments } = this.#maker;
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

  /** Carries all there are to their end. */
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

const WAVES = 40;

/** Payments between two accounts of one node, and a bare loop of STREAM and a ledger, in turns and in waves of 32. */
export async function measureStreamAndLedger(): Promise<StreamAndLedger> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-'));
  const [bareLoop, local] = [new BareLoop(join(folder, 'bare.db')), await LocalPayments.open(join(folder, 'paydesk.db'))];
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  try {
    const rounds: StreamAndLedger[] = [];
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const spent = { bare: 0, made: 0, carried: 0 };
      for (let wave = 0; wave < WAVES; wave += 1) {
        spent.bare += await timed(() => Promise.all(Array.from({ length: WIDTH }, () => bareLoop.pay())));
        spent.made += await timed(() => local.make(WIDTH));
        spent.carried += await timed(() => local.carry());
      }
      const perSecond = (ms: number): number => (WAVES * WIDTH * 1_000) / ms;
      const figures = { bare: perSecond(spent.bare), carried: perSecond(spent.carried), made: perSecond(spent.made + spent.carried) };
      if (round > 0) rounds.push({ ...figures, share: figures.carried / figures.bare });
    }
    const of = (pick: (round: StreamAndLedger) => number): number => median(rounds.map(pick));
    return {
      bare: of(({ bare }) => bare),
      carried: of(({ carried }) => carried),
      made: of(({ made }) => made),
      share: of(({ share }) => share),
    };
  } finally {
    bareLoop.close();
    await local.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
