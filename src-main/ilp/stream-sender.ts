import { deserializeIlpPrepare, deserializeIlpReply } from 'ilp-packet';
import { type Asset, MAX_MOVED, sameAsset } from '../../src-shared/amounts.ts';
import type { Clock } from '../platform/clock.ts';
import type { Core } from '../platform/core.ts';
import { failPoint } from '../platform/fail-points.ts';
import type { Connector } from './connector.ts';
import { Conversion, type Moved, type Price } from './conversion.ts';
import type { LocalOrigin, Rejected, SenderContext, SendRefusal } from './packets.ts';
import { SenderConnection } from './sender-connection.ts';
import { amountAtReceiver } from './stream-answers.ts';

/** The task: how much to send, to whom, at which price and until when. */
export interface SendTask {
  readonly sender: SenderContext;
  readonly destinationAddress: string;
  /** 32 bytes, from the receiver's credentials. */
  readonly sharedSecret: Buffer;
  readonly sourceAsset: Asset;
  /** The amount to send now, in smallest units of `sourceAsset`, 1 to 2^63−1. */
  readonly amount: bigint;
  /** The receiver's asset. It is absent when it is the sender's own. */
  readonly receiveAsset?: Asset | undefined;
  /**
   * The least that each packet must bring. It is needed when the receiver has another asset. Without it, one unit sent
   * is one unit delivered.
   */
  readonly price?: Price | undefined;
  /**
   * The next peer's part of `amount`, when that is neither `price` nor one for one, because others exchange further on.
   */
  readonly handover?: Price | undefined;
  /** The amounts that earlier attempts have moved, given with `price`: rounding continues where they stopped. */
  readonly moved?: Moved | undefined;
  /** Ends the sending once it is aborted: no further packet leaves, and the sender waits for the one under way. */
  readonly signal: AbortSignal;
  /** The time after which no further packet is sent either, in milliseconds since the Unix epoch. */
  readonly deadlineMs: number;
  /** See {@link LocalOrigin.lastExpiryMs}. */
  readonly lastExpiryMs?: number | undefined;
  /**
   * The most packets that may be under way at once, 1 to {@link MOST_UNDER_WAY}. It is 1 where nothing else is said,
   * and always where this node exchanges: converted packets are counted one after the other.
   */
  readonly underWay?: number | undefined;
}

/** The most packets of one payment that may be under way at once. */
export const MOST_UNDER_WAY = 16;

/**
 * The reason why sending ended. Only the ledger says how much has moved: a packet whose answer was lost may have moved
 * its money.
 * - `sent`: every unit was fulfilled.
 * - `refused`: final; the same would be answered again (F codes of RFC 27).
 * - `interrupted`: another attempt may get further. `code` is absent when the receiver let nothing more through without
 * saying why, or gave an answer that nobody can read.
 * - `aborted`, `deadline`: the caller's signal or deadline ended it.
 */
export type SendOutcome =
  | { readonly ended: 'sent' }
  | { readonly ended: 'refused'; readonly code: string; readonly refusal?: SendRefusal | 'rate_moved' }
  | { readonly ended: 'interrupted'; readonly code?: string; readonly refusal?: SendRefusal }
  | { readonly ended: 'aborted' }
  | { readonly ended: 'deadline' };

/** How long a packet may take, as its expiry says, in milliseconds. It is the library's own default. */
const PACKET_LIFE_MS = 30_000;
/**
 * The number of such answers in a row that ends the attempt. The library answers both at once with the next packet.
 * After F99 it sends the same again, thousands a second and for ever. After F08 it sends a smaller one, which can be
 * smaller by only one unit if the other side says so (protocol-notes.md#PN-32).
 */
const PATIENCE: Readonly<Record<string, number>> = { F99: 5, F08: 64 };
/**
 * The number of packets in a row that may bring less than the price promises. Then the rate on the way has moved, and
 * the next packet will bring no more.
 */
const RATE_PATIENCE = 3;

interface Parts extends Pick<Core, 'clock' | 'log'> {
  connector: SendingConnector;
}

