import { deserializeIlpReply, type IlpReply } from 'ilp-packet';
import { type Asset, MAX_MOVED, sameAsset } from '../../src-shared/amounts.ts';
import type { Core } from '../platform/core.ts';
import { failPoint } from '../platform/fail-points.ts';
import type { Connector } from './connector.ts';
import { Conversion, type Moved, type Price } from './conversion.ts';
import { leastToArrive, type MoneyPacket, moneyPacket } from './money-packet.ts';
import type { LocalOrigin, Rejected, SenderContext, SendRefusal } from './packets.ts';
import { answerOfReceiver, type ReceiverAnswer } from './stream-answers.ts';

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

/** How long a packet may take, as its expiry says, in milliseconds. */
const PACKET_LIFE_MS = 30_000;
/**
 * The number of such answers in a row that ends the attempt. After F99 the same is sent again, because a receiver may
 * take it then. After F08 a smaller packet is sent, which can be smaller by only one unit if the other side says so.
 * Without an end, either would go on thousands of times a second.
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
export type SendingConnector = Pick<Connector, 'handlePrepare' | 'maxPacketAmount'>;

/** A packet that has left. The fields are those of the packet. */
type Sent = Pick<MoneyPacket, 'sequence' | 'amount' | 'least'>;

/** One call of {@link StreamSender.send}. It makes the packets, and only it counts what was fulfilled. */
class SendAttempt {
  readonly #task: SendTask;
  readonly #parts: Parts;
  readonly #origin: LocalOrigin;
  /** The time after which no further packet is sent, by the monotonic clock. */
  readonly #end: number;
  readonly #mostUnderWay: number;
  readonly #done = Promise.withResolvers<SendOutcome>();
  #underWay = 0;
  #mayBeUnderWay = 1;
  #sequence = 0;
  /** What was not fulfilled, and is not under way. */
  #left: bigint;
  /** The most that one packet may carry, as far as the way has told it. */
  #most: bigint;
  #rejections = 0;
  #tooLittle = 0;
  #ended: SendOutcome | undefined;

  constructor(task: SendTask, parts: Parts) {
    this.#task = task;
    this.#parts = parts;
    this.#end = parts.clock.monotonic() + task.deadlineMs - parts.clock.now();
    const { sender, sourceAsset, receiveAsset, sharedSecret, amount, price, handover, moved, lastExpiryMs, underWay = 1 } = task;
    if (amount < 1n || amount > MAX_MOVED) throw new RangeError('not an amount to send');
    if (!(underWay >= 1 && underWay <= (handover ? 1 : MOST_UNDER_WAY))) throw new RangeError('not a number of packets');
    this.#mostUnderWay = underWay;
    this.#left = amount;
    this.#most = parts.connector.maxPacketAmount;
    // Between equal assets this node converts nothing, whatever the way costs further on. Nor does it where several
    // packets may be under way.
    const converted = price !== undefined && underWay === 1 && !(receiveAsset && sameAsset(receiveAsset, sourceAsset));
    const ownPrice = converted ? new Conversion(price, moved) : undefined;
    const conversion = handover ? new Conversion(handover) : ownPrice;
    this.#origin = { sender, asset: sourceAsset, receiveAsset, sharedSecret, conversion, lastExpiryMs };
  }

  run(): Promise<SendOutcome> {
    this.#sendMore();
    return this.#done.promise;
  }

  /** Lets as many packets leave as may be under way. The attempt is over when none is. */
  #sendMore(): void {
    while (this.#mayOneLeave()) {
      const amount = this.#left < this.#most ? this.#left : this.#most;
      this.#left -= amount;
      this.#underWay += 1;
      void this.#sendPacket(amount);
    }
    if (this.#underWay === 0) this.#done.resolve(this.#left === 0n ? { ended: 'sent' } : (this.#ended ?? { ended: 'interrupted' }));
  }

