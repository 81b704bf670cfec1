import type Sqlite from 'better-sqlite3';
import { readBooks } from '../../e2e/support/books/books.ts';
import { Traffic } from '../../e2e/support/books/traffic.ts';
import { SIDES, type Side, TwoNodes } from '../../e2e/support/nodes/two-nodes.ts';
import { median } from '../support/report.ts';
import { seedPastPayments } from './past-payments.ts';

const MAX_PACKET = 100n;
/** How many packets {@link PeerLine.carry} sends. */
export const PACKETS = 1_000;
const ROUNDS = 3;
const FLAGS = ['--token-lifetime', '86400', '--log-level', 'error'];
const POLL_MS = 20;

/** Packets a second between two nodes, each a process with full durability. */
interface PeerFigures {
  /** Packets of one payment, which follow each other. */
  alone: number;
  /** Packets of eight payments at once. */
  together: number;
}

/** Large payments from one node to its peer in many small packets. Both ledgers commit twice for each. */
export async function measurePeerPackets(): Promise<PeerFigures> {
  const line = await PeerLine.open();
  try {
    await line.carry(8);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push({ alone: await line.carry(1), together: await line.carry(8) });
    return { alone: median(rounds.map(({ alone }) => alone)), together: median(rounds.map(({ together }) => together)) };
  } finally {
    await line.close();
  }
}

/** Two nodes, one of which pays the other in packets as small as can be. */
export class PeerLine {
  readonly #nodes: TwoNodes;
  readonly #traffic: Traffic;

  private constructor(nodes: TwoNodes, traffic: Traffic) {
    this.#nodes = nodes;
    this.#traffic = traffic;
  }

  /** @param past how many payments from the one to the other both have stored already. */
  static async open(past = 0): Promise<PeerLine> {
    const nodes = await TwoNodes.start({ flags: FLAGS, maxPacketAmount: MAX_PACKET });
    const line = new PeerLine(nodes, await Traffic.between(nodes, 1));
    if (past > 0) await line.#giveAPast(past);
    return line;
  }

  async close(): Promise<void> {
    await this.#traffic.stop();
    await this.#nodes.stop();
  }

  /** Stops both nodes, so that their books can be looked at. */
  async stop(): Promise<void> {
    await Promise.all(SIDES.map((side) => this.#nodes[side].stop()));
  }

  /** The data folders of the paying node and of the paid one. */
  folders(): readonly string[] {
    return SIDES.map((side) => this.#nodes[side].dataDir);
  }

  /** Sends a thousand packets in as many payments at once as asked for. @returns packets a second. */
  async carry(payments: number): Promise<number> {
    const since = Date.now();
    await this.#pay(payments, (MAX_PACKET * BigInt(PACKETS)) / BigInt(payments));
    const packets = readBooks(this.#nodes.a, (books) =>
      books
        .prepare<[number], { count: bigint; first: bigint; last: bigint }>(
          'select count(*) as count, min(created_at) as first, max(ended_at) as last from sent_packets where created_at >= ?',
        )
        .get(since),
    );
    if (packets === undefined || packets.count < BigInt(PACKETS)) throw new Error('there were fewer packets than money to carry');
    return (Number(packets.count) * 1_000) / Number(packets.last - packets.first);
  }

  async #pay(payments: number, amount: bigint): Promise<void> {
    const since = Date.now();
    const paying = Array.from({ length: payments }, (_, n) =>
      this.#traffic.pay({ number: n, from: 'a', pays: 'USD', gets: 'USD', amount, fixed: 'send' }),
    );
    if ((await Promise.all(paying)).includes(false)) throw new Error('a payment was refused');
    while (readBooks(this.#nodes.a, (books) => unfinishedSince(books, since)) > 0n) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async #giveAPast(count: number): Promise<void> {
    await this.#pay(1, MAX_PACKET);
    const onlyOne = (side: Side, table: string): string =>
      readBooks(this.#nodes[side], (books) => books.prepare<[], string>(`select id from ${table}`).pluck().get() ?? '');
    const [outgoingPayment, incomingPayment] = [onlyOne('a', 'outgoing_payments'), onlyOne('b', 'incoming_payments')];
    await Promise.all(SIDES.map((side) => this.#nodes[side].stop()));
    seedPastPayments(this.#nodes.a.dataDir, { outgoingPayment }, count - 1);
    seedPastPayments(this.#nodes.b.dataDir, { incomingPayment }, count - 1);
    await Promise.all(SIDES.map((side) => this.#nodes.restart(side)));
  }
}

/**
 * Reads little, because it runs often while the nodes work: a look through their whole past would take the processor
 * away from them.
 */
const unfinishedSince = (books: Sqlite.Database, since: number): bigint =>
  books
    .prepare<[number], bigint>("select count(*) from outgoing_payments where created_at >= ? and state not in ('completed', 'failed')")
    .pluck()
    .get(since) ?? 0n;