/** Sends payments by STREAM (RFC 29) through the connector. */
export class StreamSender {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Sends `amount`, in packets as large as the connector allows. It begins with one packet. Each packet that is
   * fulfilled lets one more be under way, up to `underWay`, and each temporary error halves their number (RFC 29,
   * "Congestion Control"). It keeps no timer and nothing in memory beyond this call: once it has resolved, no packet of
   * it is under way and none will follow. It never throws for what a peer or receiver does.
   * @throws RangeError for an amount, price or number of packets out of range.
   */
  async send(task: SendTask): Promise<SendOutcome> {
    const attempt = new SendAttempt(task, this.#parts);
    const outcome = await attempt.run();
    this.#parts.log.debug({ ...task.sender, ...outcome }, 'sending ended');
    return outcome;
  }
}

/** The part of a connector that the sender uses. */
export type SendingConnector = Pick<Connector, 'handlePrepare' | 'nodeAddress' | 'maxPacketAmount'>;

/** The part of an amount that one connection sends, mostly in one packet. */
interface Share {
  readonly amount: bigint;
  fulfilled: bigint;
  /** Whether others send what this connection has not. */
  isGivenBack: boolean;
}

/**
 * One call of {@link StreamSender.send}. It is the way out of its connections, and the only place that counts what was
 * fulfilled. The library sends one packet at a time in a connection, so each packet gets a connection of its own.
 */
class SendAttempt {
  readonly #task: SendTask;
  readonly #connector: SendingConnector;
  readonly #clock: Clock;
  readonly #origin: LocalOrigin;
  /** The time after which no further packet is sent, by the monotonic clock. */
  readonly #end: number;
  readonly #mostUnderWay: number;
  #mayBeUnderWay = 1;
  /** What was not fulfilled, and is in no connection's share. */
  #left: bigint;
  /** The most that one packet may carry, as far as the way has told it. */
  #most: bigint;
  #rejections = 0;
  #tooLittle = 0;
  #ended: SendOutcome | undefined;

  constructor(task: SendTask, { connector, clock }: Parts) {
    this.#task = task;
    this.#connector = connector;
    this.#clock = clock;
    this.#end = clock.monotonic() + task.deadlineMs - clock.now();
    const { sender, sourceAsset, receiveAsset, sharedSecret, amount, price, handover, moved, lastExpiryMs, underWay = 1 } = task;
    if (amount < 1n || amount > MAX_MOVED) throw new RangeError('not an amount to send');
    if (!(underWay >= 1 && underWay <= (handover ? 1 : MOST_UNDER_WAY))) throw new RangeError('not a number of packets');
    this.#mostUnderWay = underWay;
    this.#left = amount;
    this.#most = connector.maxPacketAmount;
    // Between equal assets this node converts nothing, whatever the way costs further on. Nor does it where several
    // packets may be under way.
    const converted = price !== undefined && underWay === 1 && !(receiveAsset && sameAsset(receiveAsset, sourceAsset));
    const ownPrice = converted ? new Conversion(price, moved) : undefined;
    const conversion = handover ? new Conversion(handover) : ownPrice;
    this.#origin = { sender, asset: sourceAsset, receiveAsset, sharedSecret, conversion, lastExpiryMs };
  }

  async run(): Promise<SendOutcome> {
    const underWay = new Set<Promise<void>>();
    for (;;) {
      while (this.#ended === undefined && this.#left > 0n && underWay.size < this.#mayBeUnderWay) {
        const sending = this.#sendShare().finally(() => underWay.delete(sending));
        underWay.add(sending);
      }
      if (underWay.size === 0) break;
      await Promise.race(underWay);
    }
    return this.#left === 0n ? { ended: 'sent' } : (this.#ended ?? { ended: 'interrupted' });
  }

