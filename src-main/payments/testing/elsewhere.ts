import { hash } from 'node:crypto';
import { deserializeIlpPrepare, deserializeIlpReply, type IlpPrepare, isFulfill, serializeIlpFulfill } from 'ilp-packet';
import type { Asset } from '../../../src-shared/amounts.ts';
import { amountTooLarge, reject } from '../../ilp/packets.ts';
import type { LinkOutcome, PeerLinks } from '../../ilp/peer-links.ts';
import type { OpenedReceiver } from '../../ilp/stream-credentials.ts';
import { StreamReceivers } from '../../ilp/stream-receivers.ts';
import { lyingAnswer } from '../../ilp/testing/lying-receiver.ts';
import type { ManualClock } from '../../platform/clock.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { Asker, IncomingPaymentReader, RemoteIncomingPayment, RemoteProblem } from '../../remote-wallets/remote-incoming-payments.ts';

/**
 * What happens to one packet on its way.
 * - `pass`: nothing.
 * - `unreachable`: it is not sent.
 * - `lose`: it is lost.
 * - `mute`: it arrives, and the answer is lost.
 * - `twice`: two copies arrive.
 * - `no-data`: the answer comes without what the receiver says.
 * - The others are answers that replace the true one.
 */
export type Fate = 'pass' | 'unreachable' | 'lose' | 'mute' | 'twice' | 'garbage' | 'forged' | 'no-data' | { code: string };

interface Invoice {
  incomingAmount?: bigint;
  received: bigint;
  expiresAt?: number;
  completed: boolean;
}

/**
 * Another node with a real STREAM receiver and a count of its own. A test makes as much trouble on the way to it as it
 * needs.
 */
export class Elsewhere implements PeerLinks, IncomingPaymentReader {
  readonly receivers: StreamReceivers;
  /** Its ILP address. */
  readonly address: string;
  /** The origin of its URLs. */
  readonly origin: string;
  readonly invoices = new Map<string, Invoice>();
  /** Every PREPARE that was handed to the link, and what happened to it. */
  readonly sent: { bytes: Buffer; prepare: IlpPrepare; fate: Fate }[] = [];
  /** What this node has taken from the peer in all. */
  taken = 0n;
  deduplicates = true;
  maxPacketAmount = 2n ** 63n - 1n;
  readable = true;
  /** The time by which its wallet's clock is behind, in milliseconds. */
  behindMs = 0;
  fate: (packet: number, bytes: Buffer) => Fate = () => 'pass';
  /** Converts what the peer hands over into the receiver's asset. */
  exchange: (amount: bigint) => bigint = (amount) => amount;
  onSend: () => Promise<void> | void = () => undefined;
  /**
   * Makes the receivers lie: they fulfil every packet, and say of each that they got this instead of what arrived.
   * Undefined stands for an answer without data.
   */
  says: ((arrived: bigint, isProbe: boolean) => bigint | undefined) | undefined;
  /** Makes the wallet lie: it says of its invoices that they have got this in all. */
  tells: (received: bigint) => bigint = (received) => received;
  /** What was read of an invoice for a price a moment ago. */
  recent: (url: string) => RemoteIncomingPayment | undefined = () => undefined;
  onLook: (asker: Asker) => Promise<void> | void = () => undefined;
  readonly #answers = new Map<string, Buffer>();
  readonly #clock: ManualClock;
  readonly asset: Asset;

  /** @param name no two nodes may have the same. */
  constructor(clock: ManualClock, asset: Asset, name = 'elsewhere') {
    this.#clock = clock;
    this.asset = asset;
    this.address = `test.${name}`;
    this.origin = `https://${name}.example`;
    this.receivers = new StreamReceivers({ secret: Buffer.alloc(32, 5), nodeAddress: this.address });
  }

  invoice(incomingAmount?: bigint, changes: Partial<Invoice> = {}): string {
    const id = `invoice-${this.invoices.size + 1}`;
    this.invoices.set(id, { received: 0n, completed: false, ...(incomingAmount !== undefined && { incomingAmount }), ...changes });
    return `${this.origin}/incoming-payments/${id}`;
  }

  of(url: string): Invoice {
    const invoice = this.invoices.get(url.slice(url.lastIndexOf('/') + 1));
    if (invoice === undefined) throw new Error('there is no such invoice');
    return invoice;
  }

  async get(url: string, asker: Asker): Promise<Result<RemoteIncomingPayment, RemoteProblem>> {
    await this.onLook(asker);
    if (!this.readable) return refuse('receiver_unreachable');
    const id = url.slice(url.lastIndexOf('/') + 1);
    const invoice = this.invoices.get(id);
    if (invoice === undefined) return refuse('unknown_receiver');
    const method = this.#isOpen(invoice) ? await this.receivers.credentials(id, this.asset) : undefined;
    return ok({
      url,
      walletAddress: `${this.origin}/shop`,
      asset: this.asset,
      ...invoice,
      received: this.tells(invoice.received),
      method,
    });
  }

