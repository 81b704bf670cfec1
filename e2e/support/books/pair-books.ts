import type Sqlite from 'better-sqlite3';
import { contradictions, readBooks } from './books.ts';
import { type KeptByBoth, KeptPackets, NOTHING_KEPT, type Received, type Sent } from './kept-packets.ts';

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
const remotePayments = (books: Sqlite.Database): Outgoing[] =>
  books
    .prepare<[], Outgoing>('select id, state, receiver, debit_amount, sent, delivered from outgoing_payments where receiver_id is null')
    .all();

/** The packets that each node has forgotten because it was put back from a copy. */
interface OfBoth {
  readonly a: ForgottenPackets;
  readonly b: ForgottenPackets;
}

/** The packets in books that older ones have replaced, by their conditions. */
export class ForgottenPackets {
  /** The packets that the node has sent, unless its replaced books say that they were rejected. */
  readonly sent = new Map<string, Sent>();
  /** The packets that the node has taken. */
  readonly taken = new Set<string>();
  /** The number of times that the node was put back. */
  times = 0;

  /** Notes the books in a folder, and what they had in the archive. */
  add(dataDir: string, kept = new KeptPackets()): void {
    this.times += 1;
    readBooks({ dataDir }, (books) => {
      for (const packet of kept.sent(books)) if (packet.state !== 'rejected') this.sent.set(packet.condition, packet);
      for (const { condition } of kept.received(books)) this.taken.add(condition);
    });
  }
}

const NOTHING_FORGOTTEN: OfBoth = { a: new ForgottenPackets(), b: new ForgottenPackets() };

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
 */
export function disagreements(
  a: Sqlite.Database,
  b: Sqlite.Database,
  { forgotten = NOTHING_FORGOTTEN, kept = NOTHING_KEPT, now = Date.now() }: Known = {},
): string[] {
  const isWhole = forgotten.a.times + forgotten.b.times === 0;
  const [ours, theirs] = [sideOf(a, kept.a), sideOf(b, kept.b)];
  const found = [
    ...contradictions(a, now).map((words) => `A: ${words}`),
    ...contradictions(b, now).map((words) => `B: ${words}`),
    ...oneWay('A', ours, theirs, { sent: forgotten.a.sent, taken: forgotten.b.taken, isWhole }),
    ...oneWay('B', theirs, ours, { sent: forgotten.b.sent, taken: forgotten.a.taken, isWhole }),
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

/** The knowledge of somebody who compares two nodes, beside their books. */
interface Known {
  forgotten?: OfBoth;
  kept?: KeptByBoth;
  /** The time of the nodes; see contradictions(). */
  now?: number;
}

/** The books of one node, and all its packets, with those in the archive. */
interface Side {
  books: Sqlite.Database;
  sent: readonly Sent[];
  received: readonly Received[];
}
const sideOf = (books: Sqlite.Database, kept: KeptPackets): Side => ({ books, sent: kept.sent(books), received: kept.received(books) });

/** The packets that `from` has sent and `to` has taken according to books that older ones have replaced. */
interface Forgotten {
  readonly sent: ReadonlyMap<string, Sent>;
  readonly taken: ReadonlySet<string>;
  readonly isWhole: boolean;
}

const addTo = (sums: Map<string, bigint>, key: string, amount: bigint): void => void sums.set(key, (sums.get(key) ?? 0n) + amount);

/** Notes what is wrong. */
type Say = (words: string) => void;

/** Notes what is wrong with what `from` has sent to `to`, as the books of both nodes tell it. */
function oneWay(name: string, from: Side, to: Side, known: Forgotten): string[] {
  const found: string[] = [];
  const say: Say = (words) => void found.push(`${name}: ${words}`);
  for (const peer of peersOf(from.books)) comparePeer(say, peer, { from, to, known });
  comparePayments(say, from, { to, isWhole: known.isWhole });
  compareCosts(say, from, { to, known });
  return found;
}

/** Checks one peer of `from`: its packets there and at `to`, and the position that they make. */
function comparePeer(say: Say, peer: PeerBook, { from, to, known }: { from: Side; to: Side; known: Forgotten }): void {
  const mirror = peersOf(to.books).find(({ asset }) => asset === peer.asset);
  if (peer.in_flight !== 0n) say(`${peer.in_flight} are in flight in ${peer.asset}`);
  if (peer.pending !== 0n) say(`${peer.pending} are held for the peer in ${peer.asset}`);
  const sent = from.sent.filter(({ peer_id }) => peer_id === peer.id);
  const received = to.received.filter(({ peer_id }) => peer_id === mirror?.id);
  const arrived = new Map(received.map((packet) => [packet.condition, packet]));
  for (const packet of sent) {
    const isDecided = packet.is_decided !== 0n;
    const isForgotten = packet.state === 'fulfilled' && !arrived.has(packet.condition) && known.taken.has(packet.condition);
    if (!isDecided && !isForgotten) comparePacket(say, packet, arrived.get(packet.condition));
    arrived.delete(packet.condition);
  }
  for (const packet of arrived.values())
    if (!known.sent.has(packet.condition)) say(`a packet of ${packet.source_amount} arrived that was never sent`);
  const balance = sent.filter(({ state }) => state === 'fulfilled').reduce((sum, { peer_amount }) => sum + peer_amount, 0n);
  const taken = from.received.filter(({ peer_id }) => peer_id === peer.id);
  const owed = taken.reduce((sum, { source_amount }) => sum + source_amount, 0n);
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
function comparePayments(say: Say, from: Side, { to, isWhole }: { to: Side; isWhole: boolean }): void {
  const delivered = new Map<string, bigint>();
  for (const payment of remotePayments(from.books)) {
    const receiver = payment.receiver.slice(payment.receiver.lastIndexOf('/') + 1);
    addTo(delivered, receiver, payment.delivered);
    if (payment.state !== 'completed' && payment.state !== 'failed') say(`a payment of ${payment.debit_amount} is ${payment.state}`);
    if (payment.sent > payment.debit_amount) say(`a payment of ${payment.debit_amount} has cost ${payment.sent}`);
  }
  const received = new Map<string, bigint>();
  for (const { payment, amount } of to.received) addTo(received, payment ?? '', amount);
  for (const [receiver, sum] of delivered) {
    const got = received.get(receiver) ?? 0n;
    if (isWhole && got !== sum) say(`${sum} were delivered to a receiver that got ${got}`);
  }
}

/**
 * Checks that the packets of a payment that arrived have taken no more from the payer than the payment may cost. The
 * check counts forgotten packets, too.
 */
function compareCosts(say: Say, from: Side, { to, known }: { to: Side; known: Forgotten }): void {
  const arrived = new Set([...to.received.map(({ condition }) => condition), ...known.taken]);
  const left = new Map([...known.sent.values(), ...from.sent].map((packet) => [packet.condition, packet]));
  const cost = new Map<string, bigint>();
  for (const { condition, payment, source_amount } of left.values()) if (arrived.has(condition)) addTo(cost, payment, source_amount);
  for (const { id, debit_amount } of remotePayments(from.books)) {
    const spent = cost.get(id) ?? 0n;
    if (spent > debit_amount) say(`a payment of ${debit_amount} was paid more than once: ${spent} have arrived`);
  }
}
