import { hash } from 'node:crypto';
import { deserializeIlpPrepare, deserializeIlpReply, type IlpPrepare, type IlpReply, isFulfill, serializeIlpPrepare } from 'ilp-packet';
import { MAX_MOVED, sameAsset } from '../../src-shared/amounts.ts';
import type { Core } from '../platform/core.ts';
import { failPoint } from '../platform/fail-points.ts';
import type { OpenPacket, PacketBook } from './packet-book.ts';
import type { LocalOrigin } from './packets.ts';
import { amountTooLarge, type Reply, refused, reject, type SendRefusal } from './packets.ts';
import type { LinkOutcome, PeerLinks, PeerRoute, PeerRoutes } from './peer-links.ts';
import { amountAtReceiver } from './stream-answers.ts';

/**
 * The part of a packet's time that a hop keeps for its own answer, and the least time that it must be able to hand on
 * (RFC 27, "expiresAt").
 */
const EXPIRY_CUT_MS = 1_000;
const LEAST_LIFE_MS = 1_000;
/** How long the node waits for the answer to a repeated packet when the packet itself has expired. */
const REPEAT_WAIT_MS = 10_000;
/**
 * The answers of a peer without a memory to a copy of a packet that it took: the receiver is closed since, or the
 * packet has expired.
 */
const SAID_TO_COPIES: ReadonlySet<string> = new Set(['F02', 'R00', 'R02']);

interface Parts extends Pick<Core, 'clock' | 'log'> {
  /** This node's ILP address. */
  readonly nodeAddress: string;
  readonly routes: PeerRoutes;
  readonly links: PeerLinks;
  readonly book: PacketBook;
}

/** A PREPARE that this node's own payment sends to an address elsewhere. */
interface ForwardedPacket {
  readonly prepare: IlpPrepare;
  readonly sourceAmount: bigint;
}

/**
 * The connector's way out. For each packet it routes, converts, holds the money, sends, checks the fulfilment, posts or
 * voids what was held, and answers. A durable write holds the money before the bytes leave, and only a definite answer
 * releases it. A packet without an answer stays held, and {@link repeat} asks about it again.
 */
