import type Sqlite from 'better-sqlite3';
import { contradictions, readBooks } from './books.ts';

interface Sent {
  condition: string;
  state: string;
  source_amount: bigint;
  peer_amount: bigint;
  delivered: bigint | null;
  /** Whether the operator has decided what became of its payment. */
  is_decided: bigint;
}
interface Received {
  condition: string;
  source_amount: bigint;
  amount: bigint;
}
interface PeerBook {
  id: string;
  asset: string;
  in_flight: bigint;
  balance: bigint;
  pending: bigint;
}
interface Outgoing {
  id: string;
  state: string;
  receiver: string;
  debit_amount: bigint;
  sent: bigint;
  delivered: bigint;
}

const peersOf = (books: Sqlite.Database): PeerBook[] =>
  books
    .prepare<[], PeerBook>(
      `select p.id, p.asset_code || '/' || p.asset_scale as asset, p.in_flight, a.balance, a.pending
         from peers p join ledger_accounts a on a.id = 'peer:' || p.id where p.state <> 'removed' order by asset`,
    )
    .all();
const sentTo = (books: Sqlite.Database, peerId: string): Sent[] =>
  books
    .prepare<[string], Sent>(
      `select condition, state, source_amount, peer_amount, delivered, exists (select 1 from events
         where subject = outgoing_payment_id and type = 'outgoing_payment.resolved') as is_decided from sent_packets where peer_id = ?`,
    )
    .all(peerId);
/** The packets that moved money. */
const receivedFrom = (books: Sqlite.Database, peerId: string): Received[] =>
  books
    .prepare<[string], Received>('select condition, source_amount, amount from received_packets where peer_id = ? and source_amount > 0')
    .all(peerId);
const remotePayments = (books: Sqlite.Database): Outgoing[] =>
  books
    .prepare<[], Outgoing>('select id, state, receiver, debit_amount, sent, delivered from outgoing_payments where receiver_id is null')
    .all();

/** A packet that has left, and what it has cost its payment. */
interface Departure {
  condition: string;
  state: string;
  payment: string;
  source_amount: bigint;
}
const departures = (books: Sqlite.Database): Departure[] =>
  books.prepare<[], Departure>('select condition, state, outgoing_payment_id as payment, source_amount from sent_packets').all();
/** The conditions of all packets that moved money. */
const taken = (books: Sqlite.Database): string[] =>
  books.prepare<[], string>('select condition from received_packets where source_amount > 0').pluck().all();

/** What each node has forgotten because it was put back from a copy. */
interface OfBoth {
  readonly a: ForgottenPackets;
  readonly b: ForgottenPackets;
}

/** The packets in books that older ones have replaced, by their conditions. */
export class ForgottenPackets {
  /** What the node has sent, unless its replaced books say that it was rejected. */
  readonly sent = new Map<string, Departure>();
  /** What the node has taken. */
  readonly taken = new Set<string>();
  /** How often the node was put back. */
  times = 0;

  /** Takes note of the books in a folder. */
  add(dataDir: string): void {
    this.times += 1;
    readBooks({ dataDir }, (books) => {
      for (const packet of departures(books)) if (packet.state !== 'rejected') this.sent.set(packet.condition, packet);
      for (const condition of taken(books)) this.taken.add(condition);
    });
  }
}

export const NOTHING_FORGOTTEN: OfBoth = { a: new ForgottenPackets(), b: new ForgottenPackets() };

/** The time to compare with when nodes live in made-up time and remove nothing: all details have to be there. */
export const NOTHING_IS_OLD = 0;

/**
 * Tells what is wrong between two nodes that are each other's only peers. The caller calls it when nothing is under
 * way. This file shares no code with the nodes.
 *
 * A node that was put back from a copy does not know what it did after that. Then the nodes may disagree about each
 * packet that its forgotten books explain, and about each payment of which the operator has decided, and about nothing
 * else.
 * @param a the database of one node.
 * @param b the database of the other.
 * @param now the time of the nodes; see contradictions().
 */
export function disagreements(
  a: Sqlite.Database,
  b: Sqlite.Database,
  forgotten: OfBoth = NOTHING_FORGOTTEN,
  now: number = Date.now(),
): string[] {
  const isWhole = forgotten.a.times + forgotten.b.times === 0;
  const found = [
    ...contradictions(a, now).map((words) => `A: ${words}`),
    ...contradictions(b, now).map((words) => `B: ${words}`),
    ...oneWay('A', a, b, { sent: forgotten.a.sent, taken: forgotten.b.taken, isWhole }),
    ...oneWay('B', b, a, { sent: forgotten.b.sent, taken: forgotten.a.taken, isWhole }),
  ];
  const [peersOfA, peersOfB] = [peersOf(a), peersOf(b)];
  if (peersOfA.length !== peersOfB.length) found.push('they do not have the same peers');
  for (const book of peersOfA) {
    const mirror = peersOfB.find(({ asset }) => asset === book.asset);
    // Packets that only one node knows are compared one by one, and each position with the packets of its node.
    if (isWhole && mirror?.balance !== -book.balance)
      found.push(`the position in ${book.asset} is ${book.balance} at A and ${mirror?.balance} at B`);
  }
  return found;
}

