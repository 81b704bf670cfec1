import { createHmac, hash } from 'node:crypto';
import { type IlpPrepare, serializeIlpFulfill } from 'ilp-packet';
import { MAX_MOVED, sameAsset } from '../../src-shared/amounts.ts';
import type { Rates } from '../exchange/rates.ts';
import { isWithin } from '../ilp/ilp-address.ts';
import { type AcceptRefusal, amountTooLarge, type Rejected, refused, reject } from '../ilp/packets.ts';
import { parsePrepare, receiveChecked } from '../ilp/receiving.ts';
import { arrivalToReject } from '../ilp/stream-answers.ts';
import type { OpenedReceiver } from '../ilp/stream-credentials.ts';
import type { PacketReceivers } from '../ilp/stream-receivers.ts';
import type { Core } from '../platform/core.ts';
import { failPoint } from '../platform/fail-points.ts';
import { type Rate, RateLimiter } from '../platform/limits/rate-limiter.ts';
import { OneAtATime } from '../platform/one-at-a-time.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { ILDCP_ADDRESS, ILDCP_FULFILMENT, ildcpAnswer } from './ildcp.ts';
import { converted, runOf } from './peer-conversion.ts';
import type { KnownPeer, PeerDirectory } from './peer-directory.ts';
import type { PeerSightings } from './peer-sightings.ts';
import { QuietAfterCopy } from './quiet-after-copy.ts';
import {
  type AcceptPeerPacket,
  formerReply,
  type PacketExchange,
  type PacketKey,
  REPEATABLE_MS,
  storeRejected,
} from './received-packets.ts';

/** The least time that a packet must have left when it comes. Less could run out while its money is being written. */
const LEAST_LEFT_MS = 1_000;
/**
 * The packets that one peer may send (decisions.md#D-50). The rate is far above what a busy peer sends, and far below
 * what would keep the payments of this node waiting.
 */
const PACKET_RATE: Rate = { perSecond: 5_000, burst: 10_000 };
/** The rejections of a paused peer that the node stores: 36,000 an hour, about 25 MB (decisions.md#D-50). */
const PAUSED_RATE: Rate = { perSecond: 10, burst: 500 };

/**
 * The number of times that the node converts a packet again when something has changed meanwhile. While another process
 * takes packets of the same payment, chance decides each time whose packet is first.
 */
const CONVERSIONS = 100;

/** A packet gets no answer, because the node would have to remember its answer, and the peer has used up its room. */
export class NotRemembered extends Error {}

interface Parts extends Pick<Core, 'database' | 'clock' | 'log'> {
  readonly nodeAddress: string;
  readonly receivers: PacketReceivers;
  readonly directory: PeerDirectory;
  readonly sightings: PeerSightings;
  readonly accept: AcceptPeerPacket;
  /** Tells why an incoming payment takes nothing now. It is undefined while the payment is open. */
  readonly closed: (incomingPaymentId: string) => Promise<AcceptRefusal | undefined>;
  readonly rates: Pick<Rates, 'rateBetween'>;
  /**
   * The most one packet may carry, in smallest units of the peer's asset. Without it a packet may carry whatever can
   * move.
   */
  readonly maxPacketAmount?: bigint | undefined;
  readonly packetRate?: Rate;
  /** The number of processes that take packets of the same peers. Without it there is one. */
  readonly shares?: () => number;
}

/** A rejection. `isForGood`: the same packet would get the same answer at any time, so nobody needs to remember it. */
interface Rejection {
  readonly rejected: Rejected;
  readonly isForGood: boolean;
}

const passing = (rejected: Rejected): { ok: false; error: Rejection } => refuse({ rejected, isForGood: false });
const forGood = (rejected: Rejected): { ok: false; error: Rejection } => refuse({ rejected, isForGood: true });

interface MoneyPacket {
  readonly prepare: IlpPrepare;
  readonly condition: string;
  readonly peer: KnownPeer;
  readonly sourceAmount: bigint;
}

/**
 * Answers the packets that peers send. For each packet it parses, checks limits, routes, converts, lets the receiver
 * answer, checks the fulfilment, moves the money and answers. It reaches only this node's own receivers, never another
 * peer (decisions.md#D-48).
 *
 * The sender gives its money back on a REJECT and parts with it on a FULFILL, and it may hand over the same packet many
 * times. So the node stores every answer to a packet with money before the answer leaves, unless no other answer was
 * ever possible. When it cannot store the answer, it gives none. Copies that come at the same time need no order: the
 * first stored answer is the answer to all of them.
 */
