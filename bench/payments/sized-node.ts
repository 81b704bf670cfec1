import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { RunningNode } from '../../e2e/support/nodes/running-node.ts';
import type { Stretch } from '../comparing.ts';
import { Endings } from '../support/books.ts';
import { drive, inLanes, type RequestBytes } from '../support/load.ts';
import { cpuMs } from '../support/processes.ts';
import { idOf, Scene } from '../support/scene.ts';
import { seedPastPayments } from './past-payments.ts';

/** How many payments are stored, incoming and outgoing each. */
export const FEW = 1_000;
export const MANY = 1_000_000;

/** How many requests are under way at a time. */
export const WIDTH = 32;
/** How many different stored payments a stretch reads, all over the past. */
const SPREAD = 1_000;
const REQUESTS = 2_000;
const PAYMENTS = 300;
const SECONDS = 5;
const CRASH_AFTER_MS = 500;

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

  /**
   * Kills the node amid requests, starts it again, and leaves its data folder as {@link end} does.
   * @returns how many milliseconds that start took.
   */
  async crash(): Promise<number> {
    const creating = drive(this.node.publicUrl, this.scene.creations(REQUESTS), { width: WIDTH, seconds: 60 }, 201).catch(() => undefined);
    await pause(CRASH_AFTER_MS);
    await this.node.kill();
    await creating;
    await this.end();
    const began = performance.now();
    const again = await RunningNode.start({ dataDir: this.node.dataDir });
    const readyMs = performance.now() - began;
    await again.stop();
    return readyMs;
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
