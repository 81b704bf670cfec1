import { join, resolve } from 'node:path';
import { continueBooks } from '../../src-main/assembly/books/continue-books.ts';
import { openDatabase } from '../../src-main/assembly/books/open-database.ts';
import { assemblePayments, type PaymentServices } from '../../src-main/assembly/payments.ts';
import { rulesKeeping } from '../../src-main/assembly/retention.ts';
import { numberEarlierTransfers } from '../../src-main/ledger/audit/pieces.ts';
import { statusOf } from '../../src-main/payments/incoming/incoming-payments.ts';
import { bearerToken, hashToken } from '../../src-main/peers/peer-tokens.ts';
import { Archive } from '../../src-main/platform/archive/archive.ts';
import { NotStored } from '../../src-main/platform/database/database.ts';
import type { SqliteDatabase } from '../../src-main/platform/database/sqlite.ts';
import { createLogger } from '../../src-main/platform/logs/logger.ts';
import type {
  BytesAnswer,
  BytesRequest,
  JsonAnswer,
  OutboundBytes,
  OutboundHttp,
} from '../../src-main/platform/outbound-http/outbound-http.ts';
import { PublicUrls } from '../../src-main/platform/public-address/public-urls.ts';
import { Retention } from '../../src-main/platform/retention/retention.ts';
import { LEAST_ARCHIVE_DAYS, LEAST_KEPT_DAYS } from '../../src-main/platform/retention/rule.ts';
import { SecretsFile, workingSecrets } from '../../src-main/platform/secrets/node-secrets.ts';
import type { KeptPackets } from '../support/books/kept-packets.ts';
import type { ForgottenPackets } from '../support/books/pair-books.ts';
import type { SimulatedClock } from './clocks.ts';
import { copyNode, PuttingBack } from './copies.ts';
import type { SimulatedDisk } from './disks.ts';
import { Down, Life } from './lives.ts';

const NOTHING = Buffer.alloc(0);
const MIGRATIONS = resolve(import.meta.dirname, '../../drizzle');

interface SimulatedNodeOptions {
  readonly name: string;
  readonly folder: string;
  readonly clock: SimulatedClock;
  readonly disk: SimulatedDisk;
  readonly http: OutboundHttp;
  readonly peerHttp: OutboundBytes;
  readonly maxPacketAmount: bigint;
  /** The node takes no more writes. A real one ends its process. */
  readonly onStopped: (node: SimulatedNode) => void;
  /** Runs on the open database before the node begins its work. A test breaks the recovery here. */
  readonly beforeStart?: ((database: SqliteDatabase) => Promise<void>) | undefined;
}

/**
 * A node's real ledger, payments and packets over a real database file. Only what lies outside the process is
 * simulated.
 */
export class SimulatedNode {
  readonly name: string;
  readonly urls: PublicUrls;
  readonly clock: SimulatedClock;
  readonly disk: SimulatedDisk;
  life: Life | undefined;
  readonly #options: SimulatedNodeOptions;
  readonly #puttingBack: PuttingBack;
  /** The folder of the migrations that the next start brings the database to. */
  migrations = MIGRATIONS;
  #database: SqliteDatabase | undefined;
  #services: PaymentServices | undefined;
  #writesBefore = 0;
  #closing: Promise<void> = Promise.resolve();

  constructor(options: SimulatedNodeOptions) {
    this.#options = options;
    this.name = options.name;
    this.clock = options.clock;
    this.disk = options.disk;
    this.urls = new PublicUrls(`http://${options.name}.example`);
    this.#puttingBack = new PuttingBack(options.folder);
  }