/** The packets that `from` has sent and `to` has taken according to books that older ones have replaced. */
interface Forgotten {
  readonly sent: ReadonlyMap<string, Departure>;
  readonly taken: ReadonlySet<string>;
  readonly isWhole: boolean;
}

/** Notes what is wrong. */
type Say = (words: string) => void;

/** Notes what is wrong with what `from` has sent to `to`, as the books of both nodes tell it. */
function oneWay(name: string, from: Sqlite.Database, to: Sqlite.Database, known: Forgotten): string[] {
  const found: string[] = [];
  const say: Say = (words) => void found.push(`${name}: ${words}`);
  for (const peer of peersOf(from)) comparePeer(say, peer, { from, to, known });
  comparePayments(say, from, { to, isWhole: known.isWhole });
  compareCosts(say, from, { to, known });
  return found;
}

/** Checks one peer of `from`: its packets there and at `to`, and the position that they make. */
function comparePeer(
  say: Say,
  peer: PeerBook,
  { from, to, known }: { from: Sqlite.Database; to: Sqlite.Database; known: Forgotten },
): void {
  const mirror = peersOf(to).find(({ asset }) => asset === peer.asset);
  if (peer.in_flight !== 0n) say(`${peer.in_flight} are in flight in ${peer.asset}`);
  if (peer.pending !== 0n) say(`${peer.pending} are held for the peer in ${peer.asset}`);
  const sent = sentTo(from, peer.id);
  const arrived = new Map((mirror ? receivedFrom(to, mirror.id) : []).map((packet) => [packet.condition, packet]));
  for (const packet of sent) {
    const isDecided = packet.is_decided !== 0n;
    const isForgotten = packet.state === 'fulfilled' && !arrived.has(packet.condition) && known.taken.has(packet.condition);
    if (!isDecided && !isForgotten) comparePacket(say, packet, arrived.get(packet.condition));
    arrived.delete(packet.condition);
  }
  for (const packet of arrived.values())
    if (!known.sent.has(packet.condition)) say(`a packet of ${packet.source_amount} arrived that was never sent`);
  const balance = sent.filter(({ state }) => state === 'fulfilled').reduce((sum, { peer_amount }) => sum + peer_amount, 0n);
  const owed = receivedFrom(from, peer.id).reduce((sum, { source_amount }) => sum + source_amount, 0n);
  if (peer.balance !== balance - owed) say(`the position in ${peer.asset} is ${peer.balance}, its packets make ${balance - owed}`);
}

/** @param arrived the same packet at the other node. It is undefined when the packet moved no money there. */
function comparePacket(say: Say, packet: Sent, arrived: Received | undefined): void {
  if (packet.state === 'rejected' && arrived !== undefined) say(`a packet of ${packet.peer_amount} was taken and is booked as rejected`);
  if (packet.state === 'held' || packet.state === 'unknown') say(`a packet of ${packet.peer_amount} is ${packet.state}`);
  if (packet.state !== 'fulfilled') return;
  if (arrived === undefined) say(`a packet of ${packet.peer_amount} is booked as fulfilled and never arrived`);
  else if (arrived.source_amount !== packet.peer_amount) say(`a packet of ${packet.peer_amount} arrived as ${arrived.source_amount}`);
  else if (arrived.amount !== packet.delivered) say(`a packet that delivered ${arrived.amount} is booked as ${packet.delivered}`);
}

/**
 * Checks the payments from `from` to `to`: each has ended and has cost no more than it may, and its receiver has what
 * it delivered.
 */
function comparePayments(say: Say, from: Sqlite.Database, { to, isWhole }: { to: Sqlite.Database; isWhole: boolean }): void {
  const delivered = new Map<string, bigint>();
  for (const payment of remotePayments(from)) {
    const receiver = payment.receiver.slice(payment.receiver.lastIndexOf('/') + 1);
    delivered.set(receiver, (delivered.get(receiver) ?? 0n) + payment.delivered);
    if (payment.state !== 'completed' && payment.state !== 'failed') say(`a payment of ${payment.debit_amount} is ${payment.state}`);
    if (payment.sent > payment.debit_amount) say(`a payment of ${payment.debit_amount} has cost ${payment.sent}`);
  }
  const receivedOf = to.prepare<[string], string>('select exact_sum(amount) from received_packets where incoming_payment_id = ?').pluck();
  for (const [receiver, sum] of delivered) {
    const received = receivedOf.get(receiver) ?? '0';
    if (isWhole && received !== sum.toString()) say(`${sum} were delivered to a receiver that got ${received}`);
  }
}

/**
 * Checks that the packets of a payment that arrived have taken no more from the payer than the payment may cost. The
 * check counts forgotten packets, too.
 */
function compareCosts(say: Say, from: Sqlite.Database, { to, known }: { to: Sqlite.Database; known: Forgotten }): void {
  const arrived = new Set([...taken(to), ...known.taken]);
  const left = new Map([...known.sent.values(), ...departures(from)].map((packet) => [packet.condition, packet]));
  const cost = new Map<string, bigint>();
  for (const { condition, payment, source_amount } of left.values())
    if (arrived.has(condition)) cost.set(payment, (cost.get(payment) ?? 0n) + source_amount);
  for (const { id, debit_amount } of remotePayments(from)) {
    const spent = cost.get(id) ?? 0n;
    if (spent > debit_amount) say(`a payment of ${debit_amount} was paid more than once: ${spent} have arrived`);
  }
}
