import { asc, gt, inArray, max } from 'drizzle-orm';
import { accountId, ownerOf } from '../ledger/ledger.ts';
import { type PaymentSum, paymentSums } from '../ledger/payment-sums.ts';
import { incomingPayments, outgoingPayments } from '../payments/tables.ts';
import { receivedPackets } from '../peers/tables.ts';
import { monthOf } from '../platform/archive/archive.ts';
import { archiveFiles } from '../platform/archive/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { exactSum } from '../platform/database/exact-sum.ts';
import { amountsOf, type Compared, lastOf, PAYMENTS, wrong } from './payment-rules.ts';

type Incoming = typeof incomingPayments.$inferSelect;

/** The books' word on one incoming payment beside its own row. */
interface Evidence {
  /** The sums of its transfers. They came from peers. */
  transfers: readonly PaymentSum[];
  /** What payments of this node have delivered to it. */
  fromHere: bigint;
  /** What its packets brought that are still in the books, by peer, in smallest units of the peer's asset. */
  packets: ReadonlyMap<string, bigint>;
  /** Whether its packets may have gone into the archive: files of the month in which it was made, or later. */
  isArchived: boolean;
}

/**
 * Tells whether an incoming payment has got what its transfers brought from peers, and what payments of this node
 * delivered to it.
 */
function isRightIncoming(payment: Incoming, { transfers, fromHere, ...packets }: Evidence): boolean {
  const customer = accountId('customer', payment.walletAddressId);
  const posted = transfers.filter(({ state }) => state === 'posted');
  const brought = posted.filter(({ creditAccountId }) => creditAccountId === customer);
  return payment.received === amountsOf(brought) + fromHere && isWithinAmount(payment) && areItsPackets(posted, packets);
}

/** Version 0.1.0 took up to a hundredth more than a payment asked for. Nothing takes more than that. */
function isWithinAmount({ received, incomingAmount }: Incoming): boolean {
  if (incomingAmount === null || received <= incomingAmount) return true;
  const percent = incomingAmount / 100n;
  return received <= incomingAmount + (percent > 1n ? percent : 1n);
}

/**
 * Tells whether packets brought what left the accounts of the peers. A packet whose row is gone could be taken again.
 * The packets of a payment go into the archive in several writes, and leave no sum. So from then on, what is there may
 * only be less.
 */
function areItsPackets(posted: readonly PaymentSum[], { packets, isArchived }: Pick<Evidence, 'packets' | 'isArchived'>): boolean {
  const moved = new Map<string, bigint>();
  for (const { debitAccountId, amount } of posted) {
    const peer = ownerOf('peer', debitAccountId);
    if (peer !== undefined) moved.set(peer, (moved.get(peer) ?? 0n) + amount);
  }
  return [...new Set([...moved.keys(), ...packets.keys()])].every((peer) => {
    const [left, brought] = [moved.get(peer) ?? 0n, packets.get(peer) ?? 0n];
    return isArchived ? brought <= left : brought === left;
  });
}

/** Compares the incoming payments after `after`. The reader must see one state of the books. */
export async function checkIncoming(reader: Reader, after: string): Promise<Compared> {
  const rows = await reader
    .select()
    .from(incomingPayments)
    .where(gt(incomingPayments.id, after))
    .orderBy(asc(incomingPayments.id))
    .limit(PAYMENTS);
  const ids = rows.map(({ id }) => id);
  const transfers = Map.groupBy(await paymentSums(reader, ids), ({ paymentId }) => paymentId ?? '');
  const fromHere = await deliveredHere(reader, ids);
  const packets = await receivedSums(reader, ids);
  const [newest] = await reader.select({ month: max(archiveFiles.month) }).from(archiveFiles);
  const evidence = ({ id, createdAt }: Incoming): Evidence => ({
    transfers: transfers.get(id) ?? [],
    fromHere: fromHere.get(id) ?? 0n,
    packets: packets.get(id) ?? new Map(),
    isArchived: (newest?.month ?? '') >= monthOf(createdAt),
  });
  return { findings: rows.filter((row) => !isRightIncoming(row, evidence(row))).map(wrong), last: lastOf(rows) };
}

/** What payments of this node have delivered to incoming payments. One of them can have millions of payers. */
async function deliveredHere(reader: Reader, ids: string[]): Promise<Map<string | null, bigint>> {
  const { receiverId, delivered } = outgoingPayments;
  const rows = await reader
    .select({ receiverId, sum: exactSum(delivered) })
    .from(outgoingPayments)
    .where(inArray(receiverId, ids))
    .groupBy(receiverId);
  return new Map(rows.map((row) => [row.receiverId, row.sum]));
}

/** What the packets of peers have brought to incoming payments, by payment and peer. */
async function receivedSums(reader: Reader, ids: string[]): Promise<Map<string | null, Map<string, bigint>>> {
  const { incomingPaymentId, peerId, sourceAmount } = receivedPackets;
  const rows = await reader
    .select({ incomingPaymentId, peerId, sum: exactSum(sourceAmount) })
    .from(receivedPackets)
    .where(inArray(incomingPaymentId, ids))
    .groupBy(incomingPaymentId, peerId);
  const byPayment = Map.groupBy(rows, (row) => row.incomingPaymentId);
  return new Map([...byPayment].map(([id, some]) => [id, new Map(some.map((row) => [row.peerId, row.sum]))]));
}
