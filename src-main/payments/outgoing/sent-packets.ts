import { and, asc, eq, lte, sql } from 'drizzle-orm';
import { type Asset, assetKey, MAX_MOVED, sameAsset } from '../../../src-shared/amounts.ts';
import { touchedByBudget } from '../../access/grants/spending-limits.ts';
import type { HoldRefusal, LeavingPacket, PacketBook } from '../../ilp/packet-book.ts';
import { appendEvent } from '../../journal/events.ts';
import { accountId, holdTransfer, postHeld, voidHeld } from '../../ledger/ledger.ts';
import { owesAtMost } from '../../ledger/peer-accounts.ts';
import { isOpenPacket, peers, sentPackets } from '../../peers/tables.ts';
import type { Core } from '../../platform/core.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { placeholdersOf } from '../../platform/database/placeholders.ts';
import { catchRefusal, ok, Refused, type Result } from '../../platform/result.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { outgoingPayments } from '../tables.ts';
import { endIfDone } from './endings.ts';
import { findOutgoingPayment, type OutgoingPayment, touchedByOutgoing } from './outgoing-payment-rows.ts';

/** A packet to a peer as the database has it. */
export type SentPacket = typeof sentPackets.$inferSelect;

const $ = sql.placeholder;

/** Sets aside `amount` of what is left of the payment, if this attempt may still send it. */
const setAside = prepared((tx: Tx) =>
  tx
    .update(outgoingPayments)
    .set({ held: sql`${outgoingPayments.held} + ${$('amount')}`, updatedAt: sql`${$('at')}` })
    .where(
      and(
        eq(outgoingPayments.id, $('id')),
        eq(outgoingPayments.attempt, $('attempt')),
        eq(outgoingPayments.state, 'sending'),
        // The subtraction stands on the right, where no value can leave 64 bits.
        lte(outgoingPayments.sent, sql`${outgoingPayments.debitAmount} - ${outgoingPayments.held} - ${$('amount')}`),
      ),
    )
    .returning()
    .prepare(),
);
const inFlightThen = sql`(${peers.inFlight} + ${$('amount')})`;
/**
 * Counts a packet as under way to a peer, if the node may owe the peer that much: its position, and everything that is
 * under way to it. The statement first asks whether the sum can be counted at all.
 */
const takeCredit = prepared((tx: Tx) =>
  tx
    .update(peers)
    .set({ inFlight: inFlightThen })
    .where(
      and(
        eq(peers.id, $('id')),
        eq(peers.state, 'active'),
        eq(peers.assetCode, $('assetCode')),
        eq(peers.assetScale, $('assetScale')),
        sql`case when ${peers.inFlight} <= ${MAX_MOVED} - ${$('amount')}
          then ${owesAtMost(peers.id, sql`coalesce(${peers.debtLimit}, ${MAX_MOVED}) - ${inFlightThen}`)} else 1 = 0 end`,
      ),
    )
    .returning({ id: peers.id })
    .prepare(),
);
const setInFlight = prepared((tx: Tx) =>
  tx
    .update(peers)
    .set({ inFlight: sql`${peers.inFlight} + ${$('amount')}` })
    .where(eq(peers.id, $('id')))
    .prepare(),
);
const insertPacket = prepared((tx: Tx) => tx.insert(sentPackets).values(placeholdersOf(sentPackets)).prepare());
const endPacket = prepared((tx: Tx) =>
  tx
    .update(sentPackets)
    .set({
      state: sql`${$('state')}`,
      delivered: sql`${$('delivered')}`,
      code: sql`${$('code')}`,
      endedAt: sql`${$('at')}`,
    })
    .where(and(eq(sentPackets.condition, $('condition')), isOpenPacket))
    .returning()
    .prepare(),
);
const spendHeld = prepared((tx: Tx) =>
  tx
    .update(outgoingPayments)
    .set({
      sent: sql`${outgoingPayments.sent} + ${$('amount')}`,
      held: sql`${outgoingPayments.held} - ${$('amount')}`,
      delivered: sql`${outgoingPayments.delivered} + ${$('delivered')}`,
      packets: sql`${outgoingPayments.packets} + 1`,
      fruitless: sql`0`,
      updatedAt: sql`${$('at')}`,
    })
    .where(eq(outgoingPayments.id, $('id')))
    .returning()
    .prepare(),
);
const freeHeld = prepared((tx: Tx) =>
  tx
    .update(outgoingPayments)
    .set({ held: sql`${outgoingPayments.held} - ${$('amount')}`, updatedAt: sql`${$('at')}` })
    .where(eq(outgoingPayments.id, $('id')))
    .prepare(),
);
const openOf = prepared((reader: Reader) =>
  reader
    .select()
    .from(sentPackets)
    .where(and(eq(sentPackets.outgoingPaymentId, $('id')), isOpenPacket))
    .orderBy(asc(sentPackets.createdAt), asc(sentPackets.condition))
    .prepare(),
);
const byCondition = prepared((reader: Reader) =>
  reader
    .select()
    .from(sentPackets)
    .where(and(eq(sentPackets.condition, $('condition')), isOpenPacket))
    .prepare(),
);