export class PeerForwarder {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Answers one PREPARE of a payment of this node. */
  async forward({ prepare, sourceAmount }: ForwardedPacket, origin: LocalOrigin): Promise<Reply> {
    const { nodeAddress, clock } = this.#parts;
    const way = this.#wayTo(prepare.destination, sourceAmount, origin);
    if (typeof way === 'string') return refused(nodeAddress, way);
    const { route, peerAmount } = way;
    if (route.maxPacketAmount !== undefined && peerAmount > route.maxPacketAmount) {
      return amountTooLarge(nodeAddress, peerAmount, route.maxPacketAmount);
    }
    if (peerAmount > MAX_MOVED) return amountTooLarge(nodeAddress, peerAmount, MAX_MOVED);
    const latest = (route.deduplicates ? undefined : origin.lastExpiryMs) ?? Number.POSITIVE_INFINITY;
    const expiresAt = new Date(Math.min(prepare.expiresAt.getTime() - EXPIRY_CUT_MS, latest));
    if (expiresAt.getTime() - clock.now() < LEAST_LIFE_MS) return reject(nodeAddress, 'R02', 'not enough time left');
    const leaving = { ...prepare, amount: peerAmount.toString(), expiresAt };
    const bytes = serializeIlpPrepare(leaving);
    if (sourceAmount === 0n) return await this.#sendWithoutMoney(route, leaving, bytes);
    const held = await this.#parts.book.hold({
      condition: prepare.executionCondition,
      peerId: route.peerId,
      sender: origin.sender,
      sourceAmount,
      sourceAsset: origin.asset,
      peerAmount,
      peerAsset: route.asset,
      prepare: bytes,
      expiresAt: expiresAt.getTime(),
      sharedSecret: origin.sharedSecret,
    });
    if (!held.ok) return refused(nodeAddress, held.error);
    failPoint('after-hold');
    const outcome = await this.#parts.links.send(route.peerId, bytes, expiresAt);
    const answer = await this.#bookAnswer(
      { prepare: leaving, sharedSecret: origin.sharedSecret, deduplicates: route.deduplicates },
      outcome,
    );
    this.#trace(origin, { peer: route.peerId, sourceAmount, peerAmount, answer });
    if (answer === 'unreachable') {
      await this.#parts.book.rejected(prepare.executionCondition, 'T01');
      return refused(nodeAddress, 'peer_unreachable');
    }
    if (answer === 'open') return refused(nodeAddress, 'answer_lost');
    if (answer.fulfilled) origin.conversion?.moved(sourceAmount);
    return answer;
  }

  /**
   * Sends the very same bytes again, to ask for the answer to a packet that got none. Only for peers that recognise a
   * repetition.
   * @returns whether the packet's outcome is known and booked now. A code says that the peer rejected the packet as a
   * peer without a memory would also reject a copy of one that it took. Such an answer is not booked.
   * @throws Error for a peer that would pay a repetition twice.
   */
  async repeat(packet: OpenPacket): Promise<'booked' | 'open' | { readonly rejected: string }> {
    if (!packet.deduplicates) throw new Error('a repeated packet would be paid twice by this peer');
    const waitUntil = Math.max(packet.expiresAt, this.#parts.clock.now() + REPEAT_WAIT_MS);
    const outcome = await this.#parts.links.send(packet.peerId, packet.prepare, new Date(waitUntil));
    const reply = parseAnswer(outcome)?.reply;
    if (reply !== undefined && !isFulfill(reply) && SAID_TO_COPIES.has(reply.code)) return { rejected: reply.code };
    const answer = await this.#bookAnswer({ ...packet, prepare: deserializeIlpPrepare(packet.prepare) }, outcome);
    // `unreachable` says that this copy did not arrive. It says nothing about the first copy.
    return answer === 'open' || answer === 'unreachable' ? 'open' : 'booked';
  }

  /**
   * Sends a packet that moves nothing, whatever its amount. Nobody knows the preimage of its condition, so the node
   * holds no money for it.
   */
  async probe(route: PeerRoute, prepare: IlpPrepare): Promise<IlpReply | undefined> {
    const outcome = await this.#parts.links.send(route.peerId, serializeIlpPrepare(prepare), prepare.expiresAt);
    return parseAnswer(outcome)?.reply;
  }

  /**
   * Finds the route to a destination for a payment between these assets. The peer's currency must be one of the two.
   */
  route(destination: string, { asset, receiveAsset }: Pick<LocalOrigin, 'asset' | 'receiveAsset'>): PeerRoute | undefined {
    const to = receiveAsset ?? asset;
    const route = this.#parts.routes.find(destination, [to, asset]);
    return route !== undefined && (sameAsset(route.asset, to) || sameAsset(route.asset, asset)) ? route : undefined;
  }

  /** Whether the operator has paused the peer that leads to a destination. */
  isPaused(destination: string): boolean {
    return this.#parts.routes.isPaused(destination);
  }

  #wayTo(destination: string, sourceAmount: bigint, origin: LocalOrigin): { route: PeerRoute; peerAmount: bigint } | SendRefusal {
    const route = this.route(destination, origin);
    if (route === undefined) return this.isPaused(destination) ? 'peer_unreachable' : 'no_route';
    // In the payer's currency the amount is handed on unchanged. A node that exchanges it further on does so at its own
    // price.
    if (sameAsset(route.asset, origin.asset)) return { route, peerAmount: sourceAmount };
    // The way led by a peer in the payer's currency when the packets were planned.
    if (origin.conversion === undefined) return 'conversion_moved';
    return { route, peerAmount: origin.conversion.arriving(sourceAmount) };
  }

  async #sendWithoutMoney(route: PeerRoute, prepare: IlpPrepare, leaving: Buffer): Promise<Reply> {
    const outcome = await this.#parts.links.send(route.peerId, leaving, prepare.expiresAt);
    const answer = parseAnswer(outcome);
    if (answer === undefined) return refused(this.#parts.nodeAddress, 'peer_unreachable');
    const { reply, bytes } = answer;
    if (!isFulfill(reply)) return { fulfilled: false, code: reply.code, bytes };
    if (!proves(reply.fulfillment, prepare)) return refused(this.#parts.nodeAddress, 'bad_fulfilment');
    return { fulfilled: true, bytes };
  }

  /**
   * Books a definite answer.
   * @returns `open` when there is none, and the money stays held; `unreachable` when this copy certainly did not
   * arrive; otherwise what was booked.
   */
  async #bookAnswer({ prepare, sharedSecret, deduplicates }: Awaiting, outcome: LinkOutcome): Promise<'open' | 'unreachable' | Reply> {
    const { book, nodeAddress } = this.#parts;
    const condition = prepare.executionCondition;
    if (outcome.outcome === 'not_sent') return 'unreachable';
    const answer = parseAnswer(outcome);
    if (answer === undefined) return 'open';
    const { reply, bytes } = answer;
    if (!isFulfill(reply)) {
      // A fault inside the peer may come before the peer has looked for the packet. Its next answer is the one that it
      // has stored.
      if (deduplicates && reply.code === 'T00') return 'open';
      await book.rejected(condition, reply.code);
      return { fulfilled: false, code: reply.code, bytes };
    }
    if (!proves(reply.fulfillment, prepare)) {
      await book.rejected(condition, 'F05');
      return refused(nodeAddress, 'bad_fulfilment');
    }
    const delivered = sharedSecret && amountAtReceiver(prepare.data, reply, sharedSecret);
    failPoint('before-post');
    await book.fulfilled(condition, delivered);
    return { fulfilled: true, bytes };
  }

  #trace({ sender }: LocalOrigin, { sourceAmount, peerAmount, answer, peer }: TracedPacket): void {
    const { log } = this.#parts;
    if (!log.isLevelEnabled('trace')) return;
    const words = typeof answer === 'string' ? answer : answer.fulfilled ? 'fulfil' : answer.code;
    const { outgoingPaymentId, attempt } = sender;
    log.trace(
      { outgoingPaymentId, attempt, peer, answer: words, sourceAmount: sourceAmount.toString(), peerAmount: peerAmount.toString() },
      'packet to a peer',
    );
  }
}

interface Awaiting {
  readonly prepare: IlpPrepare;
  readonly sharedSecret: Buffer | undefined;
  readonly deduplicates: boolean;
}

interface TracedPacket {
  readonly peer: string;
  readonly sourceAmount: bigint;
  readonly peerAmount: bigint;
  readonly answer: 'open' | 'unreachable' | Reply;
}

const proves = (fulfilment: Buffer, prepare: IlpPrepare): boolean =>
  hash('sha256', fulfilment, 'buffer').equals(prepare.executionCondition);

/** @returns undefined unless there is an answer, and it is one FULFILL or REJECT. */
function parseAnswer(outcome: LinkOutcome): { reply: IlpReply; bytes: Buffer } | undefined {
  if (outcome.outcome !== 'answered') return undefined;
  try {
    return { reply: deserializeIlpReply(outcome.reply), bytes: outcome.reply };
  } catch {
    return undefined;
  }
}
