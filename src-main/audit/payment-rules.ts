import { and, asc, gt, inArray, ne } from 'drizzle-orm';
import type { Finding } from '../ledger/audit/damages.ts';
import { type PaymentTransfer, transfersOf } from '../ledger/audit/pieces.ts';
import { accountId } from '../ledger/ledger.ts';
import { GIVEN_BACK } from '../ledger/transfer-kinds.ts';
import { archivedPackets } from '../payments/archive/tables.ts';
import { incomingPayments, outgoingPayments } from '../payments/tables.ts';
import { isOpenPacket, peers, sentPackets } from '../peers/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { exactSum } from '../platform/database/exact-sum.ts';

/** The number of payments that one step compares. */
const PAYMENTS = 50;

type Outgoing = typeof outgoingPayments.$inferSelect;
type Incoming = typeof incomingPayments.$inferSelect;
type Packet = Pick<typeof sentPackets.$inferSelect, 'state' | 'sourceAmount' | 'delivered'>;

/** The books' word on one outgoing payment beside its own row. */
interface Evidence {
  transfers: readonly PaymentTransfer[];
  packets: readonly Packet[];
  /** The ledger account of its receiver. It is undefined when the receiver is at another node. */
  receiver: string | undefined;
}

interface Compared {
  findings: Finding[];
  /** The last payment compared. It is undefined when all were compared. */
  last: string | undefined;
}

const total = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((sum, amount) => sum + amount, 0n);
const amountsOf = (transfers: readonly PaymentTransfer[]): bigint => total(transfers.map(({ amount }) => amount));

/**
 * Tells whether an outgoing payment agrees with its transfers and with its packets to peers. The amount set aside is
 * what it may cost, the amount that left escrow is what it has sent, and the rest has gone back when it has ended. A
 * payment from one account of this node to another can be one transfer instead; see {@link isOneTransfer}.
 */
function isRightOutgoing(payment: Outgoing, { transfers, packets, receiver }: Evidence): boolean {
  const { sent, held, debitAmount, receiveAmount, delivered, walletAddressId, receiverId } = payment;
  const escrow = accountId('escrow', walletAddressId);
  const posted = transfers.filter(({ state }) => state === 'posted');
  const ofKind = (wanted: PaymentTransfer['kind']) => posted.filter(({ kind }) => kind === wanted);
  const hasEnded = payment.state === 'completed' || payment.state === 'failed';
  const left = ofKind('payment').filter(({ debitAccountId }) => debitAccountId === escrow);
  const given = ofKind('payment').filter(({ creditAccountId }) => creditAccountId === receiver);
  const isOpen = ({ state }: Packet) => state === 'held' || state === 'unknown';
  const arrived = receiverId === null ? total(packets.map((packet) => packet.delivered ?? 0n)) : amountsOf(given);
  // The operator can say that the rest of a payment to another node arrived, when the books were put back from a copy.
  // That rest has left for the money outside.
  const hasLeftUnseen = receiverId === null && left.some(({ creditAccountId }) => creditAccountId.startsWith('external:'));
  const isUnseen = hasLeftUnseen && payment.state === 'completed' && delivered === receiveAmount && arrived < delivered;
  const isSetAside =
    isOneTransfer(payment, transfers, receiver) ||
    (amountsOf(ofKind('reservation')) === debitAmount &&
      amountsOf(left) === sent &&
      amountsOf(ofKind(GIVEN_BACK)) === (hasEnded ? debitAmount - sent : 0n));
  return (
    isSetAside &&
    total(packets.filter(isOpen).map(({ sourceAmount }) => sourceAmount)) === held &&
    (arrived === delivered || isUnseen) &&
    (payment.state !== 'completed' || delivered >= receiveAmount) &&
    (payment.state !== 'failed' || delivered < receiveAmount)
  );
}

/**
 * Tells whether an outgoing payment and its one transfer, from the payer's account to another one of this node, say the
 * same: everything is held, or was sent, or went back.
 */
function isOneTransfer(payment: Outgoing, transfers: readonly PaymentTransfer[], receiver: string | undefined): boolean {
  const { walletAddressId, debitAmount, sent, state } = payment;
  const [one, ...others] = transfers;
  if (one === undefined || others.length > 0) return false;
  const expected = state === 'completed' ? 'posted' : state === 'failed' ? 'voided' : 'pending';
  return (
    one.kind === 'payment' &&
    one.debitAccountId === accountId('customer', walletAddressId) &&
    one.creditAccountId === receiver &&
    one.amount === debitAmount &&
    one.state === expected &&
    sent === (expected === 'posted' ? debitAmount : 0n)
  );
}