const ownerOf = prepared((reader: Reader) =>
  reader
    .select({ id: outgoingPayments.id, grantId: outgoingPayments.grantId })
    .from(sentPackets)
    .innerJoin(outgoingPayments, eq(outgoingPayments.id, sentPackets.outgoingPaymentId))
    .where(and(eq(sentPackets.condition, $('condition')), isOpenPacket))
    .prepare(),
);

/** The packets of a payment whose outcome is not known, the oldest first. */
export async function openPackets(reader: Reader, outgoingPaymentId: string): Promise<SentPacket[]> {
  return await openOf(reader).execute({ id: outgoingPaymentId });
}

/**
 * The ids of a packet's transfers. The first leaves escrow. The second leaves the exchange account, when the peer has
 * another asset. They begin with the payment's id, so that those of one payment lie together in the index.
 */
const transferIds = ({ outgoingPaymentId, condition }: Pick<SentPacket, 'outgoingPaymentId' | 'condition'>) => {
  const fromEscrow = `packet:${outgoingPaymentId}:${condition}`;
  return { fromEscrow, fromExchange: `${fromEscrow}:exchange` };
};

/**
 * Makes the book in which the ledger keeps packets to peers. Each step is one write over the packet, the payment, the
 * peer and both sides of the books.
 */
export function createPacketBook({ database, clock, seal }: Pick<Core, 'database' | 'clock'> & { seal: Seal }): PacketBook {
  /** What the end of each packet touches that this process holds, so that nothing is read between answer and write. */
  const held = new Map<string, readonly string[]>();
  const touchedBy = async (condition: string): Promise<readonly string[] | undefined> => {
    const touches = held.get(condition) ?? (await touchedByOpenPacket(database.read, condition));
    held.delete(condition);
    return touches;
  };
  return {
    async hold(packet) {
      const at = clock.now();
      const condition = packet.condition.toString('base64url');
      const sealed = packet.sharedSecret === undefined ? null : seal.seal(packet.sharedSecret.toString('base64url'), condition);
      const touches = [touchedByOutgoing(packet.sender.outgoingPaymentId)];
      const stored = await catchRefusal(database.write((tx) => holdPacket(tx, packet, { condition, sealed, at }), touches));
      if (!stored.ok) return stored;
      // A packet without an answer leaves its entry here, so the oldest goes when there are many.
      const [oldest] = held.keys();
      if (held.size >= MOST_REMEMBERED && oldest !== undefined) held.delete(oldest);
      held.set(condition, touchedByEnd(stored.value));
      return ok(undefined);
    },
    async fulfilled(bytes, delivered) {
      const [condition, at] = [bytes.toString('base64url'), clock.now()];
      const touches = await touchedBy(condition);
      if (touches !== undefined) await database.write((tx) => postPacket(tx, condition, delivered, at), touches);
    },
    async rejected(bytes, code) {
      const [condition, at] = [bytes.toString('base64url'), clock.now()];
      const touches = await touchedBy(condition);
      if (touches !== undefined) await database.write((tx) => voidPacket(tx, condition, code, at), touches);
    },
  };
}

