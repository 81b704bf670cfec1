import { and, eq, gte, ne } from 'drizzle-orm';
import type { Asset } from '../../../src-shared/amounts.ts';
import { sameAsset } from '../../../src-shared/amounts.ts';
import type { PeerForwarder } from '../../ilp/peer-forwarder.ts';
import { REPEATABLE_MS } from '../../peers/received-packets.ts';
import { peers } from '../../peers/tables.ts';
import type { Core } from '../../platform/core.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { RECENT_MS } from '../../remote-wallets/read-before.ts';
import type { IncomingPaymentReader } from '../../remote-wallets/remote-incoming-payments.ts';
import { isRemote, outgoingPayments } from '../tables.ts';
import { deadlineOf } from './deadlines.ts';
import { type OutgoingPayment, receiveAsset } from './outgoing-payment-rows.ts';
import { onlyChoice } from './packet-choices.ts';
import { leastArrival, openPackets, postPacket, type SentPacket, voidPacket } from './sent-packets.ts';
import { markUnknown } from './unknown-payments.ts';

/**
 * A packet may still be on its way for this long after its expiry, in milliseconds: clocks differ, and answers take
 * time.
 */
const EXPIRY_GRACE_MS = 10_000;
/** How many times in a row the receiver may be unreadable. */
const MAX_UNREADABLE = 6;
/**
 * A packet of which only the receiver can tell has to expire this long before its payment's deadline, in milliseconds.
 * That leaves time for one slow look.
 */
export const LOOKING_MS = EXPIRY_GRACE_MS + 5_000;
/** The longest that one look at the receiver may take that confirms what a peer says, in milliseconds. */
const CONFIRMING_MS = 5_000;

/**
 * What became of a payment's open packets. `waiting`: some have no answer yet. Asking before `until`, in milliseconds
 * since the Unix epoch, is no use.
 */
export type HeldOutcome = { readonly state: 'answered' | 'unknown' } | { readonly state: 'waiting'; readonly until?: number };

/** A packet without an answer, and the asset of the peer to which it went. */
interface HeldPacket {
  readonly packet: SentPacket;
  readonly peer: Asset;
}

/** A packet that its peer has rejected, as it would also reject a copy of one that it took. */
interface RejectedCopy extends HeldPacket {
  readonly code: string;
}

/**
 * What the receiver says about packets: which of them have arrived. `unreadable`: its wallet gave no answer. `gone`:
 * its wallet does not know the receiver. `ambiguous`: what it says fits more than one story.
 */
type Evidence = ReadonlySet<HeldPacket> | 'ambiguous' | 'unreadable' | 'gone';

interface Parts extends Pick<Core, 'database' | 'clock'> {
  forwarder: Pick<PeerForwarder, 'repeat'>;
  remote: IncomingPaymentReader;
  seal: Seal;
}

/**
 * Finds out what became of packets that got no answer. A peer that recognises a repetition gets the very same bytes
 * until it answers. It may refuse only because it has forgotten them, so the node checks a refusal at the receiver. Any
 * other peer would pay twice, so the node sends it nothing again: the receiver's own count decides where it is clear,
 * and the operator where it is not (decisions.md#D-51, protocol-notes.md#PN-35).
 */
export class HeldPackets {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Makes one round over the open packets of a payment on which nobody else works.
   * @param stopping ends the round once it is aborted.
   */
  async askAbout(payment: OutgoingPayment, stopping: AbortSignal): Promise<HeldOutcome> {
    const { database, clock } = this.#parts;
    const { rejected, expired, until } = await this.#ask(payment, stopping);
    if (stopping.aborted) return { state: 'waiting' };
    if (rejected.length > 0) await this.#confirm(rejected, payment);
    // The receiver's count says nothing for sure while one of them may still arrive.
    if (expired.length > 0 && until === undefined) await this.#decide(expired, payment);
    const left = await openPackets(database.read, payment.id);
    if (left.length === 0) return { state: 'answered' };
    if (left.some(isHeld)) return { state: 'waiting', ...(until !== undefined && { until }) };
    await database.write((tx) => markUnknown(tx, payment, [], clock.now()));
    return { state: 'unknown' };
  }

