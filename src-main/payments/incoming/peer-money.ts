import { MAX_MOVED, sameAsset } from '../../../src-shared/amounts.ts';
import { exchangeAccount } from '../../exchange/exchange-accounts.ts';
import { stillHolds } from '../../exchange/rates.ts';
import type { AcceptRefusal } from '../../ilp/packets.ts';
import { accountId, transfer } from '../../ledger/ledger.ts';
import { advance } from '../../peers/peer-conversion.ts';
import {
  type AcceptPeerPacket,
  type Answered,
  formerReply,
  isStillServed,
  noteBrought,
  type PacketExchange,
  type PeerPacket,
  storeReceived,
  touchedByPacket,
} from '../../peers/received-packets.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Core } from '../../platform/core.ts';
import type { Tx } from '../../platform/database/database.ts';
import { catchRefusal, ok, Refused, type Result } from '../../platform/result.ts';
import { findIncomingPayment, type IncomingPayment, receive, roomOf, statusOf, touchedByIncoming } from './incoming-payments.ts';

type Parts = Pick<Core, 'database' | 'clock'>;

/** The stored time at which a peer last brought money is this exact, in milliseconds. */
const NOTED_EVERY_MS = 60_000;

/** Makes the write that takes the money which peers send to incoming payments of this node. */
export function createPeerAcceptance({ database, clock }: Parts): AcceptPeerPacket {
  const notedAt = new Map<string, number>();
  return async (packet) => {
    const at = clock.now();
    const { peerId } = packet;
    const isNoted = Math.abs(at - (notedAt.get(peerId) ?? 0)) >= NOTED_EVERY_MS;
    const touches = [touchedByIncoming(packet.incomingPaymentId), touchedByPacket(packet)];
    const accepted = await catchRefusal(database.write((tx) => acceptPacket(tx, packet, { at, clock, isNoted }), touches));
    if (isNoted && accepted.ok && accepted.value.isNew) notedAt.set(peerId, at);
    return accepted;
  };
}

/**
 * Makes the check whether a payment takes anything at all. It runs before a packet is looked into; the write that takes
 * the money checks again.
 */
export const createClosedCheck =
  ({ database, clock }: Parts) =>
  async (incomingPaymentId: string): Promise<AcceptRefusal | undefined> => {
    const incoming = await findIncomingPayment(database.read, incomingPaymentId);
    if (incoming === undefined) return 'unknown_payment';
    return statusOf(incoming, clock.now()) === 'open' ? undefined : 'receiver_closed';
  };

/**
 * Takes the money of one packet.
 * @throws Refused with an AcceptRefusal.
 */
async function acceptPacket(
  tx: Tx,
  packet: PeerPacket,
  { at, clock, isNoted }: { at: number; clock: Clock; isNoted: boolean },
): Promise<Result<Answered, AcceptRefusal>> {
  const former = await formerReply(tx, packet);
  if (former !== undefined) return ok({ reply: former, isNew: false });
  // The clock is read here, inside the write: on a slow disk a packet can wait in line for longer than it lives.
  if (clock.now() >= packet.expiresAt) throw new Refused<AcceptRefusal>('expired');
  if (!(await isStillServed(tx, packet))) throw new Refused<AcceptRefusal>('peer_stopped');
  const incoming = await findIncomingPayment(tx, packet.incomingPaymentId);
  if (incoming === undefined) throw new Refused<AcceptRefusal>('unknown_payment');
  if (statusOf(incoming, at) !== 'open') throw new Refused<AcceptRefusal>('receiver_closed');
  if (packet.amount > mostFromPeer(incoming)) throw new Refused<AcceptRefusal>('over_amount');
  const credited = creditedOf(packet.amount, incoming);
  const isFurther = incoming.received > 0n;
  const excess = packet.amount - credited;
  if (packet.exchange !== undefined) await takeConversion(tx, packet, packet.exchange, at);
  await storeReceived(tx, packet, at);
  if (isNoted) await noteBrought(tx, packet, at);
  const peer = accountId('peer', packet.peerId);
  const customer = accountId('customer', incoming.walletAddressId);
  if (sameAsset(packet.sourceAsset, packet.asset)) {
    await move(tx, packet, { debit: peer, credit: customer, amount: credited, at, isFurther });
    if (excess > 0n) await move(tx, packet, { debit: peer, credit: exchangeAccount(packet.asset), amount: excess, at, isFurther });
  } else {
    await move(tx, packet, { debit: peer, credit: exchangeAccount(packet.sourceAsset), amount: packet.sourceAmount, at, isFurther });
    // A packet can be worth less than a unit of the receiver's asset. It brings nothing by itself, and the next packet
    // brings its share along. What exceeds the payment stays where it is.
    if (credited > 0n) await move(tx, packet, { debit: exchangeAccount(packet.asset), credit: customer, amount: credited, at, isFurther });
  }
  if (credited > 0n) await receive(tx, incoming, credited, at);
  return ok({ reply: packet.reply, isNew: true });
}

/** Checks that a packet's amount still is what it was calculated to be, and counts the packet. */
async function takeConversion(tx: Tx, packet: PeerPacket, { used, converted }: PacketExchange, at: number): Promise<void> {
  if (!(await stillHolds(tx, used, at))) throw new Refused<AcceptRefusal>('conversion_moved');
  if (!(await advance(tx, packet, converted, at))) throw new Refused<AcceptRefusal>('conversion_moved');
}

/**
 * The most that one packet of a peer may carry, in smallest units of the receiver's asset. A sender that converts
 * cannot hit the last unit. So the completing packet may exceed what is still asked for by one unit, or by one percent
 * of the whole amount if that is more. The payment itself never gets more than it asks for (decisions.md#D-18).
 */
function mostFromPeer(incoming: IncomingPayment): bigint {
  if (incoming.incomingAmount === null) return roomOf(incoming);
  const percent = incoming.incomingAmount / 100n;
  const most = incoming.incomingAmount - incoming.received + (percent > 1n ? percent : 1n);
  const countable = MAX_MOVED - incoming.received;
  return most < countable ? most : countable;
}

/** The part of a packet that the payment gets: at most what it still asks for. */
function creditedOf(amount: bigint, { incomingAmount, received }: IncomingPayment): bigint {
  const missing = incomingAmount === null ? amount : incomingAmount - received;
  return amount < missing ? amount : missing;
}

interface Move {
  debit: string;
  credit: string;
  amount: bigint;
  at: number;
  isFurther: boolean;
}

async function move(tx: Tx, { incomingPaymentId }: PeerPacket, wanted: Move): Promise<void> {
  const moved = await transfer(tx, { kind: 'payment', paymentId: incomingPaymentId, ...wanted });
  if (!moved.ok) throw new Refused<AcceptRefusal>(moved.error === 'too_large' ? 'over_amount' : 'insufficient');
}