/**
 * Tells whether an incoming payment has got what its transfers brought from peers, and what payments of this node
 * delivered to it. It may be more than the payment asked for: version 0.1.0 took up to a hundredth more.
 */
function isRightIncoming({ received, walletAddressId }: Incoming, fromPeers: readonly PaymentTransfer[], fromHere: bigint): boolean {
  const customer = accountId('customer', walletAddressId);
  const brought = fromPeers.filter(({ state, creditAccountId }) => state === 'posted' && creditAccountId === customer);
  return received === amountsOf(brought) + fromHere;
}

const wrong = ({ id, walletAddressId }: { id: string; walletAddressId: string }): Finding => ({
  owner: walletAddressId,
  finding: 'payment',
  place: id,
});

const lastOf = (rows: readonly { id: string }[]): string | undefined => (rows.length === PAYMENTS ? rows.at(-1)?.id : undefined);

/** Compares the outgoing payments after `after`. The reader must see one state of the books. */
export async function checkOutgoing(reader: Reader, after: string): Promise<Compared> {
  const rows = await reader
    .select()
    .from(outgoingPayments)
    .where(gt(outgoingPayments.id, after))
    .orderBy(asc(outgoingPayments.id))
    .limit(PAYMENTS);
  const ids = rows.map(({ id }) => id);
  const transfers = Map.groupBy(await transfersOf(reader, ids), ({ paymentId }) => paymentId ?? '');
  const { outgoingPaymentId, state, sourceAmount, delivered } = sentPackets;
  const sent = await reader
    .select({ outgoingPaymentId, state, sourceAmount, delivered })
    .from(sentPackets)
    .where(and(inArray(outgoingPaymentId, ids), ne(state, 'rejected')));
  const archived = await reader.select().from(archivedPackets).where(inArray(archivedPackets.outgoingPaymentId, ids));
  const sums = archived.map((sum) => ({ ...sum, state: 'fulfilled' as const, sourceAmount: 0n }));
  const packets = Map.groupBy([...sent, ...sums], (packet) => packet.outgoingPaymentId);
  const receivers = await receiversOf(reader, rows);
  const evidence = ({ id, receiverId }: Outgoing): Evidence => ({
    transfers: transfers.get(id) ?? [],
    packets: packets.get(id) ?? [],
    receiver: receivers.get(receiverId ?? ''),
  });
  const findings = rows.filter((row) => !isRightOutgoing(row, evidence(row))).map(wrong);
  return { findings, last: lastOf(rows) };
}

/** The ledger accounts of the receivers on this node, by the ids of their incoming payments. */
async function receiversOf(reader: Reader, payments: readonly Outgoing[]): Promise<Map<string, string>> {
  const { id, walletAddressId } = incomingPayments;
  const ids = payments.flatMap(({ receiverId }) => receiverId ?? []);
  const receivers = await reader.select({ id, walletAddressId }).from(incomingPayments).where(inArray(id, ids));
  return new Map(receivers.map((receiver) => [receiver.id, accountId('customer', receiver.walletAddressId)]));
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
  const transfers = Map.groupBy(await transfersOf(reader, ids), ({ paymentId }) => paymentId ?? '');
  const delivered = await reader
    .select({ receiverId: outgoingPayments.receiverId, delivered: outgoingPayments.delivered })
    .from(outgoingPayments)
    .where(inArray(outgoingPayments.receiverId, ids));
  const here = Map.groupBy(delivered, ({ receiverId }) => receiverId ?? '');
  const fromHere = (id: string) => total((here.get(id) ?? []).map((payment) => payment.delivered));
  const findings = rows.filter((row) => !isRightIncoming(row, transfers.get(row.id) ?? [], fromHere(row.id))).map(wrong);
  return { findings, last: lastOf(rows) };
}

/** Compares what is under way to each peer with its open packets. The reader must see one state of the books. */
export async function checkPeers(reader: Reader): Promise<Finding[]> {
  const open = await reader
    .select({ peerId: sentPackets.peerId, sum: exactSum(sentPackets.peerAmount) })
    .from(sentPackets)
    .where(isOpenPacket)
    .groupBy(sentPackets.peerId);
  const sums = new Map(open.map(({ peerId, sum }) => [peerId, sum]));
  const rows = await reader.select({ id: peers.id, inFlight: peers.inFlight }).from(peers);
  return rows
    .filter(({ id, inFlight }) => inFlight !== (sums.get(id) ?? 0n))
    .map(({ id }) => ({ owner: id, finding: 'in_flight' as const, place: id }));
}
