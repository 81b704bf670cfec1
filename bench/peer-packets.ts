import { readBooks, unfinished } from '../e2e/support/books.ts';
import { Traffic } from '../e2e/support/traffic.ts';
import { TwoNodes } from '../e2e/support/two-nodes.ts';
import { median } from './report.ts';

const MAX_PACKET = 100n;
const PACKETS = 1_000;
const ROUNDS = 3;
const FLAGS = ['--token-lifetime', '86400', '--log-level', 'error'];
const POLL_MS = 20;

/** Packets a second between two nodes, each a process with full durability. */
export interface PeerFigures {
  /** Of one payment, which sends one at a time: its packets follow each other. */
  alone: number;
  /** Of eight payments at once. */
  together: number;
}

/** Large payments from one node to its peer in many small packets. Both ledgers commit twice for each. */
export async function measurePeerPackets(): Promise<PeerFigures> {
  const nodes = await TwoNodes.start({ flags: FLAGS, maxPacketAmount: MAX_PACKET });
  const traffic = await Traffic.between(nodes, 1);
  const run = async (payments: number): Promise<number> => {
    const since = Date.now();
    const amount = (MAX_PACKET * BigInt(PACKETS)) / BigInt(payments);
    const paying = Array.from({ length: payments }, (_, n) =>
      traffic.pay({ number: n, from: 'a', pays: 'USD', gets: 'USD', amount, fixed: 'send' }),
    );
    if ((await Promise.all(paying)).includes(false)) throw new Error('a payment was refused');
    while (readBooks(nodes.a, unfinished) > 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const packets = readBooks(nodes.a, (books) =>
      books
        .prepare<[number], { count: bigint; first: bigint; last: bigint }>(
          'select count(*) as count, min(created_at) as first, max(ended_at) as last from sent_packets where created_at >= ?',
        )
        .get(since),
    );
    if (packets === undefined || packets.count < BigInt(PACKETS)) throw new Error('there were fewer packets than money to carry');
    return (Number(packets.count) * 1_000) / Number(packets.last - packets.first);
  };
  try {
    await run(8);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push({ alone: await run(1), together: await run(8) });
    return { alone: median(rounds.map(({ alone }) => alone)), together: median(rounds.map(({ together }) => together)) };
  } finally {
    await traffic.stop();
    await nodes.stop();
  }
}