  takeRecent(url: string, _walletAddressId: string): RemoteIncomingPayment | undefined {
    return this.recent(url);
  }

  async send(_peerId: string, bytes: Buffer): Promise<LinkOutcome> {
    const prepare = deserializeIlpPrepare(bytes);
    const fate = this.fate(this.sent.length, bytes);
    this.sent.push({ bytes, prepare, fate });
    await this.onSend();
    if (fate === 'unreachable') return { outcome: 'not_sent', why: 'test' };
    if (fate === 'lose') return { outcome: 'lost', why: 'test' };
    if (typeof fate === 'object') return { outcome: 'answered', reply: await this.#refuse(prepare, fate.code) };
    if (fate === 'garbage') return { outcome: 'answered', reply: Buffer.from('no packet') };
    if (fate === 'forged') {
      return { outcome: 'answered', reply: serializeIlpFulfill({ fulfillment: Buffer.alloc(32, 3), data: Buffer.alloc(0) }) };
    }
    let reply = await this.#answer(prepare);
    if (fate === 'twice') reply = await this.#answer(prepare);
    if (fate === 'mute') return { outcome: 'lost', why: 'test' };
    if (fate === 'no-data') reply = withoutData(reply);
    return { outcome: 'answered', reply };
  }

  /**
   * Rejects a packet. A packet that was answered before gets its former answer. Only a fault (T00) is not remembered as
   * an answer.
   */
  async #refuse(prepare: IlpPrepare, code: string): Promise<Buffer> {
    const refusal = reject(this.address, code, '').bytes;
    if (code === 'T00') return refusal;
    const key = prepare.executionCondition.toString('hex');
    const answer = (this.deduplicates ? this.#answers.get(key) : undefined) ?? refusal;
    this.#answers.set(key, answer);
    return answer;
  }

  async #answer(prepare: IlpPrepare): Promise<Buffer> {
    const key = prepare.executionCondition.toString('hex');
    const former = this.deduplicates ? this.#answers.get(key) : undefined;
    const answer = former ?? (await this.#take(prepare));
    this.#answers.set(key, answer);
    return answer;
  }

  async #take(prepare: IlpPrepare): Promise<Buffer> {
    const amount = BigInt(prepare.amount);
    if (prepare.expiresAt.getTime() <= this.#clock.now()) return reject(this.address, 'R00', '').bytes;
    if (amount > this.maxPacketAmount) return amountTooLarge(this.address, amount, this.maxPacketAmount).bytes;
    const receiver = this.receivers.open(prepare.destination);
    const invoice = receiver && this.invoices.get(receiver.incomingPaymentId);
    if (receiver === undefined || invoice === undefined || !this.#isOpen(invoice)) return reject(this.address, 'F02', '').bytes;
    const arriving = this.exchange(amount);
    if (this.says !== undefined) return await this.#lie(receiver, prepare, invoice, this.says);
    try {
      const fulfil = await this.receivers.receive(receiver, { ...prepare, amount: arriving });
      if (!hash('sha256', fulfil.fulfillment, 'buffer').equals(prepare.executionCondition)) return reject(this.address, 'F05', '').bytes;
      const most = invoice.incomingAmount === undefined ? undefined : invoice.incomingAmount - invoice.received;
      if (most !== undefined && arriving > most + (most / 100n || 1n)) return reject(this.address, 'F07', '').bytes;
      invoice.received += arriving;
      if (invoice.incomingAmount !== undefined && invoice.received >= invoice.incomingAmount) invoice.completed = true;
      this.taken += amount;
      return serializeIlpFulfill(fulfil);
    } catch (error) {
      const { ilpErrorCode = 'F00', ilpErrorData } = error as { ilpErrorCode?: string; ilpErrorData?: Buffer };
      return reject(this.address, ilpErrorCode, '', ilpErrorData).bytes;
    }
  }

  async #lie(
    { sharedSecret }: OpenedReceiver,
    prepare: IlpPrepare,
    invoice: Invoice,
    says: NonNullable<Elsewhere['says']>,
  ): Promise<Buffer> {
    const arrived = this.exchange(BigInt(prepare.amount));
    const { isProbe, reply } = await lyingAnswer(sharedSecret, prepare, (kind) => says(arrived, kind));
    if (!isProbe) {
      this.taken += BigInt(prepare.amount);
      invoice.received += arrived;
    }
    return reply;
  }

  #isOpen({ completed, expiresAt }: Invoice): boolean {
    return !completed && (expiresAt === undefined || this.#clock.now() - this.behindMs < expiresAt);
  }
}

function withoutData(bytes: Buffer): Buffer {
  const reply = deserializeIlpReply(bytes);
  return isFulfill(reply) ? serializeIlpFulfill({ ...reply, data: Buffer.alloc(0) }) : bytes;
}