  get file(): string {
    return join(this.#options.folder, 'paydesk.db');
  }
  get dataDir(): string {
    return this.#options.folder;
  }
  /** How many writes the ledger and the payments of this node have made, in all its lives. */
  get writes(): number {
    return this.#writesBefore + (this.#database?.stats.jobs ?? 0);
  }
  /** Whether the node answers. */
  get isUp(): boolean {
    return this.#services !== undefined;
  }
  get services(): PaymentServices {
    if (this.#services === undefined) throw new Down();
    return this.#services;
  }
  get database(): SqliteDatabase {
    if (this.#database === undefined) throw new Down();
    return this.#database;
  }

  now(): number {
    return this.clock.now();
  }

  /**
   * Starts the node on its file in the way the real node starts, with its recovery.
   * @throws Down when the node dies meanwhile.
   */
  async start(): Promise<void> {
    await this.#closing;
    const life = new Life();
    this.life = life;
    await life.lead(() => this.#open(life));
  }

  /** Ends the process at once. Writes that were not committed are lost. */
  crash(): void {
    const { life } = this;
    if (life === undefined) return;
    life.end();
    this.life = undefined;
    const database = this.#database;
    this.#writesBefore = this.writes;
    this.#database = undefined;
    this.#services = undefined;
    // SQLite rolls back what is open when the connection closes.
    database?.connection.close();
    this.#closing = database?.close() ?? this.#closing;
  }

  /**
   * Stops the node cleanly.
   * @throws Down when the node dies meanwhile.
   */
  async stop(): Promise<void> {
    const { life } = this;
    if (life === undefined) return;
    await life.lead(() => this.services.worker.stop());
    const { database } = this;
    this.#writesBefore = this.writes;
    life.end();
    this.life = undefined;
    this.#database = undefined;
    this.#services = undefined;
    this.#closing = database.close();
    await this.#closing;
  }

  /** Copies the books and the keys into a folder, as a backup holds them. */
  copyInto(folder: string): void {
    copyNode(this.database.connection, this.dataDir, folder);
    this.#puttingBack.copied(folder);
  }

  /** The next start puts this copy in the place of the node. */
  putBack(copy: string): void {
    this.#puttingBack.plan(copy);
  }

  /** What the books of this node have forgotten because older ones have replaced them. */
  get forgotten(): ForgottenPackets {
    return this.#puttingBack.forgotten;
  }

  /** The packets of this node that are in its archive. */
  get kept(): KeptPackets {
    return this.#puttingBack.kept;
  }

  /**
   * Moves into the archive what is old enough, and removes what the node may forget.
   * @returns how many details of payments went into the archive.
   * @throws Down when the node dies meanwhile.
   */
  async archiveOld(): Promise<number> {
    this.#puttingBack.keepPackets();
    const { database, clock } = this;
    const archive = new Archive({ database, folder: join(this.dataDir, 'archive') });
    const rules = rulesKeeping(archive, { keepDays: LEAST_KEPT_DAYS, archiveDays: LEAST_ARCHIVE_DAYS });
    const retention = new Retention({ database, clock, log: createLogger('silent'), rules, pause: async () => undefined });
    return (await this.as(() => retention.runOnce())).get('payment_details') ?? 0;
  }

  /**
   * Runs `work` as this node.
   * @throws Down when the node is down, dies before `work` has ended, or cannot store it: whoever asked gets no answer
   * that says what became of it.
   */
  async as<T>(work: () => Promise<T>): Promise<T> {
    const { life } = this;
    if (life === undefined || !this.isUp) throw new Down();
    return await life.lead(work).catch((error: unknown) => {
      throw error instanceof NotStored ? new Down() : error;
    });
  }

  /** Answers a packet as the node's public API does. */
  async takePacket({ headers, body }: BytesRequest): Promise<BytesAnswer> {
    return await this.as(async () => {
      const { directory, packets } = this.services.peers;
      const token = bearerToken(headers.authorization);
      const peer = token === undefined ? undefined : directory.byTokenHash(hashToken(token));
      if (peer === undefined) return { status: 401, body: NOTHING };
      try {
        return { status: 200, body: await packets.handle(body, peer) };
      } catch {
        // The node could not store its answer.
        return { status: 500, body: NOTHING };
      }
    });
  }

  /** Grants every wallet the right to read that it asks for. */
  async grant(): Promise<JsonAnswer> {
    const manage = `${this.urls.authServer}/token/1`;
    return { status: 200, url: this.urls.authServer, body: { access_token: { value: 'a-token', manage, expires_in: 600 } } };
  }

  /**
   * Shows an incoming payment as another wallet may read it.
   * @param whole adds the way to pay it.
   */
  async show(url: string, whole: boolean): Promise<JsonAnswer> {
    return await this.as(async () => {
      const { incomingPayments, walletAddresses, credentials } = this.services;
      const named = this.urls.parse(url);
      const payment = named?.kind === 'incoming-payment' ? await incomingPayments.find(named.id) : undefined;
      const walletAddress = payment && (await walletAddresses.byId(payment.walletAddressId));
      if (payment === undefined || walletAddress === undefined) return { status: 404, body: undefined, url };
      const { assetCode, assetScale } = walletAddress;
      const amount = (value: bigint) => ({ value: value.toString(), assetCode, assetScale });
      if (!whole) return { status: 200, url, body: { receivedAmount: amount(payment.received), authServer: this.urls.authServer } };
      const open = statusOf(payment, this.now()) === 'open';
      const { ilpAddress, sharedSecret } = await credentials(payment.id, walletAddress);
      const body = {
        id: url,
        walletAddress: this.urls.walletAddress(walletAddress.name),
        completed: payment.completed,
        ...(payment.incomingAmount !== null && { incomingAmount: amount(payment.incomingAmount) }),
        receivedAmount: amount(payment.received),
        ...(payment.expiresAt !== null && { expiresAt: new Date(payment.expiresAt).toISOString() }),
        methods: open ? [{ type: 'ilp', ilpAddress, sharedSecret: sharedSecret.toString('base64url') }] : [],
      };
      return { status: 200, url, body };
    });
  }

  async #open(life: Life): Promise<void> {
    const { clock, disk, http, peerHttp, maxPacketAmount, beforeStart, onStopped } = this.#options;
    const { logSync } = disk;
    this.#puttingBack.run();
    const log = createLogger('silent');
    const secretsFile = new SecretsFile(this.dataDir);
    secretsFile.read();
    const database = await openDatabase(this.file, this.migrations, { logSync, onStopped: () => life.alive && onStopped(this) });
    if (!life.alive) return await database.close();
    // The simulator does not test power cuts, so every commit that has returned survives.
    database.connection.pragma('synchronous = off');
    this.#database = database;
    await continueBooks({ database, dataFolder: this.dataDir, secretsFile, clock, log });
    await numberEarlierTransfers(database);
    const secrets = workingSecrets(secretsFile.read());
    const config = { maxPacketAmount, ilpAddress: undefined };
    const services = assemblePayments({ database, clock, log, urls: this.urls, secrets, http, peerHttp, config });
    await services.peers.directory.reload();
    await beforeStart?.(database);
    if (!life.alive) return;
    this.#services = services;
    await services.worker.start();
  }
}
