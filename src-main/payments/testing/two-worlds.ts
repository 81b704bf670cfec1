import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { events } from '../../journal/tables.ts';
import { accountId } from '../../ledger/ledger.ts';
import { ledgerAccounts } from '../../ledger/tables.ts';
import { brokenInvariants } from '../../ledger/testing/invariants.ts';
import type { NewPeer } from '../../peers/peer-registry.ts';
import { peers, sentPackets } from '../../peers/tables.ts';
import { newPeer, openTestPeers } from '../../peers/testing/peers.ts';
import { ManualClock } from '../../platform/clock.ts';
import { openTestDatabase } from '../../platform/database/testing/test-database.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { isFinal, type OutgoingPayment } from '../outgoing/outgoing-payment-rows.ts';
import { LEASE_MS, PaymentWorker } from '../outgoing/payment-worker.ts';
import { Elsewhere, type Fate } from './elsewhere.ts';
import { openPayments } from './payments.ts';

export const USD = { assetCode: 'USD', assetScale: 2 };
export const EUR = { assetCode: 'EUR', assetScale: 2 };
export const START = Date.UTC(2026, 0, 1);
export const PEER = '11111111-1111-4111-8111-111111111111';
/** How long a test waits in real time for something that takes no time by its own clock. */
const PATIENCE_MS = 60_000;

interface Place {
  /** What is special about the peer, or about the way to it. */
  peer?: Partial<NewPeer>;
  /** The currency of the receivers. The peer has the same unless told otherwise. */
  asset?: typeof USD;
}

interface Options extends Place {
  maxPacketAmount?: bigint;
  /** See {@link openPayments}. */
  quiet?: boolean;
}

/**
 * A node with one peer, behind which {@link Elsewhere} is, and a buyer with 1,000.00 USD. The test moves the clock, and
 * may add more peers.
 */
export class TwoWorlds {
  readonly clock = new ManualClock(START);
  readonly #testDatabase = openTestDatabase();
  readonly wing = openTestPeers({ database: this.#testDatabase.database, clock: this.clock });
  readonly elsewhere: Elsewhere;
  readonly node: ReturnType<typeof openPayments>;
  /** Every node elsewhere, by the id of the peer that leads there. */
  readonly #places = new Map<string, Elsewhere>();
  buyerId = '';

  private constructor({ asset = USD, maxPacketAmount, quiet = false }: Options) {
    this.elsewhere = new Elsewhere(this.clock, asset);
    this.#places.set(PEER, this.elsewhere);
    this.node = openPayments({
      clock: this.clock,
      testDatabase: this.#testDatabase,
      links: { send: async (peerId, bytes) => await (this.#places.get(peerId) ?? this.elsewhere).send(peerId, bytes) },
      routes: this.wing.directory,
      remote: {
        get: async (url, asker) => await this.#placeOf(url).get(url, asker),
        takeRecent: (url, walletAddressId) => this.#placeOf(url).takeRecent(url, walletAddressId),
      },
      quiet,
      ...(maxPacketAmount !== undefined && { maxPacketAmount }),
    });
  }

  static async open(options: Options = {}): Promise<TwoWorlds> {
    const world = new TwoWorlds(options);
    world.buyerId = (await world.node.account('buyer', 100_000n)).id;
    await world.#addPeer(PEER, world.elsewhere, options);
    return world;
  }

  /** Adds a node elsewhere behind a peer of its own. */
  async beside(name: string, place: Place): Promise<Elsewhere> {
    const [peerId, elsewhere] = [randomUUID(), new Elsewhere(this.clock, place.asset ?? USD, name)];
    this.#places.set(peerId, elsewhere);
    await this.#addPeer(peerId, elsewhere, place);
    return elsewhere;
  }

  async #addPeer(id: string, elsewhere: Elsewhere, { peer = {}, asset = USD }: Place): Promise<void> {
    const added = await this.wing.registry.add(newPeer({ id, ilpAddress: elsewhere.address, ...asset, ...peer }));
    if (!added.ok) throw new Error(added.error);
    elsewhere.deduplicates = peer.deduplicates ?? true;
  }

  #placeOf(url: string): Elsewhere {
    return [...this.#places.values()].find(({ origin }) => url.startsWith(`${origin}/`)) ?? this.elsewhere;
  }

  async close(): Promise<void> {
    expect(await brokenInvariants(this.node.database.read)).toEqual([]);
    await this.node.close();
  }

  async pay(incomingPayment: string, debit: bigint): Promise<OutgoingPayment> {
    const walletAddress = await this.node.walletAddresses.byId(this.buyerId);
    if (walletAddress === undefined) throw new Error('the buyer is gone');
    const debitAmount = { value: debit, ...USD };
    const made = await this.node.outgoingPayments.createFromIncomingPayment({ walletAddress, right: null, incomingPayment, debitAmount });
    if (!made.ok) throw new Error(made.error.code);
    return made.value;
  }

  async read(id: string): Promise<OutgoingPayment> {
    const payment = await this.node.outgoingPayments.find(id);
    if (payment === undefined) throw new Error('the payment is gone');
    return payment;
  }

  /** Moves the clock to whenever the payment is due, until `done` says so. */
  async until(id: string, done: (payment: OutgoingPayment) => boolean | Promise<boolean>): Promise<OutgoingPayment> {
    const began = performance.now();
    while (performance.now() - began < PATIENCE_MS) {
      const payment = await this.read(id);
      if (await done(payment)) return payment;
      const later = payment.dueAt - this.clock.now();
      // An attempt under way is waited for, and its lease does not end meanwhile.
      const isClaimed = payment.state === 'sending' || later === LEASE_MS;
      if (!isClaimed && later > 0) this.clock.advance(later);
      this.node.worker.wake();
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error(`still ${(await this.read(id)).state}`);
  }

  finished(id: string): Promise<OutgoingPayment> {
    return this.until(id, isFinal);
  }

  /** Starts a second worker over the same database, as a restart does. */
  async restart(): Promise<void> {
    await this.node.worker.stop();
    this.node.worker = new PaymentWorker({ ...this.node, log: createLogger('silent') });
    await this.node.worker.start();
  }

  async balance(id: string): Promise<bigint> {
    const [row] = await this.node.database.read.select().from(ledgerAccounts).where(eq(ledgerAccounts.id, id));
    if (row === undefined) throw new Error(`no account ${id}`);
    return row.balance;
  }

  async books() {
    const [peer] = await this.node.database.read.select().from(peers);
    return {
      customer: await this.balance(accountId('customer', this.buyerId)),
      escrow: await this.balance(accountId('escrow', this.buyerId)),
      peer: await this.balance(accountId('peer', PEER)),
      inFlight: peer?.inFlight,
      taken: this.elsewhere.taken,
    };
  }

  async eventsOf(id: string): Promise<string[]> {
    const rows = await this.node.database.read.select().from(events).where(eq(events.subject, id)).orderBy(events.position);
    return rows.map((event) => event.type.slice('outgoing_payment.'.length));
  }

  async packets() {
    return await this.node.database.read.select().from(sentPackets);
  }

  /** Sets what happens to the packets from now on, in this order. Those after them pass. */
  fates(...list: Fate[]): void {
    const first = this.elsewhere.sent.length;
    this.elsewhere.fate = (packet) => list[packet - first] ?? 'pass';
  }
}
