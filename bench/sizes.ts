import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { RunningNode } from '../e2e/support/running-node.ts';
import { Endings } from './books.ts';
import { drive, inLanes, type RequestBytes } from './load.ts';
import { seedPastPayments } from './past-payments.ts';
import { cpuMs } from './processes.ts';
import { median } from './report.ts';
import { idOf, Scene } from './scene.ts';

/** How many payments are stored, incoming and outgoing each. */
export const FEW = 1_000;
export const MANY = 1_000_000;

/** One kind of work at both sizes. */
export interface SizeFigures {
  what: string;
  few: number;
  many: number;
  /** How many times slower with many: the median over rounds in which both took turns. */
  slower: number;
  /** The same of the processor time for one; undefined where the system does not tell. */
  cost: number | undefined;
}

const WIDTH = 32;
const ROUNDS = 5;
/** How many different stored payments a stretch reads, all over the past. */
const SPREAD = 1_000;
const REQUESTS = 2_000;
const PAYMENTS = 300;
const SECONDS = 5;

/** A node with a past, and what the client of its scene asks for. */
class SizedNode {
  readonly node: RunningNode;
  readonly scene: Scene;
  readonly #folder: string;
  readonly #stored: { incoming: string[]; outgoing: string[] };
  readonly #endings: Endings;

  private constructor(node: RunningNode, scene: Scene, folder: string) {
    this.node = node;
    this.scene = scene;
    this.#folder = folder;
    this.#stored = { incoming: sample(node, 'incoming_payments'), outgoing: sample(node, 'outgoing_payments') };
    this.#endings = new Endings(node.dataDir);
  }

  /** Starts a node, lets it make one payment, and stops it to give it a past of `count`. */
  static async start(count: number): Promise<SizedNode> {
    const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-'));
    const options = {
      dataDir: join(folder, 'node'),
      flags: ['--token-lifetime', '86400'],
      logTo: openSync(join(folder, 'log'), 'a'),
    };
    const first = await RunningNode.start(options);
    const scene = await Scene.set(first);
    const made = await payOnce(first, scene);
    await first.stop();
    seedPastPayments(first.dataDir, made, count - 1);
    // Under the same address, which the client's requests are signed for.
    const listen = new URL(first.publicUrl).host;
    const node = await RunningNode.start({ ...options, flags: [...options.flags, '--listen', listen] });
    return new SizedNode(node, scene, folder);
  }

  async stop(): Promise<void> {
    this.#endings.close();
    await this.scene.leave();
    await this.node.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  read(list: 'incoming' | 'outgoing'): Promise<Stretch> {
    return this.#send(this.scene.readings(this.#urls(list)), 200);
  }

  list(list: 'incoming' | 'outgoing'): Promise<Stretch> {
    return this.#send(this.scene.listings(`${list}-payments`, this.#stored[list]), 200);
  }

  create(): Promise<Stretch> {
    return this.#send(this.scene.creations(REQUESTS), 201);
  }

  /** From sending `POST /outgoing-payments` until the payment's end is in the books. */
  async pay(): Promise<Stretch> {
    const urls: string[] = [];
    await drive(this.node.publicUrl, this.scene.creations(PAYMENTS), { width: WIDTH, seconds: 60 }, 201, (body) => urls.push(idOf(body)));
    const requests = this.scene.payments(urls);
    return await this.#costing(() =>
      inLanes(this.node.publicUrl, requests, { width: WIDTH, seconds: SECONDS }, async (connection, request) => {
        const { status, body } = await connection.send(request);
        if (status !== 201) throw new Error(`a payment was refused: ${status} ${body.toString()}`);
        await this.#endings.of(lastPart(idOf(body)));
      }),
    );
  }