/** The most packets under way of which a process remembers what their end touches. */
const MOST_REMEMBERED = 1_000;

type Owner = Pick<OutgoingPayment, 'id' | 'grantId'>;

/** The words of what the end of a packet of this payment touches. */
const touchedByEnd = ({ id, grantId }: Owner): string[] => [touchedByOutgoing(id), ...(grantId === null ? [] : [touchedByBudget(grantId)])];

/** The words of what the end of a packet touches. They are undefined when the packet's outcome is booked already. */
async function touchedByOpenPacket(reader: Reader, condition: string): Promise<string[] | undefined> {
  const [owner] = await ownerOf(reader).execute({ condition });
  return owner && touchedByEnd(owner);
}

interface Stored {
  readonly condition: string;
  readonly sealed: string | null;
  readonly at: number;
}

/**
 * Holds the money of a packet. @returns the payment that sends it.
 * @throws Refused with a HoldRefusal.
 */
async function holdPacket(tx: Tx, packet: LeavingPacket, { condition, sealed, at }: Stored): Promise<Result<Owner, HoldRefusal>> {
  const { sender, sourceAmount, peerAmount, sourceAsset, peerAsset, peerId } = packet;
  const [payment] = await setAside(tx).execute({
    id: sender.outgoingPaymentId,
    attempt: sender.attempt,
    amount: sourceAmount,
    at: BigInt(at),
  });
  if (payment === undefined) throw new Refused<HoldRefusal>('sender_stopped');
  const [credit] = await takeCredit(tx).execute({ id: peerId, amount: peerAmount, ...peerAsset });
  if (credit === undefined) throw new Refused<HoldRefusal>('peer_credit');
  const row: SentPacket = {
    condition,
    peerId,
    outgoingPaymentId: payment.id,
    state: 'held',
    prepare: packet.prepare.toString('base64url'),
    sourceAmount,
    peerAmount,
    sharedSecret: sealed,
    receivedFromOthers: sender.receivedFromOthers ?? null,
    delivered: null,
    code: null,
    expiresAt: packet.expiresAt,
    createdAt: at,
    endedAt: null,
  };
  await insertPacket(tx).execute(row);
  await holdMoney(tx, { payment, sourceAmount, peerAmount, sourceAsset, peerAsset, peerId, condition, at });
  if (payment.packets === 0 && payment.held === sourceAmount) {
    await appendEvent(tx, {
      type: 'outgoing_payment.sending',
      subject: payment.id,
      walletAddressId: payment.walletAddressId,
      body: { amount: sourceAmount.toString(), peer: peerId },
      at,
    });
  }
  return ok(payment);
}

interface HeldMoney extends Pick<LeavingPacket, 'sourceAmount' | 'peerAmount' | 'sourceAsset' | 'peerAsset' | 'peerId'> {
  readonly payment: OutgoingPayment;
  readonly condition: string;
  readonly at: number;
}

async function holdMoney(tx: Tx, { payment, sourceAmount, peerAmount, sourceAsset, peerAsset, peerId, condition, at }: HeldMoney) {
  const ids = transferIds({ outgoingPaymentId: payment.id, condition });
  const common = { kind: 'payment', paymentId: payment.id, at } as const;
  const toPeer = accountId('peer', peerId);
  const exchange = (asset: Asset) => accountId('exchange', assetKey(asset));
  const isExchanged = !sameAsset(sourceAsset, peerAsset);
  const credit = isExchanged ? exchange(sourceAsset) : toPeer;
  const debit = accountId('escrow', payment.walletAddressId);
  const fromEscrow = await holdTransfer(tx, { ...common, id: ids.fromEscrow, debit, credit, amount: sourceAmount });
  if (!fromEscrow.ok) throw new Error('the money of a payment is not in its escrow account');
  if (!isExchanged || peerAmount === 0n) return;
  const leaving = { ...common, id: ids.fromExchange, debit: exchange(peerAsset), credit: toPeer, amount: peerAmount };
  if (!(await holdTransfer(tx, leaving)).ok) throw new Refused<HoldRefusal>('insufficient');
}

