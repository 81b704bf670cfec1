import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { RunningNode } from '../e2e/support/nodes/running-node.ts';
import { compare, type SizeFigures, type Stretch } from './comparing.ts';
import { LocalPayments } from './payments/local-payments.ts';
import { seedPastPayments } from './payments/past-payments.ts';
import { PeerLine } from './payments/peer-packets.ts';
import { Endings } from './support/books.ts';
import { drive, inLanes, type RequestBytes } from './support/load.ts';
import { cpuMs } from './support/processes.ts';
import { idOf, Scene } from './support/scene.ts';

/** How many payments are stored, incoming and outgoing each. */
export const FEW = 1_000;
export const MANY = 1_000_000;
/** The most payments of a run. They take 35 GB, and as many minutes to store as the others take seconds. */
export const HUGE = 10_000_000;

const WIDTH = 32;
/** How many different stored payments a stretch reads, all over the past. */
const SPREAD = 1_000;
const REQUESTS = 2_000;
const PAYMENTS = 300;
/** How many waves make a stretch; a wave is as many payments as are carried at once. */
const WAVES = 40;
const SECONDS = 5;

/** A node with a past, and what the client of its scene asks for. */
export class SizedNode {
  readonly node: RunningNode;
  readonly scene: Scene;
  readonly #folder: string;
  readonly #stored: { incoming: string[]; outgoing: string[] };
  readonly #endings: Endings;
  #ended = false;
  /** How long the start with the past took, in milliseconds. */
  readonly startMs: number;

  private constructor(node: RunningNode, scene: Scene, folder: string, startMs: number) {
    this.node = node;
    this.startMs = startMs;
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
      flags: ['--token-lifetime', '86400', '--client-rate', '0'],
      logTo: openSync(join(folder, 'log'), 'a'),
    };
    const first = await RunningNode.start(options);
    const scene = await Scene.set(first);
    const made = await payOnce(first, scene);
    await first.stop();
    seedPastPayments(first.dataDir, made, count - 1);
    // The node gets the same address again, because the client's requests are signed for it.
    const listen = new URL(first.publicUrl).host;
    const began = performance.now();
    const node = await RunningNode.start({ ...options, flags: [...options.flags, '--listen', listen] });
    return new SizedNode(node, scene, folder, performance.now() - began);
  }

  async stop(): Promise<void> {
    await this.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Stops the node, and leaves its data folder until {@link stop}. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#endings.close();
    await this.scene.leave();
    await this.node.stop();
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

  /** Pays once. @returns the time from sending `POST /outgoing-payments` until the payment's end is in the books. */
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
 * @param after is told of the node with many payments at the end.
 */
export async function measureNode(count: number, after?: (many: SizedNode) => Promise<void>): Promise<SizeFigures[]> {
  const few = await SizedNode.start(FEW);
  try {
    const many = await SizedNode.start(count);
    try {
      const figures: SizeFigures[] = [];
      for (const [what, work] of WORK) figures.push(await compare(what, { few: () => work(few), many: () => work(many) }));
      await after?.(many);
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
