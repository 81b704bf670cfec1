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

/**
 * What the receiver says about a packet. `unreadable`: its wallet gave no answer. `gone`: its wallet does not
 * know the receiver. `ambiguous`: what it says fits both.
 */
type Evidence = 'arrived' | 'not_arrived' | 'ambiguous' | 'unreadable' | 'gone';

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
    let until: number | undefined;
    for (const packet of await openPackets(database.read, payment.id)) {
      if (stopping.aborted) return { state: 'waiting' };
      const later = packet.state === 'held' ? await this.#ask(packet, payment) : undefined;
      if (later !== undefined) until = Math.max(until ?? 0, later);
    }
    const left = await openPackets(database.read, payment.id);
    if (left.length === 0) return { state: 'answered' };
    if (left.some((packet) => packet.state === 'held')) return { state: 'waiting', ...(until !== undefined && { until }) };
    await database.write((tx) => markUnknown(tx, payment, [], clock.now()));
    return { state: 'unknown' };
  }

  /**
   * Asks once what became of a packet, and books the answer if there is one.
   * @returns the time before which asking again is no use, if there is one.
   */
  async #ask(packet: SentPacket, payment: OutgoingPayment): Promise<number | undefined> {
    const { database, clock } = this.#parts;
    const now = clock.now();
    const peer = await this.#peerOf(packet);
    if (now - packet.createdAt >= REPEATABLE_MS) {
      await database.write((tx) => markUnknown(tx, payment, [packet], now));
    } else if (peer.deduplicates) {
      await this.#repeat(packet, payment, peer);
    } else if (now < packet.expiresAt + EXPIRY_GRACE_MS) {
      return packet.expiresAt + EXPIRY_GRACE_MS;
    } else {
      await this.#decide(packet, payment, peer);
    }
    return undefined;
  }

  async #repeat(packet: SentPacket, payment: OutgoingPayment, peer: Asset): Promise<void> {
    const secret = packet.sharedSecret === null ? undefined : this.#parts.seal.open(packet.sharedSecret, packet.condition);
    const answer = await this.#parts.forwarder.repeat({
      condition: Buffer.from(packet.condition, 'base64url'),
      peerId: packet.peerId,
      prepare: Buffer.from(packet.prepare, 'base64url'),
      expiresAt: packet.expiresAt,
      sharedSecret: secret === undefined ? undefined : Buffer.from(secret, 'base64url'),
      deduplicates: true,
    });
    if (typeof answer === 'object') await this.#confirm(packet, payment, { peer, code: answer.rejected });
  }

  /**
   * Reads what the receiver has got, before the node gives money back because of what the peer says to a copy. A peer
   * with a wrong setting has no memory: it rejects the copy of a packet that it took, because the receiver is closed
   * since, or the packet has expired. The node believes the peer unless the receiver's count speaks against it
   * (decisions.md#D-151).
   */
  async #confirm(packet: SentPacket, payment: OutgoingPayment, { peer, code }: { peer: Asset; code: string }): Promise<void> {
    const { database, clock } = this.#parts;
    const deadline = deadlineOf(payment, clock.now());
    const evidence = await this.#read(packet, payment, { peer, until: clock.now() + CONFIRMING_MS });
    // The peer is asked again later, and the receiver with it. After the deadline no look is repeated.
    if (evidence === 'unreadable' && clock.now() < deadline) return;
    await database.write(async (tx) => {
      if (evidence === 'arrived' || evidence === 'unreadable') await markUnknown(tx, payment, [packet], clock.now());
      else await voidPacket(tx, packet.condition, code, clock.now());
    });
  }

  async #decide(packet: SentPacket, payment: OutgoingPayment, peer: Asset): Promise<void> {
    const { database, clock } = this.#parts;
    const until = deadlineOf(payment, clock.now());
    const read = clock.now() < until ? await this.#read(packet, payment, { peer, until }) : 'unreadable';
    const evidence = read === 'gone' ? 'unreadable' : read;
    const at = clock.now();
    if (evidence === 'unreadable' && payment.fruitless + 1 < MAX_UNREADABLE && at < until) return;
    await database.write(async (tx) => {
      if (evidence === 'arrived') await postPacket(tx, packet.condition, packet.peerAmount, at);
      else if (evidence === 'not_arrived') await voidPacket(tx, packet.condition, 'R00', at);
      else await markUnknown(tx, payment, [packet], at);
    });
  }

  /**
   * Reads how much the receiver has got, and tells what that says about a packet that can no longer be on its way. The
   * packet has not arrived when the receiver has got less on top of earlier packets than this packet brings at least.
   * The node takes it as arrived only when the receiver has got exactly the packet's amount more, no other payment of
   * this node went to that receiver meanwhile, and no other packet of this payment is open.
   * @param until the receiver is not waited for any longer, in milliseconds since the Unix epoch.
   */
  async #read(packet: SentPacket, payment: OutgoingPayment, { peer, until }: { peer: Asset; until: number }): Promise<Evidence> {
    if (packet.peerAmount === 0n) return 'not_arrived';
    const { client, walletAddressId } = payment;
    const found = await this.#parts.remote.get(payment.receiver, { client, walletAddressId, until });
    if (!found.ok) return found.error === 'unknown_receiver' ? 'gone' : 'unreadable';
    const before = (packet.receivedFromOthers ?? 0n) + payment.delivered;
    const more = found.value.received - before;
    // When the receiver reports less than it had got before this packet, its count is unreliable, for example because
    // its node was restored from a backup. Such a count says nothing about this packet.
    if (packet.receivedFromOthers === null || more < 0n) return 'ambiguous';
    // A packet may be worth less than one smallest unit of the receiver's asset. Then the receiver's count can stay the
    // same although the packet arrives. `leastArrival` is zero for such a packet, so an unchanged count is no proof.
    if (more < leastArrival(payment, packet.sourceAmount)) return 'not_arrived';
    const isExact = sameAsset(peer, receiveAsset(payment)) && more === packet.peerAmount;
    return isExact && (await this.#isAlone(packet, payment)) ? 'arrived' : 'ambiguous';
  }

  async #isAlone(packet: SentPacket, payment: OutgoingPayment): Promise<boolean> {
    const { read } = this.#parts.database;
    if ((await openPackets(read, payment.id)).length > 1) return false;
    const others = await read
      .select({ id: outgoingPayments.id })
      .from(outgoingPayments)
      .where(
        and(
          isRemote,
          eq(outgoingPayments.receiver, payment.receiver),
          // The count before the packet may have been read for its payment's price.
          gte(outgoingPayments.updatedAt, packet.createdAt - RECENT_MS),
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