/**
 * Books that the packet was fulfilled: its money moves for good. The payment comes forward, or ends if that was all. It
 * does not matter which attempt has the payment now: what has arrived has arrived. Part of a write. It does nothing
 * when the packet's outcome is booked already.
 * @param claimed what the receiver says that it got, in smallest units of its asset. It is undefined when nobody said
 * it.
 */
export async function postPacket(tx: Tx, condition: string, claimed: bigint | undefined, at: number): Promise<void> {
  const [open] = await byCondition(tx).execute({ condition });
  if (open === undefined) return;
  const before = await findOutgoingPayment(tx, open.outgoingPaymentId);
  if (before === undefined) throw new Error('a packet without its payment');
  const delivered = creditable(claimed, before) ?? leastArrival(before, open.sourceAmount);
  const packet = await end(tx, condition, { state: 'fulfilled', delivered, code: null, at });
  const ids = transferIds(open);
  const isFurther = before.packets > 0;
  const credited = await postHeld(tx, ids.fromEscrow, isFurther);
  if (credited === undefined) throw new Error('the money of a held packet is not held');
  if (credited !== accountId('peer', open.peerId)) await postHeld(tx, ids.fromExchange, isFurther);
  const [payment] = await spendHeld(tx).execute({ id: before.id, amount: packet.sourceAmount, delivered, at: BigInt(at) });
  if (payment === undefined) throw new Error('a packet without its payment');
  await appendEvent(tx, {
    type: 'outgoing_payment.sent',
    subject: payment.id,
    walletAddressId: payment.walletAddressId,
    body: { amount: packet.sourceAmount.toString(), sent: payment.sent.toString(), delivered: payment.delivered.toString() },
    at,
  });
  await endIfDone(tx, payment, at);
}

/**
 * Books that the packet will never be fulfilled: its money can be spent again. Part of a write. It does nothing when
 * the packet's outcome is booked already.
 * @param code the ILP error code, or this node's word for what ended the packet.
 */
export async function voidPacket(tx: Tx, condition: string, code: string, at: number): Promise<void> {
  const [open] = await byCondition(tx).execute({ condition });
  if (open === undefined) return;
  const packet = await end(tx, condition, { state: 'rejected', delivered: null, code, at });
  const ids = transferIds(open);
  const heldFor = await voidHeld(tx, ids.fromEscrow);
  if (heldFor === undefined) throw new Error('the money of a held packet is not held');
  if (heldFor !== accountId('peer', open.peerId)) await voidHeld(tx, ids.fromExchange);
  await freeHeld(tx).execute({ id: packet.outgoingPaymentId, amount: packet.sourceAmount, at: BigInt(at) });
}

interface Ending extends Pick<SentPacket, 'state' | 'delivered' | 'code'> {
  readonly at: number;
}

async function end(tx: Tx, condition: string, { at, ...ending }: Ending): Promise<SentPacket> {
  const [packet] = await endPacket(tx).execute({ condition, ...ending, at: BigInt(at) });
  if (packet === undefined) throw new Error('an open packet could not be ended');
  await setInFlight(tx).execute({ id: packet.peerId, amount: -packet.peerAmount });
  return packet;
}

/** The amount that the receiver says that it got, unless it is more than can be counted. */
const creditable = (claimed: bigint | undefined, payment: OutgoingPayment): bigint | undefined =>
  claimed === undefined || claimed > MAX_MOVED - payment.delivered ? undefined : claimed;

/**
 * The least that `amount` more units bring at the payment's price, in smallest units of the receiver's asset. It counts
 * from the payment's start, so that many packets lose nothing to rounding.
 */
export function leastArrival({ sent, delivered, debitAmount, receiveAmount }: OutgoingPayment, amount: bigint): bigint {
  const least = ((sent + amount) * receiveAmount) / debitAmount - delivered;
  return least < 0n ? 0n : least;
}