  /**
   * Asks once what became of each packet that has no answer, and books the answers.
   * @returns the packets of which only the receiver can tell more, and the time before which asking again is no use, if
   * there is one.
   */
  async #ask(payment: OutgoingPayment, stopping: AbortSignal) {
    const { database, clock } = this.#parts;
    const repeatable: HeldPacket[] = [];
    const expired: HeldPacket[] = [];
    let until: number | undefined;
    for (const packet of (await openPackets(database.read, payment.id)).filter(isHeld)) {
      const now = clock.now();
      const peer = await this.#peerOf(packet);
      const goneAt = packet.expiresAt + EXPIRY_GRACE_MS;
      if (now - packet.createdAt >= REPEATABLE_MS) await database.write((tx) => markUnknown(tx, payment, [packet], now));
      else if (peer.deduplicates) repeatable.push({ packet, peer });
      else if (now < goneAt) until = Math.max(until ?? 0, goneAt);
      else expired.push({ packet, peer });
    }
    return { rejected: stopping.aborted ? [] : await this.#repeatAll(repeatable), expired, until };
  }

  /**
   * Repeats packets at the same time, because a silent peer is waited for. It ends when none of them is under way.
   * @returns those that the peer has rejected as it would also reject a copy.
   */
  async #repeatAll(repeatable: readonly HeldPacket[]): Promise<RejectedCopy[]> {
    const rejected: RejectedCopy[] = [];
    const repeated = repeatable.map(async (held) => {
      const answer = await this.#repeat(held.packet);
      if (typeof answer === 'object') rejected.push({ ...held, code: answer.rejected });
    });
    await Promise.allSettled(repeated);
    await Promise.all(repeated);
    return rejected;
  }

  async #repeat(packet: SentPacket) {
    const secret = packet.sharedSecret === null ? undefined : this.#parts.seal.open(packet.sharedSecret, packet.condition);
    return await this.#parts.forwarder.repeat({
      condition: Buffer.from(packet.condition, 'base64url'),
      peerId: packet.peerId,
      prepare: Buffer.from(packet.prepare, 'base64url'),
      expiresAt: packet.expiresAt,
      sharedSecret: secret === undefined ? undefined : Buffer.from(secret, 'base64url'),
      deduplicates: true,
    });
  }

  /**
   * Reads what the receiver has got, before the node gives money back because of what the peer says to copies. A peer
   * with a wrong setting has no memory: it rejects the copy of a packet that it took, because the receiver is closed
   * since, or the packet has expired. The node believes the peer unless the receiver's count speaks against it
   * (decisions.md#D-151).
   */
  async #confirm(rejected: readonly RejectedCopy[], payment: OutgoingPayment): Promise<void> {
    const { database, clock } = this.#parts;
    const deadline = deadlineOf(payment, clock.now());
    // What the receiver has got more may also have come by a packet that is still to be answered.
    const open = await openPackets(database.read, payment.id);
    if (open.length > rejected.length && clock.now() < deadline) return;
    const evidence = await this.#read(rejected, payment, clock.now() + CONFIRMING_MS);
    // The peer is asked again later, and the receiver with it. After the deadline no look is repeated.
    if (evidence === 'unreadable' && clock.now() < deadline) return;
    await database.write(async (tx) => {
      for (const held of rejected) {
        const speaksAgainst = evidence === 'unreadable' || (typeof evidence === 'object' && evidence.has(held));
        if (speaksAgainst) await markUnknown(tx, payment, [held.packet], clock.now());
        else await voidPacket(tx, held.packet.condition, held.code, clock.now());
      }
    });
  }

  /** Books what the receiver's count says about packets that can no longer be on their way. */
  async #decide(expired: readonly HeldPacket[], payment: OutgoingPayment): Promise<void> {
    const { database, clock } = this.#parts;
    const until = deadlineOf(payment, clock.now());
    const read = clock.now() < until ? await this.#read(expired, payment, until) : 'unreadable';
    const evidence = read === 'gone' ? 'unreadable' : read;
    const at = clock.now();
    if (evidence === 'unreadable' && payment.fruitless + 1 < MAX_UNREADABLE && at < until) return;
    await database.write(async (tx) => {
      for (const held of expired) {
        const { condition, peerAmount } = held.packet;
        if (typeof evidence === 'string') await markUnknown(tx, payment, [held.packet], at);
        else if (evidence.has(held)) await postPacket(tx, condition, peerAmount, at);
        else await voidPacket(tx, condition, 'R00', at);
      }
    });
  }

  /**
   * Reads how much the receiver has got, and tells which of these packets have arrived. None has when the receiver has
   * got less on top of earlier packets than the smallest of them brings at least. Some have only when their amounts add
   * up to exactly what the receiver has got more, and those of no other choice of them do. Besides, no other payment of
   * this node may have gone to that receiver meanwhile, and no other packet of this payment may be open.
   * @param until the receiver is not waited for any longer, in milliseconds since the Unix epoch.
   */
  async #read(held: readonly HeldPacket[], payment: OutgoingPayment, until: number): Promise<Evidence> {
    const some = held.filter(({ packet }) => packet.peerAmount > 0n);
    const [first] = some;
    if (first === undefined) return new Set();
    const { client, walletAddressId } = payment;
    const found = await this.#parts.remote.get(payment.receiver, { client, walletAddressId, until });
    if (!found.ok) return found.error === 'unknown_receiver' ? 'gone' : 'unreadable';
    // One attempt sends all packets that are open at once.
    const { receivedFromOthers } = first.packet;
    if (receivedFromOthers === null || some.some(({ packet }) => packet.receivedFromOthers !== receivedFromOthers)) return 'ambiguous';
    const more = found.value.received - receivedFromOthers - payment.delivered;
    // When the receiver reports less than it had got before these packets, its count is unreliable, for example because
    // its node was restored from a backup. Such a count says nothing about them.
    if (more < 0n) return 'ambiguous';
    // A packet may be worth less than one smallest unit of the receiver's asset. Then the receiver's count can stay the
    // same although the packet arrives. `leastArrival` is zero for such a packet, so an unchanged count is no proof.
    if (some.every(({ packet }) => more < leastArrival(payment, packet.sourceAmount))) return new Set();
    const isCounted = some.every(({ peer }) => sameAsset(peer, receiveAsset(payment)));
    if (!isCounted || !(await this.#areAlone(held, payment))) return 'ambiguous';
    const alike = Map.groupBy(some, ({ packet }) => `${packet.peerId} ${packet.sourceAmount} ${packet.peerAmount}`);
    return onlyChoice([...alike.values()], more, ({ packet }) => packet.peerAmount) ?? 'ambiguous';
  }

  async #areAlone(held: readonly HeldPacket[], payment: OutgoingPayment): Promise<boolean> {
    const { read } = this.#parts.database;
    if ((await openPackets(read, payment.id)).length > held.length) return false;
    const since = Math.min(...held.map(({ packet }) => packet.createdAt));
    const others = await read
      .select({ id: outgoingPayments.id })
      .from(outgoingPayments)
      .where(
        and(
          isRemote,
          eq(outgoingPayments.receiver, payment.receiver),
          // The count before the packets may have been read for the payment's price.
          gte(outgoingPayments.updatedAt, since - RECENT_MS),
          ne(outgoingPayments.id, payment.id),
        ),
      )
      .limit(1);
    return others.length === 0;
  }

  async #peerOf(packet: SentPacket): Promise<Asset & { deduplicates: boolean }> {
    const { deduplicates, assetCode, assetScale } = peers;
    const [peer] = await this.#parts.database.read
      .select({ deduplicates, assetCode, assetScale })
      .from(peers)
      .where(eq(peers.id, packet.peerId));
    if (peer === undefined) throw new Error('a packet without its peer');
    return peer;
  }
}

const isHeld = ({ state }: SentPacket): boolean => state === 'held';
