import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { checkIncoming } from '../../audit/incoming-rules.ts';
import { checkOutgoing } from '../../audit/payment-rules.ts';
import { checkPeers } from '../../audit/set-aside-rules.ts';
import { events } from '../../journal/tables.ts';
import { accountId, transfer } from '../../ledger/ledger.ts';
import { archivedDetails } from '../../operator-api/queries/payments/archived-details.ts';
import { rowOf } from '../../payments/archive/archived-rows.ts';
import { paymentDetailRule } from '../../payments/archive/payment-details.ts';
import { TwoWorlds } from '../../payments/testing/two-worlds.ts';
import { receivedPackets, sentPackets } from '../../peers/tables.ts';
import { Archive, filesOf } from '../../platform/archive/archive.ts';
import { readEverywhere } from '../../platform/archive/archive-frames.ts';
import { type ArchiveSearch, type ReadArchive, readArchive } from '../../platform/archive/archive-reader.ts';
import type { ArchiveFile } from '../../platform/archive/tables.ts';
import type { Database } from '../../platform/database/database.ts';
import { watchFailPoints } from '../../platform/fail-points.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { Retention } from '../../platform/retention/retention.ts';
import { RETENTION_RULES } from '../retention.ts';

/** Where what is archived stands: a name of the place, and whether it is the database. */
export const PLACES = [
  ['in files', false],
  ['in the database', true],
] as const;

/** A payer's node and another one, whose old details go into an archive of the test. */
export class ArchivingWorld {
  /** Whether what is archived stands in the database, as that of replicas does. */
  inDatabase = false;
  readonly world: TwoWorlds;
  readonly folder: string;

  private constructor(world: TwoWorlds, folder: string) {
    this.world = world;
    this.folder = folder;
  }

  static async open(): Promise<ArchivingWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'paydesk-archive-'));
    return new ArchivingWorld(await TwoWorlds.open({ maxPacketAmount: 300n, peer: { creditLimit: 10_000n } }), folder);
  }

  async close(): Promise<void> {
    watchFailPoints();
    await this.world.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get database(): Database {
    return this.world.node.database;
  }

  /** Pays a wallet address elsewhere, or one of this node, and returns the outgoing payment's id. */
  async paid(amount: bigint, to: 'elsewhere' | 'here'): Promise<string> {
    if (to === 'elsewhere') return (await this.world.finished((await this.world.pay(this.world.elsewhere.invoice(amount), amount)).id)).id;
    const shop = await this.world.node.account(`shop${Math.random()}`, 0n);
    const made = await this.world.node.incomingPayments.create({
      walletAddress: shop,
      client: 'app',
      incomingAmount: { value: amount, assetCode: 'USD', assetScale: 2 },
    });
    if (!made.ok) throw new Error(made.error);
    return (await this.world.finished((await this.world.pay(this.world.node.urls.incomingPayment(made.value.id), amount)).id)).id;
  }

  /** Stores what a peer's packet leaves that brings a payment nothing. */
  async received(paymentId: string, peerId: string, condition: string): Promise<void> {
    const moved = { kind: 'payment', debit: accountId('peer', peerId), credit: accountId('exchange', 'USD/2'), amount: 5n } as const;
    const [at, sums] = [this.world.clock.now(), { sourceAmount: 5n, amount: 0n }];
    await this.database.write(async (tx) => {
      await tx.insert(receivedPackets).values({ peerId, condition, incomingPaymentId: paymentId, ...sums, reply: 'r', createdAt: at });
      expect(await transfer(tx, { ...moved, paymentId, at })).toMatchObject({ ok: true });
    });
  }

  /** Looks once for what goes, with all rules. @returns how many details went into the archive. */
  async look(): Promise<number> {
    const rule = paymentDetailRule(new Archive({ database: this.database, folder: this.inDatabase ? undefined : this.folder }), 90);
    const parts = { database: this.database, clock: this.world.clock, log: createLogger('silent') };
    const retention = new Retention({ ...parts, rules: [...RETENTION_RULES, rule], pause: async () => undefined });
    return (await retention.runOnce()).get('payment_details') ?? 0;
  }

  /** Reads files wherever they stand. */
  readAll(files: ArchiveFile[], search?: ArchiveSearch): ReturnType<ReadArchive> {
    const { folder, database } = this;
    return readEverywhere(database.read, (some, wanted) => readArchive({ folder, files: some, search: wanted }))(files, search);
  }

  /** Everything that the books and the archive know about payments' details, each row once, in an order of its own. */
  async everything(): Promise<string[]> {
    const { read } = this.database;
    const text = (row: object) => JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
    const stored = [
      ...(await read.select().from(events)).filter(({ type }) => /^(in|out)/.test(type)),
      ...(await read.select().from(sentPackets)).map(({ sharedSecret: _, prepare: __, ...row }) => row),
      ...(await read.select().from(receivedPackets)).map(({ reply: _, ...row }) => row),
    ];
    const files = await filesOf(read);
    const { files: answer } = await this.readAll(files, { beginning: '{', most: Number.POSITIVE_INFINITY });
    expect(answer.map(({ state }) => state)).toEqual(files.map(() => 'whole'));
    return [...stored, ...answer.flatMap(({ lines }) => lines.map((line) => rowOf(line).row))].map(text).toSorted();
  }

  async findings() {
    const { read } = this.database;
    return [...(await checkOutgoing(read, '')).findings, ...(await checkIncoming(read, '')).findings, ...(await checkPeers(read))];
  }

  /** What the archive has of a payment. */
  detailsOf(id: string) {
    return archivedDetails({ database: this.database, readArchive: (files, search) => this.readAll(files, search) }, id);
  }
}