  async #sendShare(): Promise<void> {
    const { destinationAddress, sharedSecret, sourceAsset, price } = this.#task;
    const share: Share = { amount: this.#left < this.#most ? this.#left : this.#most, fulfilled: 0n, isGivenBack: false };
    this.#left -= share.amount;
    const connection = new SenderConnection({
      destinationAddress,
      sharedSecret,
      sourceAsset,
      sourceAddress: `${this.#connector.nodeAddress}.sender`,
      price,
      maxPacketAmount: this.#most,
      sendData: (bytes) => this.#sendData(bytes, share),
      expiry: () => new Date(this.#clock.now() + PACKET_LIFE_MS),
    });
    await connection.send(share.amount);
    this.#left += share.amount - share.fulfilled;
    if (share.fulfilled < share.amount && !share.isGivenBack) this.#ended ??= { ended: 'interrupted' };
  }

  async #sendData(bytes: Buffer, share: Share): Promise<Buffer> {
    if (this.#ended) return this.#stop(this.#ended);
    if (this.#task.signal.aborted) return this.#stop({ ended: 'aborted' });
    if (this.#clock.monotonic() >= this.#end) return this.#stop({ ended: 'deadline' });
    const reply = await this.#connector.handlePrepare(bytes, this.#origin);
    if (!reply.fulfilled) return await this.#rejected(reply, bytes, share);
    if (reply.sourceAmount > 0n) failPoint('after-fulfil');
    this.#rejections = 0;
    this.#tooLittle = 0;
    this.#mayBeUnderWay = Math.min(this.#mayBeUnderWay + 1, this.#mostUnderWay);
    share.fulfilled += reply.sourceAmount;
    return reply.bytes;
  }

  async #rejected({ code, refusal, bytes }: Rejected, prepare: Buffer, share: Share): Promise<Buffer> {
    const why = { code, ...(refusal && { refusal }) };
    if (code === 'F99' && (await this.#broughtTooLittle(prepare, bytes))) {
      this.#tooLittle += 1;
      if (this.#tooLittle >= RATE_PATIENCE) return this.#stop({ ended: 'refused', code, refusal: 'rate_moved' });
    }
    const patience = PATIENCE[code];
    this.#rejections += 1;
    if (patience !== undefined && this.#rejections < patience) return code === 'F08' ? this.#smaller(bytes, prepare, share) : bytes;
    if (code.startsWith('T') && this.#mayBeUnderWay > 1) return this.#fewer(share);
    return this.#stop(patience === undefined && code.startsWith('F') ? { ended: 'refused', ...why } : { ended: 'interrupted', ...why });
  }

  /** Learns from an F08 how much one packet may carry. The library guesses where the answer does not tell it. */
  #smaller(reply: Buffer, prepare: Buffer, share: Share): Buffer {
    const most = mostThatPasses(BigInt(deserializeIlpPrepare(prepare).amount), reply);
    if (most === undefined) return reply;
    if (most < this.#most) this.#most = most;
    return this.#giveBack(share);
  }

  #fewer(share: Share): never {
    this.#mayBeUnderWay = Math.floor(this.#mayBeUnderWay / 2);
    return this.#giveBack(share);
  }

  /** Whether the receiver itself says that this packet would have brought less than the price promises. */
  async #broughtTooLittle(prepare: Buffer, reply: Buffer): Promise<boolean> {
    const { price, sharedSecret } = this.#task;
    const { amount, data } = deserializeIlpPrepare(prepare);
    const arrived = await amountAtReceiver(data, deserializeIlpReply(reply), sharedSecret);
    if (arrived === undefined) return false;
    return arrived < (price ? (BigInt(amount) * price.receive) / price.debit : BigInt(amount));
  }

  /** Ends a connection, and leaves what it has not sent to others. */
  #giveBack(share: Share): never {
    share.isGivenBack = true;
    return endConnection();
  }

  /** Ends the attempt. What is under way is waited for. */
  #stop(outcome: SendOutcome): never {
    this.#ended = outcome;
    return endConnection();
  }
}

/** Throws the error that makes the library destroy a connection. That connection closes silently. */
function endConnection(): never {
  throw new Error('sending ended');
}

/**
 * The most that a packet of `amount` units may carry, by what an F08 tells (RFC 27).
 * @returns undefined when it tells nothing, or nothing smaller.
 */
function mostThatPasses(amount: bigint, reply: Buffer): bigint | undefined {
  const { data } = deserializeIlpReply(reply);
  if (data.length < 16) return undefined;
  const [received, maximum] = [data.readBigUInt64BE(0), data.readBigUInt64BE(8)];
  const most = received === 0n ? 0n : (amount * maximum) / received;
  return most > 0n && most < amount ? most : undefined;
}