  #mayOneLeave(): boolean {
    if (this.#ended || this.#left === 0n || this.#underWay >= this.#mayBeUnderWay) return false;
    if (this.#task.signal.aborted) this.#ended = { ended: 'aborted' };
    else if (this.#parts.clock.monotonic() >= this.#end) this.#ended = { ended: 'deadline' };
    return this.#ended === undefined;
  }

  async #sendPacket(amount: bigint): Promise<void> {
    try {
      if (!(await this.#isFulfilled(amount))) this.#left += amount;
    } catch (error) {
      // A packet that cannot be made, or a connector that throws. Neither may leave the attempt without an end.
      this.#parts.log.error({ err: error, ...this.#task.sender }, 'sending a packet failed');
      this.#left += amount;
      this.#ended ??= { ended: 'interrupted' };
    }
    this.#underWay -= 1;
    this.#sendMore();
  }

  async #isFulfilled(amount: bigint): Promise<boolean> {
    const { clock, connector } = this.#parts;
    const { destinationAddress, sharedSecret, price } = this.#task;
    this.#sequence += 1;
    const sent = { sequence: this.#sequence, amount, least: leastToArrive(amount, price) };
    const expiresAt = new Date(clock.now() + PACKET_LIFE_MS);
    const reply = await connector.handlePrepare(moneyPacket({ destinationAddress, sharedSecret, expiresAt, ...sent }), this.#origin);
    if (reply.fulfilled) this.#fulfilled();
    else this.#rejected(reply, sent);
    return reply.fulfilled;
  }

  /** What the receiver says beside the fulfilment changes nothing: the ledger has counted the whole packet. */
  #fulfilled(): void {
    failPoint('after-fulfil');
    this.#rejections = 0;
    this.#tooLittle = 0;
    this.#mayBeUnderWay = Math.min(this.#mayBeUnderWay + 1, this.#mostUnderWay);
  }

  #rejected({ code, refusal, bytes }: Rejected, sent: Sent): void {
    const reply = deserializeIlpReply(bytes);
    const answer = code === 'F99' ? answerOfReceiver(sent.sequence, reply, this.#task.sharedSecret) : undefined;
    if (answer !== undefined && answer.arrived < sent.least) {
      this.#tooLittle += 1;
      if (this.#tooLittle >= RATE_PATIENCE) {
        this.#stop({ ended: 'refused', code, refusal: 'rate_moved' });
        return;
      }
    }
    const why = { code, ...(refusal && { refusal }) };
    const patience = PATIENCE[code];
    this.#rejections += 1;
    if (patience !== undefined && this.#rejections >= patience) this.#stop({ ended: 'interrupted', ...why });
    else if (code === 'F08') this.#carryAtMost(mostThatPasses(sent.amount, reply.data), { ended: 'interrupted', ...why });
    else if (code === 'F99') this.#heed(reply, answer);
    else if (code.startsWith('F')) this.#stop({ ended: 'refused', ...why });
    else if (!code.startsWith('T') || this.#mayBeUnderWay === 1) this.#stop({ ended: 'interrupted', ...why });
    else this.#mayBeUnderWay = Math.floor(this.#mayBeUnderWay / 2);
  }

  /** Follows what a receiver says in an F99. When it says nothing, the same is sent again. */
  #heed({ data }: IlpReply, answer: ReceiverAnswer | undefined): void {
    if (data.length === 0) return;
    // Nobody can read the answer, or the receiver closes.
    if (answer === undefined || answer.closes) this.#ended ??= { ended: 'interrupted' };
    else if (answer.takes !== undefined) this.#carryAtMost(atMostFor(answer.takes, this.#task.price), { ended: 'interrupted' });
  }

  /** Makes further packets smaller. Where nothing gets through, the attempt ends. */
  #carryAtMost(most: bigint, otherwise: SendOutcome): void {
    if (most === 0n) this.#ended ??= otherwise;
    else if (most < this.#most) this.#most = most;
  }

  /** Ends the attempt. What is under way is waited for, and may know a better reason. */
  #stop(outcome: SendOutcome): void {
    this.#ended = outcome;
  }
}

/**
 * The most that a packet may carry after one of `amount` units was too large: what the F08 tells (RFC 27), or half of
 * `amount` where it tells nothing.
 * @returns less than `amount`, and 0 when nothing gets through.
 */
function mostThatPasses(amount: bigint, data: Buffer): bigint {
  if (data.length < 16) return amount / 2n;
  const [received, maximum] = [data.readBigUInt64BE(0), data.readBigUInt64BE(8)];
  return received > maximum ? (amount * maximum) / received : amount / 2n;
}

/** The amount, in the sender's asset, that brings all that a receiver still takes. It is rounded up. */
const atMostFor = (takes: bigint, price: Price | undefined): bigint =>
  price ? (takes * price.debit + price.receive - 1n) / price.receive : takes;
