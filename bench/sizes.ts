import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare, type SizeFigures, type Stretch } from './comparing.ts';
import { LocalPayments } from './payments/local-payments.ts';
import { PeerLine } from './payments/peer-packets.ts';
import { FEW, MANY, SizedNode, WIDTH } from './payments/sized-node.ts';

/** The most payments of a run. They take 35 GB, and as many minutes to store as the others take seconds. */
export const HUGE = 10_000_000;

/** How many waves make a stretch; a wave is as many payments as are carried at once. */
const WAVES = 40;

const WORK: readonly [string, (node: SizedNode) => Promise<Stretch>][] = [
  ['list incoming payments, 20 from a cursor', (node) => node.list('incoming')],
  ['list outgoing payments, 20 from a cursor', (node) => node.list('outgoing')],
  ['get an incoming payment', (node) => node.read('incoming')],
  ['get an outgoing payment', (node) => node.read('outgoing')],
  ['create an incoming payment', (node) => node.create()],
  ['create an outgoing payment, to completed', (node) => node.pay()],
];

/**
 * The same work where few and where many payments are stored: of the whole node, of what carries payments in it, and
 * between two.
 */
export async function measureSizes(): Promise<SizeFigures[]> {
  return [...(await measureNode(MANY)), await measureCarrying(), await measurePackets()];
}

/**
 * The same work of a whole node with few and with many payments.
 * @param after is told of the node with many payments at the end, and of the figures.
 */
export async function measureNode(
  count: number,
  after?: (many: SizedNode, figures: readonly SizeFigures[]) => Promise<void>,
): Promise<SizeFigures[]> {
  const few = await SizedNode.start(FEW);
  try {
    const many = await SizedNode.start(count);
    try {
      const figures: SizeFigures[] = [];
      for (const [what, work] of WORK) figures.push(await compare(what, { few: () => work(few), many: () => work(many) }));
      await after?.(many, figures);
      return figures;
    } finally {
      await many.stop();
    }
  } finally {
    await few.stop();
  }
}

/** Payments that are there already, 32 at a time, without the public API. */
async function measureCarrying(): Promise<SizeFigures> {
  const folders = { few: mkdtempSync(join(tmpdir(), 'paydesk-bench-')), many: mkdtempSync(join(tmpdir(), 'paydesk-bench-')) };
  const [few, many] = [await LocalPayments.open(folders.few, FEW), await LocalPayments.open(folders.many, MANY)];
  const carry = async (payments: LocalPayments): Promise<Stretch> => {
    let spent = 0;
    for (let wave = 0; wave < WAVES; wave += 1) {
      await payments.make(WIDTH);
      const start = performance.now();
      await payments.carry();
      spent += performance.now() - start;
    }
    return { perSecond: (WAVES * WIDTH * 1_000) / spent, cpu: undefined };
  };
  try {
    return await compare('payments carried by STREAM and ledger', { few: () => carry(few), many: () => carry(many) });
  } finally {
    await few.close();
    await many.close();
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true });
  }
}

async function measurePackets(): Promise<SizeFigures> {
  const [few, many] = [await PeerLine.open(FEW), await PeerLine.open(MANY)];
  const carry = async (line: PeerLine): Promise<Stretch> => ({ perSecond: await line.carry(8), cpu: undefined });
  try {
    return await compare('packets to a peer, of eight payments', { few: () => carry(few), many: () => carry(many) });
  } finally {
    await few.close();
    await many.close();
  }
}