  #urls(list: 'incoming' | 'outgoing'): string[] {
    return this.#stored[list].map((id) => `${this.node.publicUrl}/${list}-payments/${id}`);
  }

  #send(different: readonly RequestBytes[], expected: number): Promise<Stretch> {
    const requests = Array.from({ length: REQUESTS }, (_, n) => different[n % different.length] ?? Buffer.alloc(0));
    return this.#costing(() => drive(this.node.publicUrl, requests, { width: WIDTH, seconds: SECONDS }, expected));
  }

  async #costing(work: () => Promise<{ done: number; perSecond: number }>): Promise<Stretch> {
    const before = cpuMs(this.node.pid);
    const { done, perSecond } = await work();
    const after = cpuMs(this.node.pid);
    return { perSecond, cpu: before === undefined || after === undefined ? undefined : (after - before) / done };
  }
}

interface Stretch {
  perSecond: number;
  /** Milliseconds of processor time for one. */
  cpu: number | undefined;
}

const WORK: readonly [string, (node: SizedNode) => Promise<Stretch>][] = [
  ['list incoming payments, 20 from a cursor', (node) => node.list('incoming')],
  ['list outgoing payments, 20 from a cursor', (node) => node.list('outgoing')],
  ['get an incoming payment', (node) => node.read('incoming')],
  ['get an outgoing payment', (node) => node.read('outgoing')],
  ['create an incoming payment', (node) => node.create()],
  ['create an outgoing payment, to completed', (node) => node.pay()],
];

/**
 * The same work on a node with few and on one with many stored payments. They take turns, so that what else the machine does
 * weighs on both.
 */
export async function measureSizes(): Promise<SizeFigures[]> {
  const few = await SizedNode.start(FEW);
  try {
    const many = await SizedNode.start(MANY);
    try {
      const figures: SizeFigures[] = [];
      for (const [what, work] of WORK) figures.push(await compare(what, work, few, many));
      return figures;
    } finally {
      await many.stop();
    }
  } finally {
    await few.stop();
  }
}

async function compare(what: string, work: (node: SizedNode) => Promise<Stretch>, few: SizedNode, many: SizedNode): Promise<SizeFigures> {
  for (const node of [few, many]) await work(node);
  const rounds: { few: Stretch; many: Stretch }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Each goes first as often as the other: what the machine does in waves hits both.
    const order = round % 2 === 0 ? [few, many] : [many, few];
    const stretches = new Map<SizedNode, Stretch>();
    for (const node of order) stretches.set(node, await work(node));
    const [one, other] = [stretches.get(few), stretches.get(many)];
    if (one && other) rounds.push({ few: one, many: other });
  }
  const costs = rounds.flatMap((round) =>
    round.few.cpu === undefined || round.many.cpu === undefined ? [] : [round.many.cpu / round.few.cpu],
  );
  return {
    what,
    few: median(rounds.map((round) => round.few.perSecond)),
    many: median(rounds.map((round) => round.many.perSecond)),
    slower: median(rounds.map((round) => round.few.perSecond / round.many.perSecond)),
    cost: costs.length === 0 ? undefined : median(costs),
  };
}

const lastPart = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

async function payOnce(node: RunningNode, scene: Scene): Promise<{ incomingPayment: string; outgoingPayment: string }> {
  const endings = new Endings(node.dataDir);
  const once = { width: 1, seconds: 10 };
  let [incoming, outgoing] = ['', ''];
  await drive(node.publicUrl, scene.creations(1), once, 201, (body) => {
    incoming = idOf(body);
  });
  await drive(node.publicUrl, scene.payments([incoming]), once, 201, (body) => {
    outgoing = lastPart(idOf(body));
  });
  await endings.of(outgoing);
  endings.close();
  return { incomingPayment: lastPart(incoming), outgoingPayment: outgoing };
}

/** Ids of stored payments from all over the past. */
function sample(node: RunningNode, table: 'incoming_payments' | 'outgoing_payments'): string[] {
  const database = new Sqlite(join(node.dataDir, 'paydesk.db'), { readonly: true });
  try {
    return database.prepare<[number], string>(`select id from ${table} order by random() limit ?`).pluck().all(SPREAD);
  } finally {
    database.close();
  }
}
