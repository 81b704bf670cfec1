import { hash } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { deserializeIlpPrepare, serializeIlpFulfill } from 'ilp-packet';
import { moneyPacket } from '../../src-main/ilp/money-packet.ts';
import { StreamReceivers } from '../../src-main/ilp/stream-receivers.ts';

const ASSET = { assetCode: 'USD', assetScale: 2 };
const NODE_ADDRESS = 'private.paydesk.bench';
const MAX_BATCH = 64;
const AMOUNT = 100n;
const PACKET_LIFE_MS = 30_000;

/**
 * The least that a payment by STREAM with a durable ledger can cost. It takes a packet of the node, the node's
 * receiving end, and five statements in a transaction whose fsync the waiting payments share. There is no connector, no
 * limit, no retry, no event and nothing about clients.
 */
export class BareLoop {
  readonly #database: Sqlite.Database;
  readonly #receivers = new StreamReceivers({ secret: Buffer.alloc(32, 7), nodeAddress: NODE_ADDRESS });
  readonly #run: (payment: string, condition: string) => void;
  readonly #waiting: { payment: string; condition: string; done: () => void }[] = [];
  #isDraining = false;
  #count = 0;

  constructor(file: string) {
    this.#database = new Sqlite(file);
    this.#database.pragma('journal_mode = wal');
    this.#database.pragma('synchronous = full');
    this.#database.exec(`
      create table accounts (id text primary key, balance integer not null check (balance >= 0)) strict;
      create table payments (id text primary key, received integer not null) strict;
      create table packets (condition text primary key, payment text not null, amount integer not null) strict;
      insert into accounts values ('payer', 1000000000000), ('shop', 0);
    `);
    const statements = [
      'insert into packets values (:condition, :payment, 100)',
      'insert into payments values (:payment, 100) on conflict do update set received = received + 100',
      "update accounts set balance = balance - 100 where id = 'payer'",
      "update accounts set balance = balance + 100 where id = 'shop'",
      'select received from payments where id = :payment',
    ].map((text) => this.#database.prepare(text));
    this.#run = (payment, condition) => {
      for (const statement of statements) {
        const values = statement.source.includes(':condition')
          ? { payment, condition }
          : statement.source.includes(':payment')
            ? { payment }
            : {};
        if (statement.reader) statement.get(values);
        else statement.run(values);
      }
    };
  }

  close(): void {
    this.#database.close();
  }

  /** One payment in one packet. */
  async pay(): Promise<void> {
    this.#count += 1;
    const id = `00000000-0000-4000-8000-${String(this.#count).padStart(12, '0')}`;
    const { ilpAddress, sharedSecret } = await this.#receivers.credentials(id, ASSET);
    const expiresAt = new Date(Date.now() + PACKET_LIFE_MS);
    const amounts = { amount: AMOUNT, least: AMOUNT };
    await this.#answer(id, moneyPacket({ destinationAddress: ilpAddress, sharedSecret, sequence: 1, ...amounts, expiresAt }));
  }

  async #answer(id: string, bytes: Buffer): Promise<Buffer> {
    const prepare = deserializeIlpPrepare(bytes);
    const receiver = this.#receivers.open(prepare.destination);
    if (receiver === undefined) throw new Error('the bare loop lost its way');
    const fulfil = await this.#receivers.receive(receiver, { ...prepare, amount: BigInt(prepare.amount) });
    if (!hash('sha256', fulfil.fulfillment, 'buffer').equals(prepare.executionCondition)) throw new Error('a wrong fulfilment');
    await this.#book(id, prepare.executionCondition.toString('base64url'));
    return serializeIlpFulfill(fulfil);
  }

  #book(payment: string, condition: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ payment, condition, done: resolve });
      if (this.#isDraining) return;
      this.#isDraining = true;
      setImmediate(() => this.#drain());
    });
  }

  #drain(): void {
    const batch = this.#waiting.splice(0, MAX_BATCH);
    this.#database.exec('begin immediate');
    for (const { payment, condition } of batch) this.#run(payment, condition);
    this.#database.exec('commit');
    for (const { done } of batch) done();
    this.#isDraining = this.#waiting.length > 0;
    if (this.#isDraining) setImmediate(() => this.#drain());
  }
}