export class PeerPackets {
  readonly #parts: Parts;
  readonly #limiter: RateLimiter;
  readonly #pausedLimiter: RateLimiter;
  readonly #maxPacketAmount: bigint;
  readonly #inTurn = new OneAtATime();
  readonly #quiet: QuietAfterCopy;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#quiet = new QuietAfterCopy(parts);
    this.#limiter = new RateLimiter(parts.packetRate ?? PACKET_RATE, parts.clock, parts.shares);
    this.#pausedLimiter = new RateLimiter(PAUSED_RATE, parts.clock, parts.shares);
    this.#maxPacketAmount = parts.maxPacketAmount ?? MAX_MOVED;
  }

  /**
   * Answers one PREPARE with one FULFILL or REJECT.
   * @throws when the answer could not be stored. The peer must then be told nothing that it could take for an answer.
   */
  async handle(bytes: Buffer, peer: KnownPeer): Promise<Buffer> {
    this.#parts.sightings.sent(peer.id);
    const prepare = parsePrepare(bytes);
    if (prepare === undefined) return this.#reject('F01', 'not an ILP PREPARE').bytes;
    this.#parts.sightings.meant(peer.id, prepare.destination);
    const sourceAmount = BigInt(prepare.amount);
    if (sourceAmount === 0n) return await this.#withoutMoney(prepare, peer);
    const condition = prepare.executionCondition.toString('base64url');
    return await this.#withMoney({ prepare, condition, peer, sourceAmount });
  }

  async #withMoney(packet: MoneyPacket): Promise<Buffer> {
    const { peer, sourceAmount } = packet;
    const answer = await this.#answer(packet);
    if (this.#parts.log.isLevelEnabled('trace')) {
      const how = answer.ok ? 'fulfil' : answer.error.rejected.code;
      this.#parts.log.trace({ peer: peer.id, sourceAmount: sourceAmount.toString(), answer: how }, 'packet of a peer');
    }
    if (answer.ok) {
      failPoint('before-fulfil');
      return answer.value;
    }
    const { rejected, isForGood } = answer.error;
    // A packet that was taken before this node got another address or other secrets stays taken.
    if (isForGood) return (await formerReply(this.#parts.database.read, keyOf(packet))) ?? rejected.bytes;
    if (packet.peer.state !== 'active' && this.#pausedLimiter.take(packet.peer.id) > 0) {
      const former = await formerReply(this.#parts.database.read, keyOf(packet));
      if (former === undefined) throw new NotRemembered();
      return former;
    }
    return await storeRejected(this.#parts.database, keyOf(packet), rejected.bytes, this.#parts.clock.now());
  }

  async #answer(packet: MoneyPacket): Promise<Result<Buffer, Rejection>> {
    const limited = this.#limits(packet);
    if (limited !== undefined) return passing(limited);
    if (await this.#quiet.lasts()) return passing(this.#reject('T03', 'the books were put back from a copy a moment ago'));
    const { destination } = packet.prepare;
    const receiver = isWithin(this.#parts.nodeAddress, destination) ? this.#parts.receivers.open(destination) : undefined;
    if (receiver === undefined) return forGood(this.#reject('F02', 'no route'));
    // This is checked before STREAM is asked. A sender would take STREAM's answer for a reason to try again at once,
    // for ever.
    const closed = await this.#parts.closed(receiver.incomingPaymentId);
    if (closed !== undefined) return passing(refused(this.#parts.nodeAddress, closed));
    if (sameAsset(packet.peer.asset, receiver.asset)) return await this.#deliver(packet, receiver, packet.sourceAmount);
    return await this.#inTurn.run(`${packet.peer.id} ${receiver.incomingPaymentId}`, () => this.#convert(packet, receiver));
  }

  /** Rejects a packet that this peer, or any peer at this moment, may not send. */
  #limits({ prepare, peer, sourceAmount }: MoneyPacket): Rejected | undefined {
    if (peer.state !== 'active') return this.#reject('T03', 'nothing is taken at the moment');
    if (this.#limiter.take(peer.id) > 0) return this.#reject('T05', 'too many packets');
    const most = smaller(this.#maxPacketAmount, peer.maxPacketAmount ?? MAX_MOVED);
    if (sourceAmount > most) return amountTooLarge(this.#parts.nodeAddress, sourceAmount, most);
    const left = prepare.expiresAt.getTime() - this.#parts.clock.now();
    if (left <= 0) return this.#reject('R00', 'expired');
    // Answers are remembered for a month. A packet that lives on after that would be taken again.
    if (left > REPEATABLE_MS) return this.#reject('F00', 'the packet would live for too long');
    return left < LEAST_LEFT_MS ? this.#reject('R02', 'too little time left') : undefined;
  }

  /**
   * Converts at the rate of this moment. The packets of one payment come here one after the other. It converts a packet
   * again when the rate changes meanwhile, or when another process takes a packet of the payment.
   */
  async #convert(packet: MoneyPacket, receiver: OpenedReceiver): Promise<Result<Buffer, Rejection>> {
    for (let left = CONVERSIONS; ; left -= 1) {
      const delivered = await this.#convertOnce(packet, receiver);
      if (left === 0 || delivered.ok || delivered.error.rejected.refusal !== 'conversion_moved') return delivered;
    }
  }

  async #convertOnce(packet: MoneyPacket, receiver: OpenedReceiver): Promise<Result<Buffer, Rejection>> {
    const { peer, sourceAmount } = packet;
    const { rates, database } = this.#parts;
    const rate = await rates.rateBetween(peer.asset, receiver.asset);
    if (!rate.ok) return passing(this.#reject('F02', rate.error === 'no_rate' ? 'no rate for this exchange' : 'the rate is too old'));
    const before = await runOf(database.read, { peerId: peer.id, incomingPaymentId: receiver.incomingPaymentId });
    const exchange = {
      used: { from: peer.asset, to: receiver.asset, rate: rate.value },
      converted: converted(sourceAmount, rate.value, before),
    };
    if (exchange.converted.amount > MAX_MOVED) return passing(this.#reject('F03', 'amount cannot be converted'));
    return await this.#deliver(packet, receiver, exchange.converted.amount, exchange);
  }

  async #deliver(
    packet: MoneyPacket,
    receiver: OpenedReceiver,
    amount: bigint,
    exchange?: PacketExchange,
  ): Promise<Result<Buffer, Rejection>> {
    const { prepare, peer, sourceAmount } = packet;
    const { nodeAddress, receivers, accept } = this.#parts;
    const received = await receiveChecked({ nodeAddress, receivers, receiver, prepare, amount });
    // At another rate more might arrive, and the receiver might take it. A packet that the receiver's secret cannot
    // fulfil is rejected for good.
    if (!received.ok) return exchange && isFulfillable(receiver, prepare) ? passing(received.error) : forGood(received.error);
    const { incomingPaymentId, asset } = receiver;
    const money = { sourceAmount, sourceAsset: peer.asset, amount, asset, exchange, expiresAt: prepare.expiresAt.getTime() };
    const from = { ...keyOf(packet), tokenHash: peer.incomingTokenHash };
    const accepted = await accept({ ...from, incomingPaymentId, ...money, reply: received.value });
    if (accepted.ok) return ok(accepted.value.reply);
    const isWorthMore = accepted.error === 'over_amount' && exchange !== undefined;
    return passing(isWorthMore ? this.#worthMore(prepare, receiver, amount) : refused(nodeAddress, accepted.error));
  }

  /**
   * Rejects a packet that brings more than the payment takes because the rate has improved since the sender's quote. An
   * F07 would end that sender's payment. With an F99, in which the receiver says what arrived, it learns the rate and
   * sends less (decisions.md#D-152).
   */
  #worthMore({ data }: IlpPrepare, { sharedSecret }: OpenedReceiver, amount: bigint): Rejected {
    return reject(this.#parts.nodeAddress, 'F99', 'more arrives than is asked for', arrivalToReject(data, amount, sharedSecret));
  }

  /** Answers a packet without money. The node remembers no such packet: it moves nothing, however often it comes. */
  async #withoutMoney(prepare: IlpPrepare, peer: KnownPeer): Promise<Buffer> {
    const { nodeAddress, receivers, directory, clock } = this.#parts;
    const { destination } = prepare;
    if (prepare.expiresAt.getTime() <= clock.now()) return this.#reject('R00', 'expired').bytes;
    if (peer.state !== 'active') return this.#reject('T03', 'nothing is taken at the moment').bytes;
    if (this.#limiter.take(peer.id) > 0) return this.#reject('T05', 'too many packets').bytes;
    if (destination === ILDCP_ADDRESS)
      return serializeIlpFulfill({ fulfillment: ILDCP_FULFILMENT, data: ildcpAnswer(directory.addressBelow(peer.id), peer.asset) });
    const receiver = isWithin(nodeAddress, destination) ? receivers.open(destination) : undefined;
    if (receiver === undefined) return this.#reject('F02', 'no route').bytes;
    const received = await receiveChecked({ nodeAddress, receivers, receiver, prepare, amount: 0n });
    return received.ok ? received.value : received.error.bytes;
  }

  #reject(code: string, message: string): Rejected {
    return reject(this.#parts.nodeAddress, code, message);
  }
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

const keyOf = ({ peer, condition }: MoneyPacket): PacketKey => ({ peerId: peer.id, formerPeerIds: peer.formerIds, condition });

/** Whether the receiver's secret produces the fulfilment that a packet asks for (RFC 29 §5.1). */
function isFulfillable({ sharedSecret }: OpenedReceiver, { data, executionCondition }: IlpPrepare): boolean {
  const key = createHmac('sha256', sharedSecret).update('ilp_stream_fulfillment').digest();
  return hash('sha256', createHmac('sha256', key).update(data).digest(), 'buffer').equals(executionCondition);
}
